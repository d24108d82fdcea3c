/**
 * Where things are on a lake. Each pool is a square of 100 units; the lower left corner of the lake is the origin, so that the place of
 * a pool follows from its name, and how large the lake is only matters for what is drawn round it. The upper area of a pool always
 * has its whole top side, the lower one its whole bottom side; neighbors lean different ways, as on the sheets.
 */

/** Column letter and row number from the bottom, such as c4. */
export type Pool = string;
/** Column from the left, counted from 0, and row from the bottom as a coordinate: -1 is the lowest, -2 the one above it. */
export type Spot = readonly [column: number, row: number];
export type Point = readonly [x: number, y: number];

export const CELL = 100;
const A = "a".charCodeAt(0);

export interface Size {
  columns: number;
  rows: number;
}

/** How many pools a view's lake has in each direction. */
export const sizeOf = (lake: readonly string[]): Size => ({
  columns: lake[0]?.split(" ").length ?? 0,
  rows: lake.length,
});

export const letterOf = (column: number): string => String.fromCharCode(A + column);

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The water alone. */
export const waterOf = ({ columns, rows }: Size): Box => ({
  x: 0,
  y: -rows * CELL,
  width: columns * CELL,
  height: rows * CELL,
});

/** The lake with so much round it: left and right, above and below. */
function framed(size: Size, left: number, above: number, right: number, below: number): Box {
  const { x, y, width, height } = waterOf(size);
  return { x: x - left, y: y - above, width: width + left + right, height: height + above + below };
}

/** The lake with its shore. */
export const shoreOf = (size: Size): Box => framed(size, 6, 6, 6, 6);

/** The lake with the names of its columns and rows. */
export const namedOf = (size: Size): Box => framed(size, 36, 8, 10, 38);

export const boxText = ({ x, y, width, height }: Box): string => `${x} ${y} ${width} ${height}`;

/** The part of a box round a point that fills a window when pools are drawn so large, kept within the box. */
export function partRound([x, y]: Point, window: { width: number; height: number }, cell: number, whole: Box): Box {
  const [width, height] = [(window.width * CELL) / cell, (window.height * CELL) / cell];
  return {
    x: slid(x, width, whole.x, whole.width),
    y: slid(y, height, whole.y, whole.height),
    width,
    height,
  };
}

export const centerOf = ({ x, y, width, height }: Box): Point => [x + width / 2, y + height / 2];

/** Where a stretch of that length round a middle starts, so that it stays inside; in the middle of what is shorter. */
function slid(middle: number, length: number, from: number, whole: number): number {
  if (length >= whole) return from - (length - whole) / 2;
  return Math.min(Math.max(middle - length / 2, from), from + whole - length);
}

export function spotOf(pool: Pool): Spot {
  return [pool.charCodeAt(0) - A, -Number(pool.slice(1))];
}

export const poolAt = (column: number, row: number): Pool => `${letterOf(column)}${-row}`;

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
      pool: poolAt(right, down - lake.length),
      colors: { u: code.charAt(0), l: code.charAt(1) },
      platform: code.charAt(2) === "#",
      pavilion: code.charAt(2) === "^" ? "u" : code.charAt(2) === "v" ? "l" : null,
    })),
  );
}

/** The neighbor on each side, and the ends of that side. */
const SIDES = [
  [0, -1, 0, 0, 1, 0],
  [1, 0, 1, 0, 1, 1],
  [0, 1, 0, 1, 1, 1],
  [-1, 0, 0, 0, 0, 1],
] as const;

/** The pools of a lake that share a side with a pool. */
export function neighborsOf(pool: Pool, { columns, rows }: Size): Pool[] {
  const [column, row] = spotOf(pool);
  return SIDES.map(([dx, dy]) => [column + dx, row + dy] as const)
    .filter(([x, y]) => x >= 0 && x < columns && y < 0 && y >= -rows)
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
export const ARROW_STEPS: Record<Direction, Point> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export const isDirection = (key: string): key is Direction => key in ARROW_STEPS;

/** The candidate that lies next in a direction: a step aside counts double, and nothing behind counts. */
export function nextTowards<T>(
  from: Point,
  candidates: readonly T[],
  at: (candidate: T) => Point,
  to: Direction,
): T | null {
  const [dx, dy] = ARROW_STEPS[to];
  let best: T | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const [x, y] = at(candidate);
    const ahead = (x - from[0]) * dx + (y - from[1]) * dy;
    const aside = Math.abs((x - from[0]) * dy) + Math.abs((y - from[1]) * dx);
    const way = ahead + 2 * aside;
    if (ahead > 1 && way < least) [best, least] = [candidate, way];
  }
  return best;
}
