import { describe, expect, it } from "vitest";
import { angleNear, arc, quartersAt } from "./tray";

describe("the tray", () => {
  it("turns the short way", () => {
    expect(angleNear(0, 1)).toBe(-90);
    expect(angleNear(-270, 0)).toBe(-360);
    expect(angleNear(-360, 3)).toBe(-270);
  });
  it("comes to rest at the nearest quarter", () => {
    expect(quartersAt(-80)).toBe(1);
    expect(quartersAt(-350)).toBe(0);
    expect(quartersAt(100)).toBe(3);
  });
  it("follows a hand across the seam of the circle", () => {
    expect(arc(170, -170)).toBe(20);
    expect(arc(-170, 170)).toBe(-20);
  });
});
