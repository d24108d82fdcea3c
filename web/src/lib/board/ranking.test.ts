import { expect, it } from "vitest";
import { ranked } from "./ranking";

it("puts players in the order of their places", () => {
  const order = ranked({
    seats: ["a", "b", "c", "d"],
    scores: [20, 31, 25, 31],
    winners: [3],
    placements: [4, 2, 3, 1],
  });
  expect(order.map(({ seat }) => seat)).toEqual(["d", "b", "c", "a"]);
  expect(order[0]).toEqual({ seat: "d", player: 3, wins: true, score: 31 });
});

it("trusts the places where losers have the same score", () => {
  const order = ranked({ seats: ["a", "b", "c"], scores: [50, 40, 40], winners: [0], placements: [1, 3, 2] });
  expect(order.map(({ player }) => player)).toEqual([0, 2, 1]);
});
