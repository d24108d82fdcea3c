import { beforeAll, describe, expect, it } from "vitest";
import { setLanguage } from "$lib/text/i18n";
import { byConcern, distinctNames, earlyEnds, isAway, paceText, seatName } from "./tables";
import type { Seat, TableInfo } from "$lib/wire";

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
  may_return: false,
  ready: false,
  host: false,
  vacations: [],
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

describe("byConcern", () => {
  it("puts what waits for me first: my turn, and a clock that waits until I am ready", () => {
    const mine = seat({ mine: true });
    const tables = [
      table({ id: "open", status: "open", asks_ready: false, changed_ms: 9 }),
      table({ id: "running", status: "running", actors: [], changed_ms: 1 }),
      table({ id: "ready?", status: "open", asks_ready: true, seats: [mine], changed_ms: 2 }),
      table({ id: "turn", status: "running", actors: [0], seats: [mine], changed_ms: 3 }),
    ];
    expect(byConcern(tables).map(({ id }) => id)).toEqual(["turn", "ready?", "running", "open"]);
  });
});

describe("paceText", () => {
  it("says how fast a table plays", () => {
    expect(paceText({ kind: "none" })).toBe("no clock");
    expect(paceText({ kind: "clock", seconds: 600, increment: 10 })).toBe("10 minutes each, plus 10 seconds per move");
    expect(paceText({ kind: "clock", seconds: 90, increment: 0 })).toBe("90 seconds each");
    expect(paceText({ kind: "days", days: 1 })).toBe("1 day per move");
  });
});

describe("earlyEnds", () => {
  it("says who ran out of time and who resigned", () => {
    const seats = [seat({ name: "Ana", out_of_time: true }), seat({ name: "Ben", resigned: true, seat: 1 })];
    expect(earlyEnds(table({ pace: { kind: "clock", seconds: 60, increment: 0 }, seats }))).toEqual([
      "Ana ran out of time.",
      "Ben resigned.",
    ]);
    expect(earlyEnds(table({ pace: { kind: "none" } }))).toEqual([]);
  });
});

it("tells players of a record apart who have the same name", () => {
  expect(distinctNames(["Ada", "novice", "novice"])).toEqual(["Ada", "Crane (novice)", "Panda (novice)"]);
  expect(distinctNames(["Ada", "novice"])).toEqual(["Ada", "novice"]);
  expect(distinctNames(["Ada", "novice", "master"], ["novice", "master"])).toEqual(["Ada", "Crane", "Panda"]);
});
