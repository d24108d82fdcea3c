import { beforeEach, expect, it, vi } from "vitest";
import { api } from "$lib/net/api";
import type { Attempt, Judged, Puzzle } from "$lib/wire";
import { PuzzleRun } from "./puzzle.svelte";

const position = { ply: 7, seat: 1, played: "a", legal: ["a", "b", "c"], previews: {} } as unknown as Puzzle;
const judged = { ply: 7, seat: 1, cost: 0.3, best: "c", reasons: ["It is better."] } as Judged;
const tried = (action: string, outcome: Attempt["outcome"], cost: number): Attempt =>
  ({ ply: 7, seat: 1, action, outcome, cost }) as Attempt;
const attempt = vi.spyOn(api, "attempt");

beforeEach(() => {
  attempt.mockReset();
  vi.spyOn(api, "puzzle").mockResolvedValue(position);
  vi.spyOn(api, "judgements").mockResolvedValue({ judged: [judged] });
});

it("reports every try once something good is found", async () => {
  const run = new PuzzleRun({}, 7, "en");
  await run.load();
  attempt.mockResolvedValueOnce(tried("b", "better", 0.1)).mockResolvedValueOnce(tried("c", "found", 0));
  await run.attempt("b");
  expect([run.isFound, run.isOver]).toEqual([false, false]);
  await run.attempt("c");
  expect(run.outcome).toEqual({ tried: ["b", "c"], hints: 0 });
  await run.attempt("b");
  expect(attempt).toHaveBeenCalledTimes(2);
});

it("tells a reason first and the action itself next", async () => {
  const run = new PuzzleRun({}, 7, "en", judged);
  await run.load();
  expect([run.told, run.isMarked]).toEqual([[], false]);
  run.hint();
  expect([run.told, run.isMarked]).toEqual([["It is better."], false]);
  run.hint();
  run.hint();
  expect([run.isMarked, run.hints]).toEqual([true, 2]);
});

it("is over when the reader gives up, and not found", async () => {
  const run = new PuzzleRun({}, 7, "en");
  await run.load();
  run.giveUp();
  expect([run.isFound, run.isOver]).toEqual([false, true]);
  expect(run.outcome).toEqual({ tried: [], hints: 0 });
});

it("can be tried again after a failure", async () => {
  const run = new PuzzleRun({}, 7, "en");
  await run.load();
  attempt.mockRejectedValueOnce(new Error("offline"));
  await expect(run.attempt("b")).rejects.toThrow("offline");
  expect(run.trying).toBeNull();
});
