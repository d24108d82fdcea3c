import { expect, it } from "vitest";
import type { Event, Room, View } from "./view";
import { effectOf, gainOf, listed, standingOf } from "./effect";

const placed = (square: string, room: string | null, changes: unknown[][]): Event => ({
  ...{ event: "move", cause: "place", player: 1, what: "token:4", from: "seat:1", to: `square:${square}`, count: 1 },
  ...{ square, face: 4, room, changes },
});
const room: Room = { room: "A", center: true, pips: [7, 5, 2], points: [4, 2, 0], leaders: [0] };
const dark: Room = { ...room, room: "B", center: false };
const view = { rooms: [dark, room] } as unknown as View;
const score = (player: number, count: number): Event => ({
  ...{ event: "score", player, room: "A", count },
  changes: [["add", ["rooms", 1, "points", player], count]],
});
const covering: Event[] = [
  placed("b1", "A", [["add", ["rooms", 1, "pips", 1], 4]]),
  {
    ...{ event: "covered", player: 0, square: "b1", face: 6, room: "A" },
    changes: [["add", ["rooms", 1, "pips", 0], -6]],
  },
  score(0, -4),
  score(1, 2),
  score(2, 2),
  { event: "blocked", player: 2 },
];

it("tells what a placement does to everybody", () => {
  const effect = effectOf(view, covering);
  expect(effect.room).toBe("A");
  expect(effect.covered).toEqual({ player: 0, face: 6 });
  expect([0, 1, 2].map((player) => gainOf(effect, player))).toEqual([-4, 2, 2]);
  expect(effect.blocked).toEqual([2]);
  expect(listed(effect, 1).map(({ player }) => player)).toEqual([1, 0, 2]);
});

it("tells how a room would stand", () => {
  const effect = effectOf(view, covering);
  expect(standingOf(room, 0, effect)).toEqual({ pips: 1, points: 0, pipsChange: -6, pointsChange: -4 });
  expect(standingOf(room, 1, effect)).toEqual({ pips: 9, points: 4, pipsChange: 4, pointsChange: 2 });
  expect(standingOf(dark, 1, effect)).toEqual({ pips: 5, points: 2, pipsChange: 0, pointsChange: 0 });
  expect(standingOf(room, 0, null).pips).toBe(7);
});

it("tells who comes to lead a room and who no longer does", () => {
  const lead = placed("b1", "A", [["set", ["rooms", 1, "leaders"], [0], [1, 2]]]);
  expect(effectOf(view, [lead]).leads).toEqual([
    { room: "A", player: 1, leads: true },
    { room: "A", player: 2, leads: true },
    { room: "A", player: 0, leads: false },
  ]);
  expect(effectOf(view, covering).leads).toEqual([]);
});

it("counts no pips on a passage", () => {
  const effect = effectOf(view, [placed("c1", null, [])]);
  expect(effect).toMatchObject({ room: null, points: [], rooms: view.rooms });
});
