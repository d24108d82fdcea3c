/** The notation of Lanterns Dice, as far as a board has to read it: `docs/notation.md` describes all of it. */
import { poolAt, spotOf, type Pool } from "./lake";

export type Half = "u" | "l";
export type Color = "R" | "O" | "W" | "G" | "B" | "P";

export type Action =
  | { kind: "skip" }
  | { kind: "reroll" }
  | { kind: "tray"; quarters: number }
  | { kind: "card"; card: number }
  | { kind: "shade"; pool: Pool; halves: Half[] }
  | { kind: "launch"; shape: string; orientation: number; corner: Pool };

const TRAY = /^t(\d)$/;
const CARD = /^e(\d)$/;
const SHADE = /^([a-z]\d+)(u|l|ul)$/;
const LAUNCH = /^([A-Z]\d)o(\d)@([a-z]\d+)$/;

/** What an action of `legal` is; null for what a player never does. */
export function parse(action: string): Action | null {
  if (action === "skip" || action === "reroll") return { kind: action };
  const [, quarters] = TRAY.exec(action) ?? [];
  if (quarters) return { kind: "tray", quarters: Number(quarters) };
  const [, card] = CARD.exec(action) ?? [];
  if (card) return { kind: "card", card: Number(card) };
  const [, pool, halves] = SHADE.exec(action) ?? [];
  if (pool && halves) return { kind: "shade", pool, halves: [...halves] as Half[] };
  const [, shape, orientation, corner] = LAUNCH.exec(action) ?? [];
  if (shape && corner) return { kind: "launch", shape, orientation: Number(orientation), corner };
  return null;
}

export const cardAction = (card: number): string => `e${card}`;

/** The areas that a shading names. */
export const areasOf = (pool: Pool, halves: readonly Half[]): string[] => halves.map((half) => pool + half);

/** An area's pool and half. */
export const areaParts = (area: string): [Pool, Half] => [area.slice(0, -1), area.slice(-1) as Half];

/** A shape, mirrored left to right from orientation 4 on, then turned clockwise by quarters; rows from the top. */
export function oriented(rows: readonly string[], orientation: number): string[] {
  let turned = orientation < 4 ? [...rows] : rows.map((row) => [...row].reverse().join(""));
  for (let quarter = orientation % 4; quarter > 0; quarter--) turned = turnedClockwise(turned);
  return turned;
}

function turnedClockwise(rows: readonly string[]): string[] {
  const width = rows[0]?.length ?? 0;
  return Array.from({ length: width }, (_, column) =>
    rows
      .map((row) => row[column])
      .reverse()
      .join(""),
  );
}

/** The pools under a tile whose box has this lower left corner. */
export function poolsUnder(rows: readonly string[], orientation: number, corner: Pool): Pool[] {
  const shape = oriented(rows, orientation);
  const [left, bottom] = spotOf(corner);
  return shape.flatMap((row, down) =>
    [...row].flatMap((mark, right) => (mark === "X" ? [poolAt(left + right, bottom - shape.length + 1 + down)] : [])),
  );
}
