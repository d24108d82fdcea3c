import { describe, expect, it } from "vitest";
import type { Cards, Event, View } from "./view";
import { before } from "$lib/board/fold";
import { gainsOf, matchedSides, returned, summedUp } from "./outcome";

const cards = (some: Partial<Cards> = {}): Cards => ({ R: 0, O: 0, G: 0, B: 0, P: 0, W: 0, K: 0, ...some });
const lantern = (cause: "match" | "facing", player: number, color: keyof Cards, side: "north" | "east", count = 1) =>
  ({
    ...{ event: "move", cause, player, what: `lantern:${color}`, from: "supply", to: `seat:${player}`, count },
    ...{ color, side },
    changes: [
      ["add", ["supply", color], -count],
      ["add", ["seats", player, "cards", color], count],
    ],
  }) as Event;
const favor = {
  ...{
    event: "move",
    cause: "platform",
    player: 0,
    what: "favor",
    from: "bank",
    to: "seat:0",
    count: 1,
    side: "north",
  },
  changes: [["add", ["seats", 0, "favors"], 1]],
} as Event;
const placed: Event[] = [
  lantern("match", 0, "R", "north"),
  favor,
  lantern("facing", 0, "B", "east"),
  lantern("facing", 1, "K", "north", 0),
];

describe("gains", () => {
  it("keep the order and the empty piles", () => {
    const gains = gainsOf(placed);
    expect(gains.map((each) => [each.player, each.what, each.count])).toEqual([
      [0, "R", 1],
      [0, "favor", 1],
      [0, "B", 1],
      [1, "K", 0],
    ]);
    expect(matchedSides(placed)).toEqual(["north"]);
  });

  it("are said as one sum of favors, and once for an empty pile", () => {
    const dry = lantern("match", 0, "K", "east", 0);
    const said = summedUp(gainsOf([dry, favor, ...placed, { ...dry, cause: "facing" } as Event]));
    expect(said.map((each) => [each.player, each.what, each.count])).toEqual([
      [0, "K", 0],
      [0, "favor", 2],
      [0, "R", 1],
      [0, "B", 1],
      [1, "K", 0],
    ]);
  });

  it("know a match whose pile is empty by its cause", () => {
    const dry = [lantern("match", 0, "K", "east", 0), lantern("facing", 0, "R", "north", 0)];
    expect(matchedSides(dry)).toEqual(["east"]);
  });

  it("are below zero for what goes back to the supply", () => {
    const given = {
      ...{ event: "move", cause: "dedicate_give", player: 0, what: "lantern:O", from: "seat:0", to: "supply" },
      ...{ count: 2, color: "O", stack: "three_pairs" },
    } as Event;
    const gains = gainsOf([given]);
    expect(gains.map((each) => [each.what, each.count])).toEqual([["O", -2]]);
    expect(returned([given])).toEqual([{ color: "O", count: 2 }]);
  });
});

describe("before", () => {
  const seats = [
    { favors: 1, cards: cards({ R: 2, B: 1 }) },
    { favors: 0, cards: cards({ O: 1 }) },
  ];
  const view = { supply: cards({ R: 1 }), seats } as unknown as View;

  it("takes back what has not been seen to arrive", () => {
    const then = before(view, placed);
    expect(then.seats[0]).toMatchObject({ favors: 0, cards: cards({ R: 1 }) });
    expect(then.seats[1]).toMatchObject({ cards: cards({ O: 1 }) });
    expect(then.supply).toMatchObject({ R: 2, B: 1 });
  });

  it("is the same view when there is nothing to take back", () => {
    expect(before(view, [])).toBe(view);
  });
});
