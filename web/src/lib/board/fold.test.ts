import { expect, it } from "vitest";
import { fold, unfold } from "./fold";

const before = { n: 1, of: { list: [1, 2, 3] }, word: "a" };
const events = [
  {
    event: "move",
    changes: [
      ["add", ["n"], 4],
      ["insert", ["of", "list"], 1, 9],
    ],
  },
  {
    event: "facts",
    changes: [
      ["remove", ["of", "list"], 3, 3],
      ["set", ["word"], "a", null],
    ],
  },
  { event: "silent" },
];
const after = { n: 5, of: { list: [1, 9, 2] }, word: null };

it("goes forwards and backwards, and changes no view in place", () => {
  expect(fold(before, events)).toEqual(after);
  expect(unfold(after, events)).toEqual(before);
  expect(before.of.list).toEqual([1, 2, 3]);
});

it("shares what did not change", () => {
  expect(fold(before, [{ event: "move", changes: [["add", ["n"], 1]] }]).of).toBe(before.of);
});
