import { expect, it } from "vitest";
import { chosenOptions, newSeats, optionsFor, toNewTable } from "./newtable";
import type { GameInfo } from "$lib/wire";

it("seats me first and leaves the others open", () => {
  expect(newSeats(3, "novice").map((seat) => seat.kind)).toEqual(["me", "open", "open"]);
});
it("keeps what was chosen when the number of players changes", () => {
  const two = newSeats(2, "novice").map((seat) => ({ ...seat, name: "Ada" }));
  expect(newSeats(3, "novice", two).map((seat) => seat.name)).toEqual(["Ada", "Ada", ""]);
});
it("sends only what a seat needs", () => {
  const seats = [
    { kind: "me" as const, level: "novice", name: " Ada " },
    { kind: "bot" as const, level: "novice", name: "x" },
    { kind: "open" as const, level: "novice", name: "x" },
  ];
  expect(toNewTable("some_game", seats, {}, "days-1", true)).toEqual({
    game: "some_game",
    seats: [{ kind: "me", name: "Ada" }, { kind: "bot", level: "novice" }, { kind: "open" }],
    options: {},
    pace: { kind: "days", days: 1 },
    public: true,
  });
});

const game: GameInfo = {
  name: "toy",
  title: "Toy",
  designer: "",
  players: [2, 3],
  options: [
    { kind: "choice", name: "starts", default: "usual", choices: ["usual", "even"], players: [3] },
    { kind: "number", name: "rounds", default: "6", least: 3, most: 9 },
    { kind: "text", name: "shapes", default: "any", example: "I3 T4", wanted: "shapes" },
  ],
};
it("offers the options for that number of players", () => {
  const names = (players: number): string[] => optionsFor(game, players).map(({ name }) => name);
  expect(names(2)).toEqual(["rounds", "shapes"]);
  expect(names(3)).toEqual(["starts", "rounds", "shapes"]);
});
it("sends the options that are not at their defaults, and only those that apply", () => {
  const values = { starts: "even", rounds: "6", shapes: " I3 T4 " };
  expect(chosenOptions(optionsFor(game, 3), values)).toEqual({ starts: "even", shapes: "I3 T4" });
  expect(chosenOptions(optionsFor(game, 2), { ...values, shapes: "" })).toEqual({});
});
