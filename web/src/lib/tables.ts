/** Tables: what their seats are called, and lists of them in the order in which they concern a person. */
import { t } from "./i18n";
import type { Seat, TableInfo } from "./wire";

/** Bots have no names of their own: they are called by the emblem of their seat, so that several can be told apart. */
export const seatName = (seat: Seat): string =>
  seat.name ?? t(seat.kind === "bot" ? `emblem.${seat.seat}` : `seat.${seat.kind}`);

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
