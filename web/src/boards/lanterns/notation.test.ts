import { describe, expect, it } from "vitest";
import { exchangeText, listed, parse, placeText } from "./notation";

describe("notation", () => {
  it("reads every kind of action", () => {
    expect(parse("17r1@2,-1")).toEqual({ kind: "place", tile: 17, rotation: 1, cell: [2, -1] });
    expect(parse("xP>R")).toEqual({ kind: "exchange", give: "P", take: "R" });
    expect(parse("d4:R")).toEqual({ kind: "dedicate", stack: "four_of_a_kind", colors: ["R"] });
    expect(parse("d3:OBW")).toEqual({ kind: "dedicate", stack: "three_pairs", colors: ["O", "B", "W"] });
    expect(parse("d7")).toEqual({ kind: "dedicate", stack: "seven_unique", colors: [] });
    expect(parse("-K")).toEqual({ kind: "discard", color: "K" });
    expect(parse("pass")).toEqual({ kind: "pass" });
  });

  it("reads nothing else", () => {
    for (const text of ["", "+17", "+?", "undo 3", "17r@0,0", "xP>Y", "d5:R", "17r1@2"]) expect(parse(text)).toBeNull();
  });

  it("writes what it reads", () => {
    expect(placeText(17, 1, [2, -1])).toBe("17r1@2,-1");
    expect(exchangeText("P", "R")).toBe("xP>R");
  });

  it("keeps one kind of a list, with its texts", () => {
    expect(listed(["pass", "-R", "-B", "d7"], "discard")).toEqual([
      { kind: "discard", color: "R", action: "-R" },
      { kind: "discard", color: "B", action: "-B" },
    ]);
  });
});
