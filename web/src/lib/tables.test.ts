import { beforeAll, describe, expect, it } from "vitest";
import { setLanguage } from "./i18n";
import { isAway, isInsider, seatName } from "./tables";
import type { Seat, TableInfo } from "./wire";

const seat = (change: Partial<Seat>): Seat => ({
  seat: 0,
  kind: "person",
  name: null,
  level: null,
  mine: false,
  stand_in: null,
  connected: false,
  resigned: false,
  out_of_time: false,
  ...change,
});
const table = (change: Partial<TableInfo>): TableInfo =>
  ({ public: false, is_host: false, seats: [seat({}), seat({ seat: 1 })], ...change }) as TableInfo;

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await setLanguage("en");
});

describe("seatName", () => {
  it("is what the server says", () => expect(seatName(seat({ name: "Ada 2" }))).toBe("Ada 2"));
  it("numbers the players of a private table for strangers", () => {
    expect(table({}).seats.map(seatName)).toEqual(["Player 1", "Player 2"]);
  });
  it("tells bots apart, and says what is free", () => {
    expect(seatName(seat({ kind: "bot", seat: 1 }))).toBe("Crane");
    expect(seatName(seat({ kind: "open" }))).toBe("Free seat");
  });
});

describe("isInsider", () => {
  it.each([
    ["a public table", { public: true }],
    ["its host", { is_host: true }],
    ["its players", { seats: [seat({ mine: true })] }],
    ["people who are told names", { seats: [seat({ name: "Ada" })] }],
  ])("holds for %s", (_who, change) => expect(isInsider(table(change), false)).toBe(true));
  it("does not hold for strangers, whatever invitation they believe to have", () => {
    expect(isInsider(table({}), false)).toBe(false);
    expect(isInsider(table({}), true)).toBe(false);
  });
  it("trusts an invitation where nobody has sat down yet", () => {
    const empty = table({ seats: [seat({ kind: "open" }), seat({ kind: "bot" })] });
    expect(isInsider(empty, true)).toBe(true);
    expect(isInsider(empty, false)).toBe(false);
  });
});

describe("isAway", () => {
  it("is said of people who left, and not of people of whom nothing is told", () => {
    expect(isAway(seat({ name: "Ben" }))).toBe(true);
    expect(isAway(seat({ name: "Ben", connected: true }))).toBe(false);
    expect(isAway(seat({}))).toBe(false);
  });
});
