import { expect, it } from "vitest";
import { decidedBy } from "./decided";
import { finishOfRecord, finishOfTable, hasPlaces, headline, outcomeText, ranking, scoreText } from "./finish";
import { loadTexts } from "$lib/text/i18n";
import type { GameRecord } from "./replay.svelte";
import { pictureOf } from "./resultpicture";
import type { Scorebook, Result, Seat, TableInfo } from "$lib/wire";

await loadTexts("shell");
await loadTexts("result");

const seat = (number: number, more: Partial<Seat>): Seat =>
  ({ seat: number, kind: "person", name: "Ada", level: null, mine: false, out_of_time: false, ...more }) as Seat;
const seats = (): Seat[] => [
  seat(0, { mine: true }),
  seat(1, { kind: "bot", name: null, level: "careful" }),
  seat(2, { name: "Ben & <Co>" }),
];
const table = (result: Partial<Result> | null, sits = seats()): TableInfo =>
  ({
    id: "t",
    game: "g",
    status: "finished",
    pace: { kind: "none" },
    seats: sits,
    result: result && { reason: "played", scores: [5, 9, 9], placements: [3, 1, 2], winners: [1], ...result },
  }) as TableInfo;
const scorebook: Scorebook = {
  plies: 30,
  is_over: true,
  scores: [5, 9, 9],
  placements: [3, 1, 2],
  parts: ["a", "b"],
  shares: [
    [5, 0],
    [4, 5],
    [9, 0],
  ],
  rounds: [{ round: "1", ply: 3, gains: [5, 9, 9] }],
  curve: [
    { ply: 0, round: "", scores: [0, 0, 0] },
    { ply: 30, round: "1", scores: [5, 9, 9] },
  ],
  swing: { ply: 12, round: "4", seat: 1, before: -1, after: 6, equals: 1 },
  lead: { ply: 20, round: "7", seat: 1, changes: 2 },
  tie_break: { what: "favors", seats: [1, 2], values: [3, 1] },
};
const finish = finishOfTable(table({}));
if (!finish) throw new Error("it has a result");
const words = (key: string): string => (/^\d+$/.test(key) ? `Round ${key}` : key);
const told = (changed: Partial<Scorebook>, of = finish): string[] =>
  decidedBy({ ...scorebook, ...changed }, of, words).map(({ sentence }) => sentence);

it("ranks by place, and says who won", () => {
  expect(ranking(finish).map((one) => one.seat)).toEqual([1, 2, 0]);
  expect(headline(finish)).toBe("Crane wins");
  expect(finish.levels).toEqual([null, "careful", null]);
  expect(headline({ ...finish, winners: [0] })).toBe("You win!");
  expect(headline({ ...finish, winners: [0, 2] })).toBe("Ada and Ben & <Co> win together");
  expect(headline({ ...finish, winners: [0], mine: [0, 2] })).toBe("Ada wins");
  expect(headline({ ...finish, reason: "stopped" })).toBe("The game was stopped.");
  expect(finishOfTable(table(null))).toBeNull();
});

it("says how a game of mine went", () => {
  expect(outcomeText(table({}))).toBe("Place 3 of 3");
  expect(outcomeText(table({ placements: [1, 2, 3], winners: [0] }))).toBe("Won");
  expect(outcomeText(table({ placements: [1, 1, 3], winners: [0, 1] }))).toBe("Shared win");
  expect(outcomeText(table({ reason: "stopped", winners: [] }))).toBe("Stopped");
  expect(outcomeText(table({}, [seat(0, {}), seat(1, {}), seat(2, { name: "Eve" })]))).toBe("Ada wins");
  expect(outcomeText(table({ scores: [1, 2], placements: [2, 1] }))).toBe("Lost");
  expect(scoreText(table({}))).toBe("5 : 9 : 9");
});

it("tells of a record what its log says", () => {
  const record = { game: "g", names: ["A", "B", "C"], players: 3 } as GameRecord;
  expect(finishOfRecord(record, scorebook)).toMatchObject({ winners: [1], reason: "played", mine: [] });
  const stopped = finishOfRecord(record, { ...scorebook, is_over: false });
  expect(hasPlaces(stopped)).toBe(false);
  expect(ranking(stopped).map((one) => one.seat)).toEqual([0, 1, 2]);
  const decided = { places: [1, 3, 2], late: [1], resigned: [2] };
  const early = finishOfRecord({ ...record, decided }, { ...scorebook, is_over: false });
  expect(early).toMatchObject({ winners: [0], reason: "timeout", placements: [1, 3, 2] });
  expect(early.early).toEqual(["B ran out of time.", "C resigned."]);
});

it("tells what decided a game", () => {
  expect(told({})).toEqual([
    "Crane and Ben & <Co> were level on 9. The tie-break: favors. Crane 3, Ben & <Co> 1.",
    "Round 7: Crane takes the lead and keeps it to the end. The lead changed hands 2 times.",
    "Round 4: the biggest swing of the game. Crane goes from 1 point behind to 6 points ahead.",
  ]);
  const level = { tie_break: null, lead: null, swing: { ...scorebook.swing!, before: 0, after: 1, equals: 3 } };
  expect(told(level)).toEqual(["Round 4: the last of 3 equally big swings. Crane goes from level to 1 point ahead."]);
  const never = { tie_break: null, swing: null, lead: { ...scorebook.lead!, changes: 0 } };
  expect(told(never)).toEqual([
    "Round 7: Crane takes the lead and keeps it to the end. No other player ever led alone.",
  ]);
  const shared = { ...finish, winners: [1, 2] };
  expect(told({ tie_break: null, swing: null, lead: null }, shared)[0]).toMatch(/^Crane and .* share the victory/);
  expect(told({ swing: null, lead: null }, { ...finish, reason: "timeout", early: ["Ada ran out of time."] })).toEqual([
    "Ada ran out of time.",
  ]);
  expect(decidedBy(scorebook, finish, words).map(({ ply }) => ply)).toEqual([null, 19, 11]);
});

it("draws a picture in which names are nothing but text", () => {
  const svg = pictureOf(
    scorebook,
    finish,
    { title: "<b>", headline: "x", about: "y" },
    (number) => `<g id="e${number}"/>`,
  );
  expect(svg).not.toContain("<Co>");
  expect(svg).not.toContain("<b>");
  expect(svg).toContain("Ben &#38; &#60;Co&#62;");
  expect(svg.match(/<g id="e\d"\/>/g)).toHaveLength(6);
});
