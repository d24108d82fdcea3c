import { expect, it } from "vitest";
import { backoff } from "./backoff";

it("waits longer after every failure, but not for ever", () => {
  expect(backoff(0, () => 1)).toBe(700);
  expect(backoff(3, () => 1)).toBe(4200);
  expect(backoff(50, () => 1)).toBe(15_200);
  expect(backoff(50, () => 0)).toBe(200);
});
