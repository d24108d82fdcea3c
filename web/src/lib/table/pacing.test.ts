import { expect, it } from "vitest";
import { showFor } from "./pacing";

it("shows a queued update long enough, and hurries when many wait", () => {
  expect(showFor(3, 0, false)).toBe(0);
  expect(showFor(3, 1, false)).toBe(530);
  expect(showFor(30, 1, false)).toBe(900);
  expect(showFor(3, 1, true)).toBe(120);
  expect(showFor(3, 9, false)).toBe(0);
});
