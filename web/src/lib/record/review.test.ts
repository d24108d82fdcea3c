import { expect, it } from "vitest";
import type { GameReview, Judged } from "$lib/wire";
import { BATCH, batches, FIRST_BATCH, chanceLines, costliest, errorsOf, piecesOf, signed, widestOf } from "./review";

const judged = (ply: number, seat: number, verdict: Judged["verdict"], cost: number): Judged => ({
  ply,
  seat,
  verdict,
  cost,
  interval: 0.01,
  is_exact: false,
  played: "a",
  best: "b",
  played_does: "",
  best_does: "",
  reasons: [],
  hindsight: null,
});
const account = {
  start: 0.5,
  deal: 0.1,
  draws: -0.2,
  own: 0.3,
  others: -0.25,
  remainder: 0.05,
  result: 0.5,
  substituted: 0,
};
const review = {
  plies: 10,
  accounts: [account, { ...account, deal: -0.1 }],
  curve: [
    { ply: 0, win: [0.5, 0.5] },
    { ply: 5, win: [0.75, 0.25] },
    { ply: 10, win: [1, 0] },
  ],
  decisions: Array.from({ length: 30 }, (_, ply) => ({ ply, seat: ply % 2 })),
} as unknown as GameReview;

it("asks for the decisions that are not judged, a few at a time", () => {
  expect(batches(review, new Set()).map((batch) => batch.length)).toEqual([FIRST_BATCH, BATCH, BATCH, 3]);
  expect(batches(review, new Set(Array.from({ length: 29 }, (_, ply) => ply)))).toEqual([[29]]);
  expect(batches(review, new Set(Array.from({ length: 30 }, (_, ply) => ply)))).toEqual([]);
});

it("shows the three costliest mistakes and nothing that is unclear", () => {
  const all = [
    judged(1, 0, "mistake", 0.1),
    judged(2, 0, "unclear", 0.9),
    judged(3, 1, "mistake", 0.3),
    judged(4, 0, "mistake", 0.3),
    judged(5, 0, "mistake", 0.05),
  ];
  expect(costliest(all).map(({ ply }) => ply)).toEqual([3, 4, 1]);
});

it("counts only decisions in which there was something to decide", () => {
  const all = [judged(1, 0, "mistake", 0.2), judged(2, 0, "best", 0), judged(3, 0, "equal", 0)];
  expect(errorsOf([...all, judged(4, 1, "mistake", 0.9)], 0)).toEqual({ decisions: 2, mistakes: 1, cost: 0.1 });
  expect(errorsOf([], 0)).toEqual({ decisions: 0, mistakes: 0, cost: 0 });
});

it("lays gains to the right of the middle and losses to the left", () => {
  const widest = widestOf([account]);
  expect(widest).toBeCloseTo(0.45);
  const pieces = piecesOf(account, widest);
  expect(pieces.filter(({ amount }) => amount > 0).every(({ left }) => left >= 50)).toBe(true);
  expect(pieces.filter(({ amount }) => amount < 0).every(({ left, width }) => left + width <= 50 + 1e-9)).toBe(true);
  expect(Math.max(...pieces.map(({ left, width }) => left + width))).toBeCloseTo(100);
});

it("draws certain wins at the top and certain losses at the bottom", () => {
  const lines = chanceLines(review, { width: 120, height: 60, left: 10, right: 10, top: 10, bottom: 10 }, 5);
  expect(lines[0]?.path).toBe("M10 30L60 20L110 10");
  expect(lines[1]?.end).toBe(50);
});

it("writes amounts with their sign", () => {
  expect([signed(0.123), signed(-0.3), signed(0.001)]).toEqual(["+12", "−30", "0"]);
});
