/** Tables: what their seats are called, and lists of them in the order in which they concern a person. */
import { t } from "./i18n";
import type { Seat, TableInfo } from "./wire";

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

/** The names at a table, by seat. */
export const namesAt = (table: TableInfo): string[] => table.seats.map(seatName);

export const isMyTurn = (table: TableInfo): boolean =>
  table.status === "running" &&
  table.seats.some((seat) => seat.mine && !seat.stand_in && table.actors.includes(seat.seat));

const RANK: Record<TableInfo["status"], number> = { running: 1, open: 2, finished: 3, stopped: 4, quarantined: 5 };

/** Your turn first, then what runs, then what waits, then what is over; the newest change first. */
export function byConcern(tables: readonly TableInfo[]): TableInfo[] {
  const rank = (table: TableInfo): number => (isMyTurn(table) ? 0 : RANK[table.status]);
  return [...tables].sort((a, b) => rank(a) - rank(b) || b.changed_ms - a.changed_ms);
}
