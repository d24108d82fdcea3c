import { expect, it } from "vitest";
import { backoff } from "./backoff";
import { showFor } from "./pacing";
import { ago, clockText } from "./time";

it("writes clocks", () => {
  expect(clockText(307_000)).toBe("5:07");
  expect(clockText(3_723_000)).toBe("1:02:03");
  expect(clockText(1)).toBe("0:01");
  expect(clockText(0)).toBe("0:00");
});
it("tells how long ago something was", () => {
  expect(ago(0, 5 * 60_000, "en")).toBe("5 minutes ago");
  expect(ago(0, 30_000, "en")).toBe("now");
  expect(ago(0, 86_400_000, "fr")).toBe("hier");
});
it("waits longer after every failure, but not for ever", () => {
  expect(backoff(0, () => 1)).toBe(700);
  expect(backoff(3, () => 1)).toBe(4200);
  expect(backoff(50, () => 1)).toBe(15_200);
  expect(backoff(50, () => 0)).toBe(200);
});
it("shows a queued update long enough, and hurries when many wait", () => {
  expect(showFor(3, 0, false)).toBe(0);
  expect(showFor(3, 1, false)).toBe(530);
  expect(showFor(30, 1, false)).toBe(900);
  expect(showFor(3, 1, true)).toBe(120);
  expect(showFor(3, 9, false)).toBe(0);
});
