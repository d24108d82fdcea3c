import { expect, it } from "vitest";
import { newSeats, optionValues, toNewTable } from "./newtable";

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
  expect(toNewTable("lumens", seats, {}, "days-1", true)).toEqual({
    game: "lumens",
    seats: [{ kind: "me", name: "Ada" }, { kind: "bot", level: "novice" }, { kind: "open" }],
    options: {},
    pace: { kind: "days", days: 1 },
    public: true,
  });
});
it("reads the values of an option from its description", () => {
  expect(optionValues("random shapes, or `first`: V3 O4")).toEqual(["random", "first"]);
  expect(optionValues("same lake for everybody, or `four`: a different lake")).toEqual(["same", "four"]);
});
