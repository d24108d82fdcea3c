import { describe, expect, it } from "vitest";
import { heightOf, layoutOf, pagesOf, rowsIn, rowsOf, SET, setColumns, setRows, shoresOf } from "./layout";

describe("the layout", () => {
  it.each([
    [390, 520, "stacked"],
    [768, 920, "stacked"],
    [844, 300, "beside"],
    [1010, 672, "beside"], // a laptop with the log open
    [1366, 672, "wide"],
  ])("of %i x %i is %s", (width, height, wanted) => expect(layoutOf(width, height)).toBe(wanted));

  it("keeps the shores clear where somebody sits", () => {
    const shores = shoresOf("wide", false, { bottom: 0, top: 1 });
    expect(shores.top).toBe(shores.bottom);
    expect(shores.left).toBeLessThan(shores.top);
  });
});

describe("sets that can be dedicated", () => {
  it("stand on one page if there is room", () => expect(pagesOf([1, 1, 2], 4)).toEqual([[0, 1, 2]]));
  it("leave room for the button that turns the page", () =>
    expect(pagesOf([1, 1, 1, 1, 1], 4)).toEqual([
      [0, 1, 2],
      [3, 4],
    ]));
  it("keep a wide one whole", () =>
    expect(pagesOf([1, 1, 2, 1], 4)).toEqual([
      [0, 1],
      [2, 3],
    ]));
  it("ask for no more rows than they need", () => expect(rowsOf([1, 1, 1, 2], 3)).toBe(2));
  it("fill the rows that there are", () => expect([1, 2, 3].map((rows) => rowsIn(heightOf(rows)))).toEqual([1, 2, 3]));
  it("have a page even if there are none", () => expect(pagesOf([], 4)).toEqual([[]]));
  it.each([
    [304, 568],
    [374, 664],
    [320, 390],
  ])("fit into %i px of a window %i px high", (width, height) => {
    const columns = setColumns(width);
    expect(columns * SET.width + (columns - 1) * SET.gap).toBeLessThanOrEqual(width);
    expect(heightOf(setRows(height))).toBeLessThanOrEqual(0.34 * height);
  });
});
