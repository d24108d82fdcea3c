/** The next game with the same people. */
import { api, Refusal } from "$lib/net/api";
import { myName, newNonce } from "./start";
import type { TableInfo } from "$lib/wire";

/** The table of the rematch, made if nobody has asked for one yet. */
export async function rematchOf(info: TableInfo): Promise<TableInfo> {
  const made = info.next_table ? await api.table(info.next_table) : await api.rematch(info.id);
  const seat = info.seats.find((each) => each.mine);
  const sits = made.seats.some((each) => each.mine);
  if (seat && !sits && made.status === "open") await sitDownAt(made.id, seat.name ?? myName());
  return made;
}

/** A player who wants a rematch wants to play in it, no matter who was first to ask, and by the same name: a second device may not know it. */
async function sitDownAt(table: string, name: string): Promise<void> {
  try {
    await api.join(table, { name, nonce: newNonce() });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // all seats are taken: the table itself shows that
  }
}
