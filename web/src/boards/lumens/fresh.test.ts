import { expect, it } from "vitest";
import type { Event } from "./view";
import { timed } from "$lib/board/playback.svelte";
import { freshOf, PACE } from "./fresh";

const placed = (player: number, square: string): Event => ({
  ...{
    event: "move",
    cause: "place",
    player,
    what: "token:4",
    from: `seat:${player}`,
    to: `square:${square}`,
    count: 1,
  },
  ...{ square, face: 4, room: "A" },
});
const events: Event[] = [
  placed(1, "b1"),
  { event: "score", player: 0, room: "A", count: -4 },
  { event: "move", cause: "draw", player: 1, what: "token", from: "bag", to: "seat:1", count: 1 },
  placed(2, "c1"),
  { event: "score", player: 0, room: "A", count: 2 },
];
const before = [{ square: "b1", origins: ["b5"], start_right: false, onward: [] }];

it("shows one placement after the other, and then what it changes", () => {
  const { placed, points, lines } = freshOf(timed(events, PACE), before);
  expect([...placed.keys()]).toEqual(["b1", "c1"]);
  expect(placed.get("c1")).toBeGreaterThan(placed.get("b1") ?? 0);
  expect(points.get("A 0")?.change).toBe(-2);
  expect(points.get("A 0")?.delay).toBeGreaterThan(placed.get("c1") ?? 0);
  expect(lines).toEqual([{ origin: "b5", square: "b1", delay: 0 }]);
});
