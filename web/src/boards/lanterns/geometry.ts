/**
 * Where things are on the screen. The compass belongs to the table; each seat's screen turns it by quarter turns until that seat is
 * at the bottom. One place of the lake is CELL units wide before the camera scales it.
 */
import type { LaidTile, Seat, View } from "$lib/types/view-lanterns";
import type { Cell } from "./notation";

export type Side = Seat["side"];
export type Direction = "top" | "right" | "bottom" | "left";
export interface Point {
  x: number;
  y: number;
}
export interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
export interface Pose extends Point {
  scale: number;
}

export const CELL = 100;
export const SIDES: readonly Side[] = ["north", "east", "south", "west"];
export const DIRECTIONS: readonly Direction[] = ["top", "right", "bottom", "left"];
export const STEPS: Record<Direction, Point> = {
  top: { x: 0, y: -1 },
  right: { x: 1, y: 0 },
  bottom: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
};
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

export const SMALLEST = 0.28;
export const LARGEST = 1.7;
const LARGEST_FIT = 1.15;

/** Puts the extent into the middle of a window whose edges are covered by `covered`. */
export function fit(extent: Extent, width: number, height: number, covered: Extent): Pose {
  const free = { width: width - covered.left - covered.right, height: height - covered.top - covered.bottom };
  const wanted = Math.min(free.width / (extent.right - extent.left), free.height / (extent.bottom - extent.top));
  const scale = Math.max(SMALLEST, Math.min(LARGEST_FIT, wanted));
  return {
    scale,
    x: covered.left + free.width / 2 - (scale * (extent.left + extent.right)) / 2,
    y: covered.top + free.height / 2 - (scale * (extent.top + extent.bottom)) / 2,
  };
}

/** The same lake, larger or smaller, with the point under the finger where it was. */
export function zoomed(pose: Pose, at: Point, factor: number): Pose {
  const scale = Math.max(SMALLEST, Math.min(LARGEST, pose.scale * factor));
  const ratio = scale / pose.scale;
  return { scale, x: at.x - (at.x - pose.x) * ratio, y: at.y - (at.y - pose.y) * ratio };
}

export const toScreen = (pose: Pose, spot: Point): Point => ({
  x: pose.x + spot.x * pose.scale,
  y: pose.y + spot.y * pose.scale,
});
export const toLake = (pose: Pose, at: Point): Point => ({
  x: (at.x - pose.x) / pose.scale,
  y: (at.y - pose.y) / pose.scale,
});

/** The place within reach of a point of the lake. */
export function nearest(cells: readonly Cell[], turn: number, at: Point, reach = 0.75 * CELL): Cell | null {
  let best: Cell | null = null;
  let shortest = reach;
  for (const cell of cells) {
    const spot = spotOf(cell, turn);
    const distance = Math.hypot(spot.x - at.x, spot.y - at.y);
    if (distance < shortest) [best, shortest] = [cell, distance];
  }
  return best;
}

/** The next place when an arrow key is pressed: ahead, and as little to the side as possible. */
export function ahead(cells: readonly Cell[], turn: number, from: Cell, direction: Direction): Cell {
  const start = spotOf(from, turn);
  const step = STEPS[direction];
  let best = from;
  let lowest = Infinity;
  for (const cell of cells) {
    const spot = spotOf(cell, turn);
    const [dx, dy] = [spot.x - start.x, spot.y - start.y];
    const forward = dx * step.x + dy * step.y;
    const aside = Math.abs(dx * step.y) + Math.abs(dy * step.x);
    if (forward > 0 && forward + 2 * aside < lowest) [best, lowest] = [cell, forward + 2 * aside];
  }
  return best;
}
