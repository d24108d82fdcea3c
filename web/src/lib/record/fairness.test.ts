import { describe, expect, it } from "vitest";
import { verify, type CheckedDraw } from "./fairness";

// Made by the engine: Chance(seed_from_number(7), "table-1", ["a", "é"]).pick(i, weights).
const fairness = {
  seed: "24be5d49d40982e3553eeaa38e483c2d0823167ec06a79347ecbd089bb0ddcf4",
  commitment: "e2362cf7f11d7908b06dfc094c13bbd749b05cd774c9b5a21a9eb9ab4e2a5188",
  match: "table-1",
  nonces: ["a", "é"],
};
const weights = [[1, 1, 1], [3, 1], [5, 4, 3, 2, 1], Array<number>(36).fill(1), [7]];
const picked = [2, 1, 0, 35, 0];
const draws: CheckedDraw[] = weights.map((each, number) => ({
  ply: number,
  number,
  weights: each,
  outcomes: each.map((_, position) => `+${position}`),
  written: `+${picked[number]}`,
}));

describe("verify", () => {
  it("finds what the engine drew", async () => {
    expect(await verify(fairness, draws)).toEqual({ kind: "fair", draws: 5 });
  });
  it("finds a draw that was changed", async () => {
    const changed = draws.map((draw) => (draw.number === 2 ? { ...draw, written: "+4" } : draw));
    expect(await verify(fairness, changed)).toEqual({ kind: "wrong-draw", ply: 2, written: "+4", due: "+0" });
  });
  it("finds a seed that was not the promised one", async () => {
    const other = { ...fairness, seed: "00".repeat(32) };
    expect((await verify(other, draws)).kind).toBe("wrong-seed");
  });
  it("says so when the seed is still secret", async () => {
    expect(await verify({ ...fairness, seed: null }, draws)).toEqual({ kind: "no-seed" });
  });
});
