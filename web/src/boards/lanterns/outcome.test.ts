import { describe, expect, it } from "vitest";
import type { Cards, Event, View } from "./view";
import { before, gainsOf, matchedSides, supplyAfter } from "./outcome";

const cards = (some: Partial<Cards> = {}): Cards => ({ R: 0, O: 0, G: 0, B: 0, P: 0, W: 0, K: 0, ...some });
const placed: Event[] = [
  { event: "tile_placed", player: 0, tile: 7, rotation: 2, index: 1 },
  { event: "match_lantern", player: 0, color: "R", side: "north" },
  { event: "match_favor", player: 0, side: "north" },
  { event: "facing_lantern", player: 0, color: "B", side: "south" },
  { event: "no_lantern", player: 1, color: "K", side: "north" },
];

describe("gains", () => {
  it("keep the order, the matches and the empty piles", () => {
    const gains = gainsOf(placed, 2);
    expect(gains.map((each) => [each.player, each.what, each.count, each.matched])).toEqual([
      [0, "R", 1, true],
      [0, "favor", 1, true],
      [0, "B", 1, false],
      [1, "K", 0, false],
    ]);
    expect(matchedSides(placed)).toEqual(["north"]);
  });

  it("know a match whose pile is empty from the card for the side one faces", () => {
    const dry: Event[] = [
      { event: "tile_placed", player: 0, tile: 7, rotation: 2, index: 1 },
      { event: "no_lantern", player: 0, color: "K", side: "east" },
      { event: "no_lantern", player: 0, color: "R", side: "south" },
      { event: "no_lantern", player: 1, color: "R", side: "north" },
    ];
    expect(matchedSides(dry)).toEqual(["east"]);
    expect(gainsOf(dry, 2).map((each) => each.matched)).toEqual([true, false, false]);
  });

  it("pay for an exchange and give back the cards of a dedication", () => {
    const exchanged = gainsOf([{ event: "exchanged", player: 1, gave: "P", took: "R" }], 2);
    expect(exchanged.map((each) => [each.what, each.count])).toEqual([
      ["favor", -2],
      ["P", -1],
      ["R", 1],
    ]);
    const dedicated = gainsOf([{ event: "dedicated", player: 0, stack: "three_pairs", honor: 9 }], 2, "d3:OBW");
    expect(dedicated.map((each) => [each.what, each.count])).toEqual([
      ["O", -2],
      ["B", -2],
      ["W", -2],
      ["honor", 9],
    ]);
    expect(supplyAfter(cards({ O: 1 }), dedicated)).toMatchObject({ O: 3, B: 2, W: 2, R: 0 });
  });
});

describe("the table before what was not seen yet", () => {
  const seat = { favors: 1, num_cards: 3, cards: cards({ R: 2, B: 1 }) } as View["seats"][number];
  const other = { favors: 0, num_cards: 1, cards: cards({ O: 1 }) } as View["seats"][number];
  const view = { seats: [seat, other], supply: cards({ R: 4 }), lake: [{}, {}] } as View;

  it("takes back the tile and what it brought", () => {
    const then = before(view, placed);
    expect(then.lake).toHaveLength(1);
    expect(then.seats[0]).toMatchObject({ favors: 0, num_cards: 1, cards: cards({ R: 1 }) });
    expect(then.seats[1]).toEqual(other);
    expect(then.supply).toMatchObject({ R: 5, B: 1, K: 0 });
  });

  it("is the table itself once all is seen", () => {
    expect(before(view, [])).toBe(view);
    expect(before(view, [{ event: "passed", player: 0 }])).toBe(view);
  });
});
