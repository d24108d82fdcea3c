/** How a game ended, from a table of this server or from a record file. */
import { listOf, t } from "$lib/text/i18n";
import type { GameRecord } from "./replay.svelte";
import { distinctNames, earlyEnds, namesAt } from "$lib/table/tables";
import type { Scorebook, Result, TableInfo } from "$lib/wire";

export interface Finish {
  game: string;
  names: string[];
  /** The levels of the bots, by seat. */
  levels: (string | null)[];
  mine: number[];
  scores: number[];
  placements: number[];
  winners: number[];
  /** "unfinished": the record of a game that was stopped, or saved while it ran. */
  reason: Result["reason"] | "unfinished";
  /** Where the game came from, and who ran out of time or resigned, in words. */
  early: string[];
}

export interface Ranked {
  seat: number;
  place: number;
  score: number;
}

export function finishOfTable(info: TableInfo): Finish | null {
  const { result } = info;
  if (!result) return null;
  return {
    game: info.game,
    names: namesAt(info),
    levels: info.seats.map((seat) => (seat.kind === "bot" ? seat.level : null)),
    mine: info.seats.filter((seat) => seat.mine).map((seat) => seat.seat),
    scores: result.scores,
    placements: result.placements,
    winners: result.winners,
    reason: result.reason,
    early: [...continuedNote(info.continued), ...earlyEnds(info)],
  };
}

export function finishOfRecord(record: GameRecord, scorebook: Scorebook, levels: readonly string[] = []): Finish {
  const { decided } = record;
  const placements = decided?.places ?? scorebook.placements;
  const winners = placements.flatMap((place, seat) => (place === 1 ? [seat] : []));
  const names = distinctNames(record.names, levels);
  const early = decided?.late?.length ? "timeout" : "resigned";
  const hasEnded = scorebook.is_over || Boolean(decided);
  return {
    game: record.game,
    names,
    levels: record.names.map((name) => (levels.includes(name) ? name : null)),
    mine: [],
    scores: scorebook.scores,
    placements,
    winners: hasEnded ? winners : [],
    reason: scorebook.is_over ? "played" : decided ? early : "unfinished",
    early: notesOn(record, names),
  };
}

const continuedNote = (ply: number | null | undefined): string[] => (ply ? [t("continued", { ply })] : []);

/** Where the game came from, and who ran out of time or resigned, in words. */
export function notesOn({ decided, continued }: GameRecord, names: readonly string[]): string[] {
  const named = (seats: readonly number[]) => ({
    names: listOf(seats.map((seat) => names[seat] ?? "")),
    count: seats.length,
  });
  const { late = [], resigned = [] } = decided ?? {};
  return [
    ...continuedNote(continued?.ply),
    ...(late.length ? [t("result.out-of-time", named(late))] : []),
    ...(resigned.length ? [t("result.by-resignation", named(resigned))] : []),
  ];
}

export const hasPlaces = (finish: Finish): boolean => finish.reason !== "stopped" && finish.reason !== "unfinished";

/** Best place first; without places, in the order of the seats. */
export function ranking(finish: Finish): Ranked[] {
  const seats = finish.scores.map((score, seat) => ({ seat, place: finish.placements[seat] ?? 0, score }));
  return hasPlaces(finish) ? seats.sort((a, b) => a.place - b.place) : seats;
}

export function headline(finish: Finish): string {
  if (!hasPlaces(finish)) return t("result.stopped");
  const [me, ...more] = finish.mine;
  if (me !== undefined && !more.length && finish.winners.includes(me) && finish.winners.length === 1)
    return t("result.you-won");
  const names = listOf(finish.winners.map((seat) => finish.names[seat] ?? ""));
  return t("result.won", { names, count: finish.winners.length });
}

/** How a game of mine went, in a word or two: for lists. */
export function outcomeText(info: TableInfo): string {
  const finish = finishOfTable(info);
  if (!finish) return t(`status.${info.status}`);
  if (!hasPlaces(finish)) return t("status.stopped");
  const [me, ...more] = finish.mine;
  if (me === undefined || more.length) return headline(finish);
  const place = finish.placements[me] ?? 0;
  if (place === 1) return finish.winners.length > 1 ? t("outcome.shared") : t("outcome.won");
  return finish.scores.length === 2 ? t("outcome.lost") : t("outcome.place", { place, count: finish.scores.length });
}

/** "31 : 28", in the order of the seats. */
export const scoreText = (info: TableInfo): string => info.result?.scores.join(" : ") ?? "";
