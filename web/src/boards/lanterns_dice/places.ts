/** The launches on offer, with the pools that each would cover. */
import type { Stack } from "./view";
import type { Pool } from "./lake";
import { parse, poolsUnder } from "./notation";

export interface Place {
  action: string;
  shape: string;
  orientation: number;
  pools: Pool[];
  honor: number;
}

export function placesOf(actions: readonly string[], stacks: readonly Stack[]): Place[] {
  return actions.flatMap((action) => {
    const parsed = parse(action);
    if (parsed?.kind !== "launch") return [];
    const { shape, orientation, corner } = parsed;
    const stack = stacks.find((each) => each.shape === shape);
    if (!stack) return [];
    return {
      action,
      shape,
      orientation,
      pools: poolsUnder(stack.rows, orientation, corner),
      honor: stack.pays ?? 0,
    };
  });
}

/** The tile turned on the spot: the next orientation that fits over at least one of its pools, else the next place of the list. */
export function turned(places: readonly Place[], from: Place, step: 1 | -1 = 1): Place {
  const order = [...places].sort((a, b) => a.orientation - b.orientation || a.action.localeCompare(b.action));
  const start = order.findIndex(({ action }) => action === from.action);
  const round = order.map((_, k) => order[(start + step * (k + 1) + 2 * order.length) % order.length] ?? from);
  const touches = (place: Place): boolean => place.pools.some((pool) => from.pools.includes(pool));
  return round.find((place) => place.orientation !== from.orientation && touches(place)) ?? round[0] ?? from;
}
