import { deflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { canInflate, inflated } from "./inflated";

it("reads what the server has compressed, in any language", async () => {
  const value = { events: [{ event: "x", name: "Zoé 灯" }], of: [[0], [0, 0]] };
  expect(canInflate).toBe(true);
  expect(await inflated(deflateRawSync(JSON.stringify(value)).toString("base64"))).toEqual(value);
});

it("refuses what is cut off", async () => {
  const whole = deflateRawSync(JSON.stringify({ of: [[1, 2, 3]] })).toString("base64");
  await expect(inflated(whole.slice(0, 8))).rejects.toThrow();
});
