/**
 * Where things are on the screen. The compass belongs to the table; each seat's screen turns it by quarter turns until that seat is
 * at the bottom. One place of the lake is CELL units wide before the camera scales it.
 */
import {
  ahead as pointAhead,
  nearest as nearestPoint,
  type Direction,
  type Extent,
  type Limits,
  type Point,
} from "$lib/board/plane";
import type { LaidTile, Seat, View } from "./view";
import type { Cell } from "./notation";

export { fromScreen as toLake, toScreen, type Direction, type Extent, type Point } from "$lib/board/plane";
export type Side = Seat["side"];
export const CELL = 100;
export const SIDES: readonly Side[] = ["north", "east", "south", "west"];
export const DIRECTIONS: readonly Direction[] = ["top", "right", "bottom", "left"];
const COMPASS_STEPS: Record<Side, Cell> = { north: [0, 1], east: [1, 0], south: [0, -1], west: [-1, 0] };

/** Quarter turns clockwise of the compass on this screen. */
export function turnOf(view: Pick<View, "seat" | "seats">): number {
  const own = view.seat === null ? undefined : view.seats[view.seat];
  return own ? (2 - SIDES.indexOf(own.side) + 4) % 4 : 0;
}

export const directionOf = (side: Side, turn: number): Direction =>
  DIRECTIONS[(SIDES.indexOf(side) + turn) % 4] ?? "top";
export const sideAt = (direction: Direction, turn: number): Side =>
  SIDES[(DIRECTIONS.indexOf(direction) - turn + 4) % 4] ?? "north";

/** The middle of a place, in units; y grows downwards as on the screen. */
export function spotOf([east, north]: Cell, turn: number): Point {
  let [x, y] = [east, -north];
  for (let quarter = 0; quarter < turn; quarter++) [x, y] = [-y, x];
  return { x: x * CELL, y: y * CELL };
}

export const neighborOf = ([x, y]: Cell, side: Side): Cell => [x + COMPASS_STEPS[side][0], y + COMPASS_STEPS[side][1]];

/** What the lake shows beside a place: the color of the side that touches it, and whether that tile has a platform. */
export function touching(
  lake: readonly LaidTile[],
  cell: Cell,
  side: Side,
): { color: string; platform: boolean } | null {
  const [x, y] = neighborOf(cell, side);
  const tile = lake.find((laid) => laid.x === x && laid.y === y);
  const facing = (SIDES.indexOf(side) + 2) % 4;
  return tile ? { color: tile.sides[facing] ?? "", platform: tile.platform } : null;
}

export function extentOf(spots: readonly Point[]): Extent {
  const xs = spots.map((spot) => spot.x);
  const ys = spots.map((spot) => spot.y);
  const half = CELL / 2;
  return {
    left: Math.min(...xs) - half,
    right: Math.max(...xs) + half,
    top: Math.min(...ys) - half,
    bottom: Math.max(...ys) + half,
  };
}

export const LIMITS: Limits = { smallest: 0.28, largest: 1.7, largestFit: 1.15 };
/** The smallest place that a finger or an eye likes. */
export const READABLE = 0.6;

/** A place with the sides of its neighbors. */
export function around({ x, y }: Point): Extent {
  return { left: x - CELL, right: x + CELL, top: y - CELL, bottom: y + CELL };
}

/** The place within reach of a point of the lake. */
export function nearest(cells: readonly Cell[], turn: number, at: Point, reach = 0.75 * CELL): Cell | null {
  const spots = cells.map((cell) => spotOf(cell, turn));
  return cells[nearestPoint(spots, at, reach)] ?? null;
}

/** The next place when an arrow key is pressed. */
export function ahead(cells: readonly Cell[], turn: number, from: Cell, direction: Direction): Cell {
  const spots = cells.map((cell) => spotOf(cell, turn));
  return cells[pointAhead(spots, spotOf(from, turn), direction)] ?? from;
}
