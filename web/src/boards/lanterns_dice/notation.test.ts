import { describe, expect, it } from "vitest";
import { areaParts, areasOf, oriented, parse, poolsUnder } from "./notation";

const T4 = ["XXX", ".X."];
const L4 = ["X.", "X.", "XX"];

describe("parse", () => {
  it.each([
    ["skip", { kind: "skip" }],
    ["reroll", { kind: "reroll" }],
    ["t2", { kind: "tray", quarters: 2 }],
    ["t0", { kind: "tray", quarters: 0 }],
    ["e3", { kind: "card", card: 3 }],
    ["e3u", { kind: "shade", pool: "e3", halves: ["u"] }],
    ["c4ul", { kind: "shade", pool: "c4", halves: ["u", "l"] }],
    ["T4o2@c4", { kind: "launch", shape: "T4", orientation: 2, corner: "c4" }],
    ["k12u", { kind: "shade", pool: "k12", halves: ["u"] }],
  ])("reads %s", (action, expected) => expect(parse(action)).toEqual(expected));

  it.each(["rRBOW", "7cu", "c4x", "t", "e", "T4o@c4", ""])("has no action for %j", (text) =>
    expect(parse(text)).toBeNull(),
  );
});

describe("areas", () => {
  it("are named by their pool and half", () => {
    expect(areasOf("c4", ["u", "l"])).toEqual(["c4u", "c4l"]);
    expect(areaParts("c4u")).toEqual(["c4", "u"]);
  });
});

describe("tiles", () => {
  it("turn clockwise", () => expect(oriented(L4, 1)).toEqual(["XXX", "X.."]));
  it("are mirrored left to right first", () => expect(oriented(L4, 4)).toEqual([".X", ".X", "XX"]));
  it("stand on the lower left pool of their box, even if they leave it free", () => {
    expect(poolsUnder(T4, 2, "c4").sort()).toEqual(["c4", "d4", "d5", "e4"]);
    expect(poolsUnder(["X.X", "XXX"], 0, "a1").sort()).toEqual(["a1", "a2", "b1", "c1", "c2"]);
    expect(poolsUnder(T4, 0, "c4").sort()).toEqual(["c5", "d4", "d5", "e5"]);
  });
});
