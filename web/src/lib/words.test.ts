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

it("has words of their own for what a rule did not give, and none for facts", () => {
  const events = { facing: "a {color} lantern", facing_none: "no {color} lantern", score_lost: "{count} less" };
  const gain = { event: "move", cause: "facing", player: 0, color: "R" };
  expect(eventSentence({ events }, { ...gain, count: 1 }, [])).toBe("a R lantern");
  expect(eventSentence({ events }, { ...gain, count: 0 }, [])).toBe("no R lantern");
  expect(eventSentence({ events }, { event: "score", count: -3 }, [])).toBe("3 less");
  expect(eventSentence({ events }, { event: "facts" }, [])).toBe("");
});
