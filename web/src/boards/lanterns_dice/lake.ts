/**
 * Where things are on a lake: 9 columns from the left, 6 rows, each pool a square of 100 units. The upper area of a pool always has
 * its whole top side, the lower one its whole bottom side; the diagonal leans `/` where column + row from the top left is even.
 */

/** Column letter and row number from the bottom, such as c4. */
export type Pool = string;
/** Column and row, counted from the top left. */
export type Spot = readonly [column: number, row: number];
export type Point = readonly [x: number, y: number];

export const CELL = 100;
export const COLUMNS = 9;
export const ROWS = 6;
export const COLUMN_LETTERS = [..."abcdefghi"];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The lake with the names of its columns and rows. */
export const NAMED: Box = { x: -36, y: -8, width: COLUMNS * CELL + 46, height: ROWS * CELL + 46 };

export const boxText = ({ x, y, width, height }: Box): string => `${x} ${y} ${width} ${height}`;

/** The part of the lake round a pool that fills a window when its pools are drawn so large, kept within the lake. */
export function partRound(pool: Pool, window: { width: number; height: number }, cell: number): Box {
  const [x, y] = middleOf(pool);
  const [width, height] = [(window.width * CELL) / cell, (window.height * CELL) / cell];
  return {
    x: slid(x, width, NAMED.x, NAMED.width),
    y: slid(y, height, NAMED.y, NAMED.height),
    width,
    height,
  };
}

/** Where a stretch of that length round a middle starts, so that it stays inside; in the middle of what is shorter. */
function slid(middle: number, length: number, from: number, whole: number): number {
  if (length >= whole) return from - (length - whole) / 2;
  return Math.min(Math.max(middle - length / 2, from), from + whole - length);
}

export function spotOf(pool: Pool): Spot {
  return [COLUMN_LETTERS.indexOf(pool.charAt(0)), ROWS - Number(pool.charAt(1))];
}

export const poolAt = (column: number, row: number): Pool => `${COLUMN_LETTERS[column]}${ROWS - row}`;

export function middleOf(pool: Pool): Point {
  const [column, row] = spotOf(pool);
  return [(column + 0.5) * CELL, (row + 0.5) * CELL];
}

export const HALVES = ["u", "l"] as const;
const SLASH = { u: "M-50-50H50L-50 50Z", l: "M50-50V50H-50Z" };
const BACKSLASH = { u: "M-50-50H50V50Z", l: "M-50-50L50 50H-50Z" };

/** The outline of an area, round the middle of its pool. */
export function triangle(pool: Pool, half: "u" | "l"): string {
  return (leansRight(pool) ? SLASH : BACKSLASH)[half];
}

function leansRight(pool: Pool): boolean {
  const [column, row] = spotOf(pool);
  return (column + row) % 2 === 0;
}

/** From the middle of the pool towards the corner that an area has for itself, as factors of -1 and 1. */
function corner(pool: Pool, half: "u" | "l"): Point {
  const side = leansRight(pool) ? 1 : -1;
  return half === "u" ? [-side, -1] : [side, 1];
}

/** Where an area's lantern floats, seen from the middle of the pool. */
export function lanternSpot(pool: Pool, half: "u" | "l"): Point {
  const [x, y] = corner(pool, half);
  return [23 * x, 23 * y];
}

/** Where an area's pavilion stands: at the far end of its outer side. */
export function pavilionSpot(pool: Pool, half: "u" | "l"): Point {
  const [x, y] = corner(pool, half);
  return [-20 * x, 35 * y];
}

export interface LakePool {
  pool: Pool;
  colors: { u: string; l: string };
  platform: boolean;
  /** The half in which a pavilion stands. */
  pavilion: "u" | "l" | null;
}

/** The pools of a view's lake, whose rows are written as in a components file, such as `BG#` for a pool. */
export function poolsOf(lake: readonly string[]): LakePool[] {
  return lake.flatMap((row, down) =>
    row.split(" ").map((code, right) => ({
      pool: poolAt(right, down),
      colors: { u: code.charAt(0), l: code.charAt(1) },
      platform: code.charAt(2) === "#",
      pavilion: code.charAt(2) === "^" ? "u" : code.charAt(2) === "v" ? "l" : null,
    })),
  );
}

