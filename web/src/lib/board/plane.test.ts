import { describe, expect, it } from "vitest";
import { ahead, fit, fromScreen, nearest, revealed, toScreen, zoomed } from "./plane";

const LIMITS = { smallest: 0.2, largest: 2, largestFit: 1.5 };

describe("the camera", () => {
  const extent = { left: -50, right: 350, top: -150, bottom: 50 };

  it("fits the board between what covers it", () => {
    const pose = fit(extent, 500, 400, { left: 100, right: 0, top: 0, bottom: 0 }, LIMITS);
    expect(pose.scale).toBe(1);
    expect(toScreen(pose, { x: extent.left, y: 0 }).x).toBe(100);
    expect(toScreen(pose, { x: extent.right, y: 0 }).x).toBe(500);
  });

  it("moves no further than a part needs to be seen", () => {
    const covered = { left: 10, right: 0, top: 0, bottom: 20 };
    const pose = { x: 0, y: 0, scale: 1 };
    const seen = { left: 20, right: 60, top: 0, bottom: 40 };
    expect(revealed(pose, seen, 100, 100, covered)).toEqual(pose);
    const below = { left: -30, right: 10, top: 60, bottom: 100 };
    expect(revealed(pose, below, 100, 100, covered)).toEqual({ x: 40, y: -20, scale: 1 });
  });

  it("leaves a small board in the middle of a large window", () => {
    const pose = fit(extent, 4000, 4000, { left: 0, right: 0, top: 0, bottom: 0 }, LIMITS);
    expect(pose.scale).toBe(LIMITS.largestFit);
    expect(toScreen(pose, { x: 150, y: -50 })).toEqual({ x: 2000, y: 2000 });
  });

  it("zooms about the finger and comes back from the screen", () => {
    const pose = { x: 10, y: 20, scale: 1 };
    const at = { x: 200, y: 100 };
    expect(fromScreen(zoomed(pose, at, 1.5, LIMITS), at)).toEqual(fromScreen(pose, at));
    expect(zoomed(pose, at, 99, LIMITS).scale).toBe(LIMITS.largest);
  });
});

describe("finding spots", () => {
  const spots = [
    { x: 100, y: 0 },
    { x: -100, y: 0 },
    { x: 0, y: -100 },
  ];
  it("takes the one within reach", () => {
    expect(nearest(spots, { x: 110, y: 20 }, 75)).toBe(0);
    expect(nearest(spots, { x: 300, y: 0 }, 75)).toBe(-1);
  });
  it("follows the arrows", () => {
    expect(ahead(spots, { x: -100, y: 0 }, "right")).toBe(0);
    expect(ahead(spots, { x: 0, y: 0 }, "top")).toBe(2);
    expect(ahead(spots, { x: 0, y: 0 }, "bottom")).toBe(-1);
  });
});
