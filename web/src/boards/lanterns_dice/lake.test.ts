import { describe, expect, it } from "vitest";
import {
  border,
  lanternSpot,
  middleOf,
  mostCentral,
  neighborsOf,
  nextTowards,
  pavilionSpot,
  poolAt,
  poolsOf,
  spine,
  spotOf,
  triangle,
} from "./lake";

describe("pools", () => {
  it("are counted from the bottom, and drawn from the top", () => {
    expect(spotOf("a6")).toEqual([0, 0]);
    expect(spotOf("i1")).toEqual([8, 5]);
    expect(poolAt(2, 2)).toBe("c4");
    expect(middleOf("a6")).toEqual([50, 50]);
  });
  it("have two to four neighbours", () => {
    expect(neighborsOf("a1").sort()).toEqual(["a2", "b1"]);
    expect(neighborsOf("c3").sort()).toEqual(["b3", "c2", "c4", "d3"]);
  });
  it("are read from the rows of a view", () => {
    const pools = poolsOf(["OG. PB# BWv", "RG^ PRb OR."]);
    expect(pools[1]).toEqual({ pool: "b6", colors: { u: "P", l: "B" }, platform: true, pavilion: null });
    expect(pools[2]?.pavilion).toBe("l");
    expect(pools[3]).toMatchObject({ pool: "a5", pavilion: "u" });
  });
});

describe("areas", () => {
  it("have the whole top or bottom side, whichever way the diagonal leans", () => {
    expect(triangle("a6", "u")).toBe("M-50-50H50L-50 50Z");
    expect(triangle("b6", "u")).toBe("M-50-50H50V50Z");
  });
  it("keep lantern and pavilion apart", () => {
    expect(lanternSpot("a6", "u")).toEqual([-23, -23]);
    expect(pavilionSpot("a6", "u")).toEqual([20, -35]);
    expect(lanternSpot("b6", "l")).toEqual([-23, 23]);
    expect(pavilionSpot("b6", "l")).toEqual([20, 35]);
  });
});

describe("sets of pools", () => {
  it("have a border without the sides between them", () => {
    expect(border(["a6"]).match(/M/g)).toHaveLength(4);
    expect(border(["a6", "b6"]).match(/M/g)).toHaveLength(6);
  });
  it("have a spine through neighbours, and a middle where four meet", () => {
    expect(spine(["a6", "b6"])).toContain("M50 50L150 50");
    expect(spine(["a6", "b6", "a5", "b5"])).toContain("M100 100L100 100");
  });
  it("have a most central pool", () => expect(mostCentral(["c4", "d4", "e4", "d5"])).toBe("d4"));
});

describe("arrow keys", () => {
  const go = (from: string, to: string[], key: "ArrowRight" | "ArrowUp") =>
    nextTowards(middleOf(from), to, middleOf, key);
  it("prefer what lies straight ahead", () => {
    expect(go("c3", ["d5", "e3", "b3"], "ArrowRight")).toBe("e3");
    expect(go("c3", ["d5", "e3", "b3"], "ArrowUp")).toBe("d5");
  });
  it("stay where nothing lies ahead", () => expect(go("i3", ["a3"], "ArrowRight")).toBeNull());
});
