import { beforeAll, describe, expect, it } from "vitest";
import { setLanguage } from "$lib/text/i18n";
import { newsOf } from "./tablenews";
import type { Seat, TableInfo } from "$lib/wire";

const seat = (number: number, change: Partial<Seat> = {}): Seat =>
  ({ seat: number, kind: "person", name: ["Ana", "Ben"][number] ?? null, mine: number === 0, ...change }) as Seat;
const table = (one: Partial<Seat> = {}, two: Partial<Seat> = {}, change: Partial<TableInfo> = {}): TableInfo =>
  ({ status: "running", refused: null, seats: [seat(0, one), seat(1, two)], ...change }) as TableInfo;

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await setLanguage("en");
});

describe("newsOf", () => {
  it("tells who asked that somebody said no, and not who said it", () => {
    const no = (by: number, by_whom: number): Partial<TableInfo> => ({
      refused: { number: 7, what: "undo", by, seat: by_whom },
    });
    expect(newsOf(table(), table({}, {}, no(0, 1)))).toEqual(["Ben said no: the move stands."]);
    expect(newsOf(table(), table({}, {}, no(1, 0)))).toEqual([]);
    expect(newsOf(table({}, {}, no(0, 1)), table({}, {}, no(0, 1)))).toEqual([]);
  });
  it("says that time decided, or that a bot plays", () => {
    const lost = { out_of_time: true, stand_in: "planner" };
    expect(newsOf(table(), table({}, lost))[0]).toMatch(/^Ben ran out of time and comes last/);
    expect(newsOf(table(), table(lost))[0]).toMatch(/^Your time is up/);
    expect(newsOf(table(), table({}, { ...lost, may_return: true }))[0]).toMatch(/^Ben did not move in time/);
    expect(newsOf(table(), table({}, { stand_in: "planner" }))).toEqual(["A bot plays for Ben now."]);
    expect(newsOf(table({}, { stand_in: "planner" }), table())).toEqual(["Ben is back."]);
  });
  it("leaves the end of a game to the result", () => {
    expect(newsOf(table(), table({}, { out_of_time: true }, { status: "finished" }))).toEqual([]);
  });
});
