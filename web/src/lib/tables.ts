/** Lists of tables in the order in which they concern a person. */
import type { TableInfo } from "./wire";

export const isMyTurn = (table: TableInfo): boolean =>
  table.status === "running" &&
  table.seats.some((seat) => seat.mine && !seat.stand_in && table.actors.includes(seat.seat));

const RANK: Record<TableInfo["status"], number> = { running: 1, open: 2, finished: 3, stopped: 4, quarantined: 5 };

/** Your turn first, then what runs, then what waits, then what is over; the newest change first. */
export function byConcern(tables: readonly TableInfo[]): TableInfo[] {
  const rank = (table: TableInfo): number => (isMyTurn(table) ? 0 : RANK[table.status]);
  return [...tables].sort((a, b) => rank(a) - rank(b) || b.changed_ms - a.changed_ms);
}
