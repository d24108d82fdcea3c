/** Tables: what their seats are called, and lists of them in the order in which they concern a person. */
import { currentLanguage, listOf, t } from "$lib/text/i18n";
import type { Pace, Seat, TableInfo } from "$lib/wire";

/**
 * The server's name of a seat. Bots have none of their own: they are called by the emblem of their seat, so that several can be told
 * apart. The players of a private table are nameless for strangers.
 */
export function seatName(seat: Seat): string {
  if (seat.name !== null) return seat.name;
  if (seat.kind === "bot") return t(`emblem.${seat.seat}`);
  return seat.kind === "open" ? t("seat.open") : t("seat.player", { number: seat.seat + 1 });
}

/** Whether a person has left the page; strangers at a private table are not told. */
export const isAway = (seat: Seat): boolean =>
  seat.kind === "person" && !seat.mine && seat.name !== null && !seat.connected;

/**
 * The names in a record, by seat. Bots there are called by their level, and here as at the table: by the emblem of their seat.
 * Others that share a name get the emblem besides.
 */
export const distinctNames = (names: readonly string[], levels: readonly string[] = []): string[] =>
  names.map((name, seat) => {
    const emblem = t(`emblem.${seat}`);
    if (levels.includes(name)) return emblem;
    return names.filter((each) => each === name).length > 1 ? t("seat.same", { emblem, name }) : name;
  });

/** The names at a table, by seat. */
export const namesAt = (table: TableInfo): string[] => table.seats.map(seatName);

export const isMyTurn = (table: TableInfo): boolean =>
  table.status === "running" &&
  table.seats.some((seat) => seat.mine && !seat.stand_in && table.actors.includes(seat.seat));

/** Whether everybody sits, and the clock waits for me. */
export const waitsForMe = (table: TableInfo): boolean =>
  table.asks_ready && table.seats.some((seat) => seat.mine && !seat.ready);

/** Whether the table was given up before its game began. */
export const isCancelled = (table: TableInfo): boolean => table.status === "stopped" && !table.result;

/** Whether another person plays at the table. */
export const hasOthers = (table: TableInfo): boolean =>
  table.seats.some((seat) => !seat.mine && (seat.kind === "person" || seat.kind === "local"));

const RANK: Record<TableInfo["status"], number> = { running: 1, open: 2, finished: 3, stopped: 4, quarantined: 5 };

/** Your turn first, then what runs, then what waits, then what is over; the newest change first. */
export function byConcern(tables: readonly TableInfo[]): TableInfo[] {
  const rank = (table: TableInfo): number =>
    isMyTurn(table) || waitsForMe(table) || table.invites_me ? 0 : RANK[table.status];
  return [...tables].sort((a, b) => rank(a) - rank(b) || b.changed_ms - a.changed_ms);
}

const quantity = (value: number, unit: "second" | "minute" | "day"): string =>
  new Intl.NumberFormat(currentLanguage(), { style: "unit", unit, unitDisplay: "long" }).format(value);

/** How fast a table plays: "10 minutes each, plus 10 seconds per move". */
export function paceText(pace: Pace): string {
  if (pace.kind === "none") return t("pace.none");
  if (pace.kind === "days") return t("pace.days", { time: quantity(pace.days, "day") });
  const time = pace.seconds % 60 ? quantity(pace.seconds, "second") : quantity(pace.seconds / 60, "minute");
  return pace.increment
    ? t("pace.clock", { time, more: quantity(pace.increment, "second") })
    : t("pace.clock.plain", { time });
}

/** Who was out of the game before its end, in words: "Ana ran out of time." */
export function earlyEnds(table: TableInfo): string[] {
  const named = (of: (seat: Seat) => boolean): { names: string; count: number } => {
    const found = table.seats.filter(of).map(seatName);
    return { names: listOf(found), count: found.length };
  };
  const late = named((seat) => seat.out_of_time && !seat.may_return && table.pace.kind === "clock");
  const resigned = named((seat) => seat.resigned);
  return [
    ...(late.count ? [t("result.out-of-time", late)] : []),
    ...(resigned.count ? [t("result.by-resignation", resigned)] : []),
  ];
}
