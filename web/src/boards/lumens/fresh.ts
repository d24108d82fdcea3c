/** What has just happened, with the time at which each thing is shown: one after the other, in the order of the events. */
import type { Event, Target } from "./view";

const STEP = 260; // milliseconds between two placements
const AFTERWARDS = 220; // from a token to what it changes
const TOO_MANY = 24; // somebody jumped ahead: no film

export interface Fresh {
  /** Square -> delay of the token that has come to lie there. */
  placed: ReadonlyMap<string, number>;
  /** "room player" -> change of victory points, and its delay. */
  points: ReadonlyMap<string, { change: number; delay: number }>;
  /** The counting lines of the placements, if they are known. */
  lines: { origin: string; square: string; delay: number }[];
}

export const NOTHING: Fresh = { placed: new Map(), points: new Map(), lines: [] };
export const cellKey = (room: string, player: number): string => `${room} ${player}`;

/** `before` are the targets of the position from which the events led on. */
export function freshOf(events: readonly Event[], before: readonly Target[]): Fresh {
  if (events.length > TOO_MANY) return NOTHING;
  const placed = new Map<string, number>();
  const points = new Map<string, { change: number; delay: number }>();
  const lines: Fresh["lines"] = [];
  let delay = -STEP;
  for (const event of events) {
    if (event.event === "move" && event.cause !== "draw") {
      delay += STEP;
      placed.set(event.square, delay);
      const origins = before.find(({ square }) => square === event.square)?.origins ?? [];
      if (placed.size === 1) lines.push(...origins.map((origin) => ({ origin, square: event.square, delay })));
    } else if (event.event === "score") {
      const key = cellKey(event.room, event.player);
      points.set(key, { change: (points.get(key)?.change ?? 0) + event.count, delay: delay + AFTERWARDS });
    }
  }
  return { placed, points, lines };
}
