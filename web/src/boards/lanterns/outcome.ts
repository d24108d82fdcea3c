/** What events bring and take, seat by seat, in their order. Sums of what the server announced; no rules. */
import { COLORS, type Color } from "$art/lanterns";
import { unfold } from "$lib/fold";
import type { Cards, Event, View } from "./view";
import type { Side } from "./geometry";
import { CARDS_OF_EACH, parse } from "./notation";

export interface Gain {
  /** Its place in the order of events. */
  order: number;
  player: number;
  what: Color | "favor" | "honor";
  /** Below zero for what is given away; 0 for a card that would be due, but its pile is empty. */
  count: number;
  /** Where it comes from: a side of the laid tile, the laid tile's middle, or nowhere on the lake. */
  from: { side: Side | null; neighbor: boolean } | null;
  matched: boolean;
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
    const matched = event.cause === "match" || event.cause === "platform";
    return [{ order, player, what, count, from: origin(event), matched }];
  });
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
export function returned(action: string): [Color, number][] {
  const choice = parse(action);
  if (choice?.kind !== "dedicate") return [];
  const colors = choice.stack === "seven_unique" ? COLORS : choice.colors;
  return colors.map((color) => [color, -CARDS_OF_EACH[choice.stack]]);
}

/** The piles once the gains are handed out. */
export function supplyAfter(supply: Readonly<Cards>, gains: readonly Gain[]): Cards {
  const piles = { ...supply };
  for (const { what, count } of gains) if (what !== "favor" && what !== "honor") piles[what] -= count;
  return piles;
}

/** The sides of a laid tile that match their neighbors, with or without a card for it. */
export const matchedSides = (events: readonly Event[]): Side[] =>
  events.flatMap((event) => (event.event === "move" && event.cause === "match" ? [event.side] : []));

/** The table before the events at its end were seen, so that numbers can follow the cards that fly. Facts are shown at once. */
export const before = (view: View, unseen: readonly Event[]): View =>
  unfold(
    view,
    unseen.filter((event) => event.event !== "facts"),
  );
