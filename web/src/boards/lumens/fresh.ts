/** What has just happened, with the time at which each thing is shown: one placement after the other, and then what it changes. */
import type { Pace, Timed } from "$lib/board/playback.svelte";
import type { Event, Target } from "./view";

const AFTERWARDS = 220; // from a token to what it changes

type Placed = Extract<Event, { event: "move" }> & { square: string };
const isPlaced = (event: Event): event is Placed => event.event === "move" && event.cause !== "draw";

export const PACE: Pace<Event> = {
  isShown: (event) => isPlaced(event) || event.event === "score",
  isStep: isPlaced,
  gap: 260,
  linger: 4000,
};

export interface Fresh {
  /** Square -> delay of the token that has come to lie there. */
  placed: ReadonlyMap<string, number>;
  /** "room player" -> change of victory points, and its delay. */
  points: ReadonlyMap<string, { change: number; delay: number }>;
  /** The counting lines of the first placement, if they are known. */
  lines: { origin: string; square: string; delay: number }[];
}

export const cellKey = (room: string, player: number): string => `${room} ${player}`;

/** `before` are the targets of the position from which the events led on. */
export function freshOf(shown: readonly Timed<Event>[], before: readonly Target[]): Fresh {
  const placed = new Map<string, number>();
  const points = new Map<string, { change: number; delay: number }>();
  for (const { event, at } of shown) {
    if (isPlaced(event)) placed.set(event.square, at);
    else if (event.event === "score") {
      const key = cellKey(event.room, event.player);
      points.set(key, { change: (points.get(key)?.change ?? 0) + event.count, delay: at + AFTERWARDS });
    }
  }
  const [[first = "", delay = 0] = []] = placed;
  const origins = before.find(({ square }) => square === first)?.origins ?? [];
  return { placed, points, lines: origins.map((origin) => ({ origin, square: first, delay })) };
}
