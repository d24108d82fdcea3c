import { expect, it } from "vitest";
import type { AnyEvent } from "$lib/board/board";
import { eventSentences, outcomeSentence } from "./words";

const messages = {
  events: {
    place: "{player} places a tile",
    "place.you": "you place a tile",
    dedicate: "{player} dedicates for {count} honor",
    rolled: "the dice show {dice:each}",
    paid: "{count} gifts",
    "paid#one": "a gift",
  },
  details: {
    facing_none: "the {color} pile is empty",
    give: "{count} {color}",
    score_lost: "{count} less in {area:.2}",
  },
  gets: { facing: "{color:lantern}", favor: "a favor" },
  words: { R: "red", W: "white", "R.lantern": "a red lantern", "W.lantern": "a white lantern" },
};
const shared = {
  told: {
    outcome: "{deed}: {outcome}",
    gets: "{player} gets {gains}",
    "gets.you": "you get {gains}",
    "gets-too": "{player} {gains}",
    "gets-too.you": "you {gains}",
    and: "{most} and {last}",
  },
};
const told = (events: AnyEvent[], seat: number | null = null): string[] =>
  eventSentences(events, { messages, shared, names: ["Ada", "Milo", "Iris"], seat });

const placed = { event: "move", cause: "place", player: 1, count: 1 };
const red = { event: "move", cause: "facing", player: 0, color: "R", count: 1 };
const white = { event: "move", cause: "facing", player: 2, color: "W", count: 1 };

it("tells a move and who gets what in one sentence, with the verb once", () => {
  const favor = { event: "move", cause: "favor", player: 0, count: 1 };
  expect(told([placed, red, favor, white], 0)).toEqual([
    "Milo places a tile: you get a red lantern and a favor, Iris a white lantern",
  ]);
  expect(told([placed, white, red], 1)).toEqual(["You place a tile: Iris gets a white lantern, Ada a red lantern"]);
});
it("has words of their own for what a rule did not give, and none for facts", () => {
  expect(told([placed, { ...red, count: 0 }, { event: "facts" }])).toEqual([
    "Milo places a tile: the red pile is empty",
  ]);
  expect(told([{ event: "score", count: -3, area: "c4u" }])).toEqual(["3 less in c4"]);
});
it("tells the deed first, whatever came before it", () => {
  const give = { event: "move", cause: "give", player: 1, color: "R", count: 4 };
  expect(told([give, { event: "move", cause: "dedicate", player: 1, count: 8 }])).toEqual([
    "Milo dedicates for 8 honor: 4 red",
  ]);
});
it("starts a sentence for every deed, knows one from many, and tells the parts of a value", () => {
  expect(
    told([
      { event: "paid", count: 1 },
      { event: "paid", count: 2 },
    ]),
  ).toEqual(["A gift", "2 gifts"]);
  expect(told([{ event: "rolled", dice: "RW" }])).toEqual(["The dice show red, white"]);
});
it("tells what an action leads to by itself", () => {
  const telling = { messages, shared, names: ["novice", "Milo", "Iris"], seat: 1 };
  expect(outcomeSentence([placed, red, white], telling)).toBe("Novice gets a red lantern, Iris a white lantern");
  expect(outcomeSentence([placed], telling)).toBe("");
});
it("falls back to the name of the event", () => {
  expect(eventSentences([{ event: "tile_placed" }], { messages: {}, shared: {}, names: [] })).toEqual(["Tile placed"]);
});
