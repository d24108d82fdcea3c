/** What events bring and take, seat by seat, in their order. Sums of what the server announced; no rules. */
import type { Color } from "$art/lanterns";
import type { Pace } from "$lib/board/playback.svelte";
import type { Event } from "./view";
import type { Side } from "./geometry";

export interface Gain {
  /** Its place in the order of events. */
  order: number;
  player: number;
  what: Color | "favor" | "honor";
  /** Below zero for what is given away; 0 for a card that would be due, but its pile is empty. */
  count: number;
  /** Where it comes from: a side of the laid tile, the laid tile's middle, or nowhere on the lake. */
  from: { side: Side | null; neighbor: boolean } | null;
}

type Movement = Extract<Event, { event: "move" }>;
export type Cause = Movement["cause"];

/** Whether an event is a movement for that reason. */
export const isMove = <C extends Cause>(event: Event | undefined, cause: C): event is Movement & { cause: C } =>
  event?.event === "move" && event.cause === cause;

export function gainsOf(events: readonly Event[]): Gain[] {
  return events.flatMap((event, order): Gain[] => {
    const what = event.event === "move" ? gained(event) : null;
    if (event.event !== "move" || what === null) return [];
    const { player } = event;
    const count = event.to === `seat:${player}` ? event.count : -event.count;
    return [{ order, player, what, count, from: origin(event) }];
  });
}

/** For one sentence: favors gained in one sum, an empty pile once. */
export function summedUp(gains: readonly Gain[]): Gain[] {
  const said: Gain[] = [];
  for (const gain of gains) {
    const isFavor = gain.what === "favor" && gain.count > 0;
    const same = said.find(
      ({ player, what, count }) =>
        player === gain.player && what === gain.what && (isFavor ? count > 0 : count === 0 && gain.count === 0),
    );
    if (same) same.count += gain.count;
    else said.push({ ...gain });
  }
  return said;
}

function gained(event: Movement): Gain["what"] | null {
  if ("color" in event) return event.color;
  return event.what === "favor" || event.what === "honor" ? event.what : null;
}

function origin(event: Movement): Gain["from"] {
  if (event.cause === "platform") return { side: event.side, neighbor: event.side !== null };
  return event.cause === "match" || event.cause === "facing" ? { side: event.side, neighbor: false } : null;
}

/** The cards that a dedication gives back. */
export const returned = (events: readonly Event[]): { color: Color; count: number }[] =>
  events.flatMap((event) => (isMove(event, "dedicate_give") ? [{ color: event.color, count: event.count }] : []));

/** The sides of a laid tile that match their neighbors, with or without a card for it. */
export const matchedSides = (events: readonly Event[]): Side[] =>
  events.flatMap((event) => (event.event === "move" && event.cause === "match" ? [event.side] : []));

const TRAVEL = 360;
/** A laid tile is there at once; what it brings flies. Drawn tiles come unseen. */
export const PACE: Pace<Event> = {
  isShown: (event) => event.event === "move" && event.cause !== "draw" && event.cause !== "deal",
  gap: 110,
  travel: (event) => (isMove(event, "place") ? 0 : TRAVEL),
  linger: 900,
};
