import { describe, expect, it } from "vitest";
import {
  border,
  centerOf,
  lanternSpot,
  middleOf,
  mostCentral,
  namedOf,
  neighborsOf,
  nextTowards,
  partRound,
  pavilionSpot,
  poolAt,
  poolsOf,
  sizeOf,
  spine,
  spotOf,
  triangle,
} from "./lake";

const SIZE = { columns: 9, rows: 6 };

describe("pools", () => {
  it("are counted and drawn from the lower left corner", () => {
    expect(spotOf("a1")).toEqual([0, -1]);
    expect(spotOf("i6")).toEqual([8, -6]);
    expect(poolAt(2, -4)).toBe("c4");
    expect(middleOf("a1")).toEqual([50, -50]);
    expect(middleOf("b12")).toEqual([150, -1150]);
  });
  it("have two to four neighbors, on a lake of any size", () => {
    expect(neighborsOf("a1", SIZE).sort()).toEqual(["a2", "b1"]);
    expect(neighborsOf("c3", SIZE).sort()).toEqual(["b3", "c2", "c4", "d3"]);
    expect(neighborsOf("c3", { columns: 3, rows: 3 }).sort()).toEqual(["b3", "c2"]);
  });
  it("say how large their lake is", () => {
    expect(sizeOf(["OG. PB# BWv", "RG^ PRb OR."])).toEqual({ columns: 3, rows: 2 });
    expect(namedOf({ columns: 3, rows: 2 })).toEqual({ x: -36, y: -208, width: 346, height: 246 });
  });
  it("are read from the rows of a view", () => {
    const pools = poolsOf(["OG. PB# BWv", "RG^ PRb OR."]);
    expect(pools[1]).toEqual({ pool: "b2", colors: { u: "P", l: "B" }, platform: true, pavilion: null });
    expect(pools[2]?.pavilion).toBe("l");
    expect(pools[3]).toMatchObject({ pool: "a1", pavilion: "u" });
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
    expect(spine(["a6", "b6"])).toContain("M50 -550L150 -550");
    expect(spine(["a6", "b6", "a5", "b5"])).toContain("M100 -500L100 -500");
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

describe("a lake drawn large", () => {
  const window = { width: 330, height: 264 };
  const whole = namedOf(SIZE);

  it("shows the part round a point and never leaves the lake", () => {
    const part = partRound(middleOf("e3"), window, 66, whole);
    expect(centerOf(part)).toEqual(middleOf("e3"));
    expect(partRound([-500, -300], window, 66, whole).x).toBe(whole.x);
    expect(partRound([5000, -300], window, 66, whole).x).toBe(whole.x + whole.width - part.width);
  });
});
