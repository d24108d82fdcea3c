/** What has just happened, and in which order: what is drawn for the first time comes in that order. */
import type { Event } from "./view";

/** Milliseconds to wait, by what happened. */
export type Freshness = ReadonlyMap<string, number>;

const STEP = 160;
const LONGEST = 1600;

export const keys = {
  area: (player: number, area: string) => `area ${player} ${area}`,
  pool: (player: number, pool: string) => `pool ${player} ${pool}`,
  gift: (player: number) => `gift ${player}`,
  tile: (player: number, launch: string) => `tile ${player} ${launch}`,
  dice: "dice",
};

export function freshness(events: readonly Event[]): Freshness {
  const found = new Map<string, number>();
  for (const event of events) {
    const key = keyOf(event);
    if (key !== null) found.set(key, Math.min(STEP * found.size, LONGEST));
  }
  return found;
}

function keyOf(event: Event): string | null {
  switch (event.event) {
    case "area_shaded":
      return keys.area(event.player, event.area);
    case "pool_completed":
      return keys.pool(event.player, event.pool);
    case "move":
      if (event.cause === "pavilion") return keys.gift(event.player);
      return event.cause === "launch" ? keys.tile(event.player, event.launch) : null;
    case "dice_rolled":
      return keys.dice;
    default:
      return null;
  }
}
