import { describe, expect, it } from "vitest";
import { bytesOf } from "./push";

describe("push", () => {
  it("reads keys as the server writes them", () => {
    expect([...bytesOf("_-8A")]).toEqual([255, 239, 0]);
  });
});
