import { expect, it } from "vitest";
import { timed } from "$lib/board/playback.svelte";
import type { Event } from "./view";
import { freshness, keys, PACE } from "./freshness";

it("tells things in the order in which they happened", () => {
  const events: Event[] = [
    { event: "area_shaded", player: 1, area: "c4u", color: "B", by: "die" },
    {
      ...{ event: "move", cause: "pavilion", player: 1, what: "gift", from: "bank", to: "seat:1", count: 1 },
      ...{ pool: "c4", gifts: 2 },
    },
    { event: "pool_completed", player: 1, pool: "c4" },
    { event: "turn_ended", player: 0, turn: 3 },
    { event: "dice_rolled", dice: "RBOW" },
  ];
  const fresh = freshness(timed(events, PACE));
  const order = [keys.area(1, "c4u"), keys.gift(1), keys.pool(1, "c4"), keys.dice].map((key) => fresh.get(key));
  expect(order).toEqual([...order].sort((a, b) => (a ?? 0) - (b ?? 0)));
  expect(new Set(order).size).toBe(4);
  expect(fresh.get(keys.area(0, "c4u"))).toBeUndefined();
});
