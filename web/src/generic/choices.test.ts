import { expect, it } from "vitest";
import { actionsAt, search } from "./choices";

const legal = ["a", "b", "b2", "pass", "x@b2"];

it("finds the action of a place, or all that begin with it, or all that name it", () => {
  expect(actionsAt("b", legal)).toEqual(["b"]);
  expect(actionsAt("p", legal)).toEqual(["pass"]);
  expect(actionsAt("@b2", legal)).toEqual(["x@b2"]);
  expect(actionsAt("c9", legal)).toEqual([]);
});

it("searches actions and what they do, word by word", () => {
  const choices = [
    { action: "d", effect: "Ada drops a disc on d1" },
    { action: "e", effect: "Ada drops a disc on e1. Ada has four in line" },
  ];
  expect(search(choices, "FOUR ada")).toEqual([choices[1]]);
  expect(search(choices, " ")).toEqual(choices);
  expect(search(choices, "d1 four")).toEqual([]);
});
