import { describe, expect, it } from "vitest";
import { cornerOf, nextSquares, rayOf, roomAt, spotOf, squaresOf, wallsOf } from "./house";

const board = { columns: 4, rows: 3, map: ["AA..", ".A. ", "...B"], center: "A" };

describe("squares", () => {
  it("are named from the bottom left and drawn from the top left", () => {
    expect(spotOf(board, "a1")).toEqual({ x: 50, y: 250 });
    expect(spotOf(board, "d3")).toEqual({ x: 350, y: 50 });
    expect(squaresOf(board).map(({ name }) => name)).toEqual("a3 b3 c3 d3 a2 b2 c2 a1 b1 c1 d1".split(" "));
  });

  it("know their room", () => {
    expect(roomAt(board, "b2")).toBe("A");
    expect(roomAt(board, "d1")).toBe("B");
    expect(roomAt(board, "a1")).toBeNull();
    expect(roomAt(board, "d2")).toBeNull();
  });
});

describe("rooms", () => {
  it("have walls where they end", () => {
    expect(wallsOf(board, "B")).toBe("M300 200h100M400 200v100M300 300h100M300 200v100");
    expect(wallsOf(board, "A").match(/M/g)).toHaveLength(8);
    expect(cornerOf(board, "A")).toEqual({ x: 0, y: 0 });
  });
});

describe("counting lines", () => {
  it("run straight", () => {
    expect(rayOf(board, "a1", "d1")).toEqual({ x: 50, y: 250, length: 300, angle: 0 });
    expect(rayOf(board, "b1", "b3")).toEqual({ x: 150, y: 250, length: 200, angle: -90 });
  });

  it("lead on as far as the view says", () => {
    const target = { square: "b1", origins: [], start_right: true, onward: ["b2 c1 a1", "", "b4"] };
    expect(nextSquares(target, 1)).toEqual(["b2", "c1", "a1"]);
    expect(nextSquares(target, 2)).toEqual([]);
    expect(nextSquares(target, 3)).toEqual(["b4"]);
    expect(nextSquares(target, 5)).toEqual([]);
  });
});
