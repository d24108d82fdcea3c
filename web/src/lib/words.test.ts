import { expect, it } from "vitest";
import { eventSentence } from "./words";

const messages = { events: { facing: "{player}: {color} ({count})" }, words: { R: "red" } };

it("tells an event in the words of its game", () => {
  expect(eventSentence(messages, { event: "facing", player: 1, color: "R", count: 2 }, ["Ada", "Milo"])).toBe(
    "Milo: red (2)",
  );
});
it("falls back to the name of the event", () => {
  expect(eventSentence({}, { event: "tile_placed" }, [])).toBe("tile placed");
});
