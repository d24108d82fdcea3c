import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Attention, isHidden } from "./attention";

const MINUTE = 60_000;
const page = { visibilityState: "visible", listeners: new Map<string, () => void>() };
const inputs = new Map<string, () => void>();
const told: boolean[] = [];
let attention: Attention;

describe("Attention", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    page.visibilityState = "visible";
    vi.stubGlobal("document", {
      get visibilityState() {
        return page.visibilityState;
      },
      addEventListener: (name: string, listener: () => void) => page.listeners.set(name, listener),
      removeEventListener: (name: string) => page.listeners.delete(name),
    });
    vi.stubGlobal("addEventListener", (name: string, listener: () => void) => inputs.set(name, listener));
    vi.stubGlobal("removeEventListener", (name: string) => inputs.delete(name));
    told.length = 0;
    attention = new Attention(() => told.push(!isHidden()));
  });
  afterEach(() => {
    attention.close();
    vi.useRealTimers();
  });

  it("ends three minutes after the last touch, and is told once", () => {
    vi.advanceTimersByTime(2 * MINUTE);
    inputs.get("pointermove")?.();
    vi.advanceTimersByTime(3 * MINUTE - 1);
    expect([isHidden(), told]).toEqual([false, []]);
    vi.advanceTimersByTime(1);
    expect([isHidden(), told]).toEqual([true, [false]]);
    vi.advanceTimersByTime(60 * MINUTE);
    expect(told).toEqual([false]);
  });

  it("is back with the next touch, and can end again", () => {
    vi.advanceTimersByTime(4 * MINUTE);
    inputs.get("keydown")?.();
    inputs.get("keydown")?.();
    expect([isHidden(), told]).toEqual([false, [false, true]]);
    vi.advanceTimersByTime(3 * MINUTE);
    expect(told).toEqual([false, true, false]);
  });

  it("follows the page to the background and back", () => {
    page.visibilityState = "hidden";
    page.listeners.get("visibilitychange")?.();
    inputs.get("keydown")?.();
    expect(told).toEqual([false]);
    vi.advanceTimersByTime(10 * MINUTE);
    page.visibilityState = "visible";
    page.listeners.get("visibilitychange")?.();
    expect(told.at(-1)).toBe(true);
    attention.close();
    expect([inputs.size, page.listeners.size]).toEqual([0, 0]);
  });
});
