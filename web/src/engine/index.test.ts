import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { moduleAt } from "./modules";
import { PATIENCE_MS, searchInBrowser, type Found, type Task } from ".";
import type { Answer, Order } from "./worker";

vi.mock("./stamps", () => ({ stamps: { lumens: "new" } }));

const task = { game: "lumens", engine: "new" } as Task;
const found = (action: number): Found => ({ actions: [action], visits: [1], values: [0.5], iterations: 1 });
const SEARCH_MS = 1000;

class FakeWorker {
  static hired: FakeWorker[] = [];
  orders: Order[] = [];
  terminated = false;
  onmessage?: (event: { data: Answer }) => void;
  onerror?: (event: { message: string }) => void;

  constructor() {
    FakeWorker.hired.push(this);
  }
  postMessage(order: Order): void {
    this.orders.push(order);
  }
  terminate(): void {
    this.terminated = true;
  }
  answer(order: number, answer: { found: Found } | { problem: string }): void {
    this.onmessage?.({ data: { id: this.orders[order]!.id, ...answer } });
  }
}
const newest = (): FakeWorker => FakeWorker.hired.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("location", { href: "https://lampion.test/t/1" });
});
afterEach(() => {
  // Whatever a test leaves behind is given up, so that the next one begins without a worker.
  newest()?.onerror?.({ message: "over" });
  FakeWorker.hired = [];
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("searchInBrowser", () => {
  it("gives every search its own answer, in whatever order they come", async () => {
    const first = searchInBrowser(task, SEARCH_MS);
    const second = searchInBrowser(task, SEARCH_MS);
    expect(FakeWorker.hired).toHaveLength(1);
    newest().answer(1, { found: found(2) });
    newest().answer(0, { found: found(1) });
    expect([(await first).actions, (await second).actions]).toEqual([[1], [2]]);
  });
  it("rejects only the search that failed", async () => {
    const first = searchInBrowser(task, SEARCH_MS);
    const second = searchInBrowser(task, SEARCH_MS);
    newest().answer(0, { problem: "no module" });
    newest().answer(1, { found: found(2) });
    await expect(first).rejects.toThrow("no module");
    expect((await second).actions).toEqual([2]);
  });
  it("replaces a worker that failed", async () => {
    const lost = searchInBrowser(task, SEARCH_MS);
    newest().onerror?.({ message: "out of memory" });
    await expect(lost).rejects.toThrow("out of memory");
    const next = searchInBrowser(task, SEARCH_MS);
    expect(FakeWorker.hired).toHaveLength(2);
    newest().answer(0, { found: found(3) });
    expect((await next).actions).toEqual([3]);
  });
  it("replaces a worker that hangs", async () => {
    const lost = searchInBrowser(task, SEARCH_MS);
    const hanging = newest();
    vi.advanceTimersByTime(SEARCH_MS + PATIENCE_MS - 1);
    expect(hanging.terminated).toBe(false);
    vi.advanceTimersByTime(1);
    await expect(lost).rejects.toThrow("too long");
    expect(hanging.terminated).toBe(true);
    void searchInBrowser(task, SEARCH_MS).catch(() => undefined);
    expect(newest()).not.toBe(hanging);
  });
  it("does not take an answered search for one that hangs", async () => {
    const first = searchInBrowser(task, SEARCH_MS);
    newest().answer(0, { found: found(1) });
    await first;
    vi.advanceTimersByTime(SEARCH_MS + PATIENCE_MS);
    expect(newest().terminated).toBe(false);
  });
  it("leaves the tasks of another engine to the server", async () => {
    await expect(searchInBrowser({ ...task, engine: "newer" }, SEARCH_MS)).rejects.toThrow("another engine");
    await expect(searchInBrowser({ ...task, game: "kuhn", engine: "" }, SEARCH_MS)).rejects.toThrow("another engine");
    expect(FakeWorker.hired).toHaveLength(0);
  });
  it("names the engine in the address of its module", () => {
    void searchInBrowser(task, SEARCH_MS).catch(() => undefined);
    expect(newest().orders[0]!.address).toMatch(/\/engine\/lumens\.wasm\?new$/);
  });
});

describe("moduleAt", () => {
  const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

  it("loads a module once, and again after a failure", async () => {
    const fetches = vi.fn<() => Promise<Response>>();
    fetches.mockRejectedValueOnce(new TypeError("no line"));
    fetches.mockResolvedValueOnce(new Response("", { status: 503 }));
    fetches.mockResolvedValueOnce(new Response(EMPTY_MODULE));
    vi.stubGlobal("fetch", fetches);
    const address = "https://lampion.test/engine/lumens.wasm?new";
    await expect(moduleAt(address)).rejects.toThrow("no line");
    await expect(moduleAt(address)).rejects.toThrow("503");
    const module = await moduleAt(address);
    expect(await moduleAt(address)).toBe(module);
    expect(fetches).toHaveBeenCalledTimes(3);
  });
});
