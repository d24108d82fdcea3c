import { expect, it } from "vitest";
import { ranked } from "./ranking";

it("puts winners first, then higher scores", () => {
  const order = ranked({ seats: ["a", "b", "c", "d"], scores: [20, 31, 25, 31], winners: [3] });
  expect(order.map(({ seat }) => seat)).toEqual(["d", "b", "c", "a"]);
  expect(order[0]).toEqual({ seat: "d", player: 3, wins: true, score: 31 });
});
