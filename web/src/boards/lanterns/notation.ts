/** Reads the notation of Lanterns, as `src/lampion/games/lanterns/notation.py` writes it. Syntax only: what may be done is in `legal`. */
import type { Color } from "$art/lanterns";
import type { Stack } from "./view";

export type StackKind = Stack["kind"];
export type Cell = readonly [x: number, y: number];

export interface Placement {
  kind: "place";
  tile: number;
  rotation: number;
  cell: Cell;
}
export interface Exchange {
  kind: "exchange";
  give: Color;
  take: Color;
}
export interface Dedication {
  kind: "dedicate";
  stack: StackKind;
  /** The colors that the text names; seven unique names none, for it takes all. */
  colors: Color[];
}
export interface Discard {
  kind: "discard";
  color: Color;
}
export type Choice = Placement | Exchange | Dedication | Discard | { kind: "pass" };
export type Kind = Choice["kind"];

const C = "[ROGBPWK]";
const PLACE = /^(\d+)r(\d)@(-?\d+),(-?\d+)$/;
const EXCHANGE = new RegExp(`^x(${C})>(${C})$`);
const DEDICATE = new RegExp(`^d([347])(?::(${C}+))?$`);
const DISCARD = new RegExp(`^-(${C})$`);
const STACKS: Record<string, StackKind> = { "3": "three_pairs", "4": "four_of_a_kind", "7": "seven_unique" };

export function parse(action: string): Choice | null {
  const place = PLACE.exec(action);
  if (place) {
    const [tile = 0, rotation = 0, x = 0, y = 0] = place.slice(1).map(Number);
    return { kind: "place", tile, rotation, cell: [x, y] };
  }
  const exchange = EXCHANGE.exec(action);
  if (exchange) return { kind: "exchange", give: exchange[1] as Color, take: exchange[2] as Color };
  const dedicate = DEDICATE.exec(action);
  if (dedicate) return dedication(dedicate[1] ?? "", dedicate[2] ?? "");
  const discard = DISCARD.exec(action);
  if (discard) return { kind: "discard", color: discard[1] as Color };
  return action === "pass" ? { kind: "pass" } : null;
}

function dedication(digit: string, letters: string): Choice | null {
  const stack = STACKS[digit];
  return stack ? { kind: "dedicate", stack, colors: [...letters] as Color[] } : null;
}

export const placeText = (tile: number, rotation: number, [x, y]: Cell): string => `${tile}r${rotation}@${x},${y}`;
export const exchangeText = (give: Color, take: Color): string => `x${give}>${take}`;
export const cellKey = ([x, y]: Cell): string => `${x},${y}`;

/** The listed actions of one kind, read. */
export function listed<K extends Kind>(
  legal: readonly string[],
  kind: K,
): (Extract<Choice, { kind: K }> & { action: string })[] {
  return legal.flatMap((action) => {
    const choice = parse(action);
    return choice?.kind === kind ? [{ ...(choice as Extract<Choice, { kind: K }>), action }] : [];
  });
}