/** The neighbour on each side, and the ends of that side. */
const SIDES = [
  [0, -1, 0, 0, 1, 0],
  [1, 0, 1, 0, 1, 1],
  [0, 1, 0, 1, 1, 1],
  [-1, 0, 0, 0, 0, 1],
] as const;

/** The pools that share a side with a pool. */
export function neighborsOf(pool: Pool): Pool[] {
  const [column, row] = spotOf(pool);
  return SIDES.map(([dx, dy]) => [column + dx, row + dy] as const)
    .filter(([x, y]) => x >= 0 && x < COLUMNS && y >= 0 && y < ROWS)
    .map(([x, y]) => poolAt(x, y));
}

/** The sides of a set of pools beyond which the set does not go on. */
export function border(pools: readonly Pool[]): string {
  const inside = new Set(pools);
  return pools
    .flatMap((pool) => {
      const [column, row] = spotOf(pool);
      return SIDES.filter(([dx, dy]) => !inside.has(poolAt(column + dx, row + dy))).map(([, , ax, ay, bx, by]) =>
        line(column + ax, row + ay, column + bx, row + by),
      );
    })
    .join("");
}

/** How far the pools of a link reach, and its ends; drawn as wide as a pool, the links make the shape of a tile. */
const LINKS = [
  [0, 0, 0.5, 0.5, 0.5, 0.5],
  [1, 0, 0.5, 0.5, 1.5, 0.5],
  [0, 1, 0.5, 0.5, 0.5, 1.5],
  [1, 1, 1, 1, 1, 1],
] as const;

export function spine(pools: readonly Pool[]): string {
  const inside = new Set(pools);
  return pools
    .flatMap((pool) => {
      const [column, row] = spotOf(pool);
      return LINKS.filter(([dx, dy]) =>
        [poolAt(column + dx, row), poolAt(column, row + dy), poolAt(column + dx, row + dy)].every((end) =>
          inside.has(end),
        ),
      ).map(([, , ax, ay, bx, by]) => line(column + ax, row + ay, column + bx, row + by));
    })
    .join("");
}

const line = (ax: number, ay: number, bx: number, by: number): string =>
  `M${ax * CELL} ${ay * CELL}L${bx * CELL} ${by * CELL}`;

/** The pool of a tile with the least way to the others: there its honor is written. */
export function mostCentral(pools: readonly Pool[]): Pool {
  const way = (from: Pool): number => {
    const [x, y] = spotOf(from);
    return pools.reduce((sum, to) => sum + Math.abs(spotOf(to)[0] - x) + Math.abs(spotOf(to)[1] - y), 0);
  };
  return [...pools].sort((a, b) => way(a) - way(b))[0] ?? "a1";
}

/** The candidate nearest to a point. */
export function nearest<T>(to: Point, candidates: readonly T[], at: (candidate: T) => Point): T | null {
  const away = (candidate: T): number => Math.hypot(at(candidate)[0] - to[0], at(candidate)[1] - to[1]);
  return [...candidates].sort((a, b) => away(a) - away(b))[0] ?? null;
}

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";
const STEPS: Record<Direction, Point> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export const isDirection = (key: string): key is Direction => key in STEPS;

/** The candidate that lies next in a direction: a step aside counts double, and nothing behind counts. */
export function nextTowards<T>(
  from: Point,
  candidates: readonly T[],
  at: (candidate: T) => Point,
  to: Direction,
): T | null {
  const [dx, dy] = STEPS[to];
  let best: T | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const [x, y] = at(candidate);
    const ahead = (x - from[0]) * dx + (y - from[1]) * dy;
    const aside = Math.abs((x - from[0]) * dy) + Math.abs((y - from[1]) * dx);
    const cost = ahead + 2 * aside;
    if (ahead > 1 && cost < least) [best, least] = [candidate, cost];
  }
  return best;
}
