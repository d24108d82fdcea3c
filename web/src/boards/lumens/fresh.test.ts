import { expect, it } from "vitest";
import type { Event } from "./view";
import { freshOf, NOTHING } from "./fresh";

const events: Event[] = [
  { event: "token_placed", player: 1, square: "b1", face: 4 },
  { event: "points_lost", player: 0, room: "A", points: 4 },
  { event: "token_drawn", player: 1 },
  { event: "token_placed", player: 2, square: "c1", face: 2 },
  { event: "points_gained", player: 0, room: "A", points: 2 },
];
const before = [{ square: "b1", origins: ["b5"], start_right: false, reach: [0, 0, 0, 0] }];

it("shows one placement after the other, and then what it changes", () => {
  const { placed, points, lines } = freshOf(events, before);
  expect([...placed.keys()]).toEqual(["b1", "c1"]);
  expect(placed.get("c1")).toBeGreaterThan(placed.get("b1") ?? 0);
  expect(points.get("A 0")?.change).toBe(-2);
  expect(points.get("A 0")?.delay).toBeGreaterThan(placed.get("c1") ?? 0);
  expect(lines).toEqual([{ origin: "b5", square: "b1", delay: 0 }]);
});

it("does not film a jump", () => {
  expect(freshOf(Array.from({ length: 9 }, () => events).flat(), before)).toBe(NOTHING);
});
