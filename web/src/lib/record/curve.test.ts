import { expect, it } from "vitest";
import { curveOf, spread, ticksOf } from "./curve";
import type { Scorebook } from "$lib/wire";

it("has round numbers around all scores, and 0", () => {
  expect(ticksOf(0, 31)).toEqual([0, 10, 20, 30, 40]);
  expect(ticksOf(0, 1)).toEqual([0, 1]);
  expect(ticksOf(0, 0)).toEqual([0, 1]);
  expect(ticksOf(-26, 12)).toEqual([-30, -20, -10, 0, 10, 20]);
  expect(ticksOf(0, 40_000).length).toBeLessThanOrEqual(8);
});

it("moves labels apart, in their order and inside the limits", () => {
  expect(spread([50, 50, 10], 20, 0, 100)).toEqual([50, 70, 10]);
  expect(spread([98, 99, 100], 20, 0, 100)).toEqual([60, 80, 100]);
  expect(spread([5], 20, 10, 100)).toEqual([10]);
});

it("keeps a score until it changes, and ends at the right edge", () => {
  const scorebook = {
    plies: 10,
    scores: [4, 0],
    curve: [
      { ply: 0, round: "", scores: [0, 0] },
      { ply: 5, round: "1", scores: [4, 0] },
      { ply: 10, round: "2", scores: [4, 0] },
    ],
    rounds: [
      { round: "1", ply: 0, gains: [4, 0] },
      { round: "2", ply: 6, gains: [0, 0] },
    ],
  } as unknown as Scorebook;
  const curve = curveOf(scorebook, { width: 120, height: 60, left: 10, right: 10, top: 10, bottom: 10 }, 5);
  expect(curve.lines[0]?.path).toBe("M10 50H60V10H110V10");
  expect(curve.lines[1]?.path).toBe("M10 50H60V50H110V50");
  expect(curve.lines[0]?.end).toEqual({ x: 110, y: 10 });
  expect(curve.rounds).toEqual([
    { round: "1", x: 10 },
    { round: "2", x: 70 },
  ]);
});
