import { expect, it } from "vitest";
import { actionsAt, search } from "./choices";

const legal = ["a", "b", "b2", "c3", "c4", "pass", "x@b2"];

it("finds the action of a place, or all that begin with it, or all that name it", () => {
  expect(actionsAt("b", legal)).toEqual(["b"]);
  expect(actionsAt("c", legal)).toEqual(["c3", "c4"]);
  expect(actionsAt("pass", legal)).toEqual(["pass"]);
  expect(actionsAt("@b2", legal)).toEqual(["x@b2"]);
  expect(actionsAt("c9", legal)).toEqual([]);
});

it("does not take the beginning of a number or of a word for the whole", () => {
  expect(actionsAt("a1", ["a10", "a11", "b1"])).toEqual([]);
  expect(actionsAt("a1", ["a10", "a1-b2", "a1"])).toEqual(["a1"]);
  expect(actionsAt("a1", ["a10", "a1-b2"])).toEqual(["a1-b2"]);
  expect(actionsAt("1", ["x1", "x10", "x21"])).toEqual(["x1"]);
  expect(actionsAt("p", ["pass"])).toEqual([]);
  expect(actionsAt("", ["pass"])).toEqual([]);
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
