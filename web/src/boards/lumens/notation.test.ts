import { expect, it } from "vitest";
import { parse, placements, placementText } from "./notation";

it("reads placements and writes them", () => {
  expect(parse("c5=6")).toEqual({ action: "c5=6", square: "c5", face: 6 });
  expect(parse("o15=1")).toEqual({ action: "o15=1", square: "o15", face: 1 });
  expect(placementText("o15", 1)).toBe("o15=1");
});

it("leaves chance alone", () => {
  expect(placements(["+16", "+?", "a1=?", "middle 1"])).toEqual([]);
});
