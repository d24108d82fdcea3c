import { expect, it } from "vitest";
import { ago, ahead, clockText, dateText } from "./time";

it("writes clocks", () => {
  expect(clockText(307_000)).toBe("5:07");
  expect(clockText(3_723_000)).toBe("1:02:03");
  expect(clockText(1)).toBe("0:01");
  expect(clockText(0)).toBe("0:00");
});
it("writes dates as the language has them", () => {
  const noon = Date.UTC(2026, 10, 18, 12);
  expect(dateText(noon, "en")).toBe("Nov 18, 2026");
  expect(dateText(noon, "fr")).toBe("18 nov. 2026");
  expect(dateText(noon, "it")).toBe("18 nov 2026");
});
it("tells how long ago something was", () => {
  expect(ago(0, 5 * 60_000, "en")).toBe("5 minutes ago");
  expect(ago(0, 30_000, "en")).toBe("now");
  expect(ago(0, 86_400_000, "fr")).toBe("hier");
});
it("tells when something will be", () => {
  const day = 86_400_000;
  expect(ahead(day, 0, "en")).toBe("tomorrow");
  expect(ahead(day, 5_000, "fr")).toBe("demain");
  expect(ahead(46 * day, 0, "en")).toBe("in 46 days");
  expect(ahead(46 * day, 40_000, "it")).toBe("tra 46 giorni");
  expect(ahead(5 * 3_600_000, 0, "fr")).toBe("dans 5 heures");
  expect(ahead(0, 5, "en")).toBe("in 1 minute");
});
