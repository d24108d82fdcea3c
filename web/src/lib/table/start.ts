/** Starting tables. */
import { api } from "$lib/net/api";
import { t } from "$lib/text/i18n";
import { preferences, remember } from "$lib/device/preferences.svelte";
import { session } from "$lib/person/session.svelte";
import type { GameRecord } from "$lib/record/replay.svelte";
import type { NewTable, TableInfo } from "$lib/wire";

/** A share of the chance that nobody else knows before the deal. */
export const newNonce = (): string => crypto.randomUUID().replaceAll("-", "");

export async function startAgainstBots(
  game: string,
  players: number,
  level: string,
  options: Record<string, string> = {},
): Promise<TableInfo> {
  const bots = Array.from({ length: players - 1 }, (_, index) => ({
    kind: "bot" as const,
    level,
    name: t(`emblem.${index + 1}`),
  }));
  remember({ game });
  return openTable({ game, seats: [{ kind: "me" }, ...bots], options });
}

export async function openTable(wanted: NewTable): Promise<TableInfo> {
  const seats = wanted.seats.map((seat) => (seat.kind === "me" ? { ...seat, name: seat.name || myName() } : seat));
  const table = await api.newTable({ ...wanted, seats, nonce: newNonce() });
  session.forgetMe(); // a newcomer now has an identity; ask again when it matters
  return table;
}

/** Goes on from a position of a finished game, in one of its seats, against bots of these levels in the others. */
export async function playOn(
  record: GameRecord,
  ply: number,
  mine: number,
  levels: readonly string[],
): Promise<TableInfo> {
  const seats = levels.map((level, seat) =>
    seat === mine
      ? { kind: "me" as const, name: myName() }
      : { kind: "bot" as const, level, name: t(`emblem.${seat}`) },
  );
  const table = await api.playOn({ record, ply, seats, nonce: newNonce() });
  session.forgetMe();
  return table;
}

/** People who gave no name are guests in the language of their page: the server knows only English. */
export const myName = (): string => preferences.name || t("seat.person");
