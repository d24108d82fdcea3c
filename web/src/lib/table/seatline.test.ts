import { describe, expect, it } from "vitest";
import { hasDecision, takeUpdate, timeLeft, toldOnce, type SeatLine } from "./seatline";
import type { Step, Update } from "$lib/wire";

const update = (since: number, ply: number): Update => ({
  type: "update", table: "t", seat: 0, since, ply, asked: since, view: { ply }, legal: [], effects: null, clocks: [],
  steps: Array.from({ length: ply - since }, (_, index) => ({
    ply: since + index, actor: 0, action: `a${since + index}`, events: [{ event: `e${since + index}` }],
  })),
}); // prettier-ignore

const taken = (line: SeatLine | undefined, message: Update): SeatLine => {
  const result = takeUpdate(line, message, 0);
  if (result.kind !== "taken") throw new Error(result.kind);
  return result.line;
};

describe("takeUpdate", () => {
  const first = taken(undefined, update(0, 2));

  it("starts with everything, and animates nothing of it", () => {
    expect(first.steps.length).toBe(2);
    expect(first.recent).toEqual([]);
  });
  it("goes on where it was", () => {
    const next = taken(first, update(2, 4));
    expect(next.steps.map((step) => step.ply)).toEqual([0, 1, 2, 3]);
    expect(next.recent.map((event) => event.event)).toEqual(["e2", "e3"]);
  });
  it("takes what it already knows only once", () => {
    expect(taken(first, update(1, 3)).steps.map((step) => step.ply)).toEqual([0, 1, 2]);
  });
  it("asks again when something is missing", () => {
    expect(takeUpdate(first, update(3, 5), 0)).toEqual({ kind: "gap", since: 2 });
  });
  it("folds what the events tell where no view comes", () => {
    const changes = [["add", ["ply"], 1]];
    const told = {
      ...update(2, 3),
      view: null,
      steps: [{ ply: 2, actor: 0, action: "a", events: [{ event: "e", changes }] }],
    };
    expect(taken(first, told).view.ply).toBe(3);
    expect(taken(taken(first, told), told).view.ply).toBe(3);
  });
  it("asks again when the events start from a view that it does not have", () => {
    expect(takeUpdate(undefined, { ...update(0, 2), view: null }, 0)).toEqual({ kind: "gap", since: 0 });
    expect(takeUpdate(first, { ...update(1, 3), view: null }, 0)).toEqual({ kind: "gap", since: 2 });
  });
  it("gives each legal action its events", () => {
    const effects = { events: [{ event: "x" }, { event: "y" }], of: [[0], [0, 1]] };
    const line = taken(first, { ...update(2, 3), legal: ["a", "b"], effects });
    expect(line.effects?.b?.map(({ event }) => event)).toEqual(["x", "y"]);
    expect(taken(first, { ...update(2, 3), legal: ["a"] }).effects).toBeNull();
    expect(toldOnce(effects)(["a", "b"])).toEqual(line.effects);
  });
  it("ignores what is older", () => {
    expect(takeUpdate(first, update(0, 1), 0)).toEqual({ kind: "old" });
  });
  it("animates an update once when it comes twice", () => {
    expect(taken(taken(first, update(2, 3)), update(2, 3)).recent).toEqual([]);
  });
});

describe("timeLeft", () => {
  it("runs down, never below zero, and only if the clock runs", () => {
    expect(timeLeft({ seat: 0, left_ms: 5000, running: true }, 1000, 3000)).toBe(3000);
    expect(timeLeft({ seat: 0, left_ms: 5000, running: true }, 1000, 9000)).toBe(0);
    expect(timeLeft({ seat: 0, left_ms: 5000, running: false }, 1000, 9000)).toBe(5000);
  });
});

describe("hasDecision", () => {
  const step = (ply: number, actor: number | "c", events: object[]): Step =>
    ({ ply, actor, action: "", events }) as Step;
  const dealt = step(0, "c", [{ event: "move" }]);
  const mine = step(1, 0, [{ event: "move" }]);

  it("is there once the seat has acted", () => {
    expect(hasDecision([dealt], 0)).toBe(false);
    expect(hasDecision([dealt, mine], 0)).toBe(true);
    expect(hasDecision([dealt, mine], 1)).toBe(false);
  });
  it("is gone when it was taken back", () => {
    expect(hasDecision([dealt, mine, step(2, 0, [{ event: "undone", to: 1 }])], 0)).toBe(false);
  });
});
