import { beforeAll, describe, expect, it } from "vitest";
import { setLanguage } from "./i18n";
import { isAway, seatName } from "./tables";
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

describe("isAway", () => {
  it("is said of people who left, and not of people of whom nothing is told", () => {
    expect(isAway(seat({ name: "Ben" }))).toBe(true);
    expect(isAway(seat({ name: "Ben", connected: true }))).toBe(false);
    expect(isAway(seat({}))).toBe(false);
  });
});
