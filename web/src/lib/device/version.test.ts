import { expect, it, vi } from "vitest";
import { isOutdated, reloadIfParts } from "./version";

it("asks for a new page once per build, and never without one", () => {
  expect(isOutdated("b", "a", "")).toBe(true);
  expect(isOutdated("a", "a", "")).toBe(false);
  expect(isOutdated("b", "a", "b")).toBe(false);
  expect(isOutdated("c", "a", "b")).toBe(true);
  expect(isOutdated(undefined, "a", "")).toBe(false);
  expect(isOutdated("b", "", "")).toBe(false);
});

it("loads the page again for a part that is gone, unless the server is gone as well", async () => {
  const reload = vi.fn();
  await reloadIfParts(() => Promise.reject(new Error("gone")), reload);
  expect(reload).not.toHaveBeenCalled();
  await reloadIfParts(() => Promise.resolve({}), reload);
  expect(reload).toHaveBeenCalledWith("parts of ");
});
