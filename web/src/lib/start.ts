/** Starting tables. */
import { api } from "./api";
import { t } from "./i18n";
import { preferences, remember } from "./preferences.svelte";
import { session } from "./session.svelte";
import type { NewTable, TableInfo } from "./wire";

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
  return openTable({ game, seats: [{ kind: "me", ...myName() }, ...bots], options });
}

export async function openTable(wanted: NewTable): Promise<TableInfo> {
  await session.who();
  return api.newTable({ ...wanted, nonce: newNonce() });
}

export const myName = (): { name?: string } => (preferences.name ? { name: preferences.name } : {});
