/** What has just happened: what is drawn for the first time comes in the order of the events. */
import type { Pace, Timed } from "$lib/board/playback.svelte";
import type { Event } from "./view";

/** Milliseconds to wait, by what happened. */
export type Freshness = ReadonlyMap<string, number>;

export const keys = {
  area: (player: number, area: string) => `area ${player} ${area}`,
  pool: (player: number, pool: string) => `pool ${player} ${pool}`,
  gift: (player: number) => `gift ${player}`,
  tile: (player: number, launch: string) => `tile ${player} ${launch}`,
  dice: "dice",
};

export const PACE: Pace<Event> = { isShown: (event) => keyOf(event) !== null, gap: 160, longest: 1600, linger: 2500 };

export const freshness = (shown: readonly Timed<Event>[]): Freshness =>
  new Map(shown.map(({ event, at }) => [keyOf(event) ?? "", at]));

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
