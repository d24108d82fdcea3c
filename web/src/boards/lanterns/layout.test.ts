import { describe, expect, it } from "vitest";
import { layoutOf, shoresOf } from "./layout";

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
