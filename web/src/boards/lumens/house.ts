/** Where squares, walls and counting lines are. A square of the house is CELL units wide before the camera scales it. */
import type { Extent, Point } from "$lib/board/plane";
import type { Board, Target } from "./view";

export const CELL = 100;
/** The frame round the house, with the names of columns and rows. */
export const FRAME = 44;
const PASSAGE = ".";
const OUTSIDE = " ";
const A = "a".charCodeAt(0);

export interface Square {
  name: string;
  column: number;
  /** From the top. */
  row: number;
  /** The room's letter; null for a passage. */
  room: string | null;
}

const nameOf = (column: number, rank: number): string => String.fromCharCode(A + column) + rank;
export const columnOf = (square: string): number => square.charCodeAt(0) - A;
export const rankOf = (square: string): number => Number(square.slice(1));

export const columnNames = (board: Board): string[] =>
  Array.from({ length: board.columns }, (_, column) => String.fromCharCode(A + column));

/** The middle of a square. */
export const spotOf = (board: Board, square: string): Point => ({
  x: (columnOf(square) + 0.5) * CELL,
  y: (board.rows - rankOf(square) + 0.5) * CELL,
});

/** A square with the edges of its neighbors. */
export function around({ x, y }: Point): Extent {
  const reach = 0.75 * CELL;
  return { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach };
}

function signAt(board: Board, column: number, row: number): string {
  return board.map[row]?.charAt(column) || OUTSIDE;
}

export function roomAt(board: Board, square: string): string | null {
  const sign = signAt(board, columnOf(square), board.rows - rankOf(square));
  return sign === PASSAGE || sign === OUTSIDE ? null : sign;
}

export function squaresOf(board: Board): Square[] {
  return board.map.flatMap((signs, row) =>
    [...signs].flatMap((sign, column) =>
      sign === OUTSIDE
        ? []
        : [{ name: nameOf(column, board.rows - row), column, row, room: sign === PASSAGE ? null : sign }],
    ),
  );
}

export const extentOf = (board: Board): Extent => ({
  left: -FRAME,
  right: board.columns * CELL + FRAME,
  top: -FRAME,
  bottom: board.rows * CELL + FRAME,
});

const EDGES = [
  { dx: 0, dy: -1, from: [0, 0], line: `h${CELL}` },
  { dx: 1, dy: 0, from: [1, 0], line: `v${CELL}` },
  { dx: 0, dy: 1, from: [0, 1], line: `h${CELL}` },
  { dx: -1, dy: 0, from: [0, 0], line: `v${CELL}` },
] as const;

/** The path along all edges between a room and whatever is not that room. */
export function wallsOf(board: Board, room: string): string {
  return squaresOf(board)
    .filter((square) => square.room === room)
    .flatMap(({ column, row }) =>
      EDGES.filter(({ dx, dy }) => signAt(board, column + dx, row + dy) !== room).map(
        ({ from: [x, y], line }) => `M${(column + x) * CELL} ${(row + y) * CELL}${line}`,
      ),
    )
    .join("");
}

/** The corner of a room's first square, where its letter hangs. */
export function cornerOf(board: Board, room: string): Point {
  const first = squaresOf(board).find((square) => square.room === room);
  return { x: (first?.column ?? 0) * CELL, y: (first?.row ?? 0) * CELL };
}

/** The squares to which a token placed on a target could count on with this face. */
export const nextSquares = (target: Target, face: number): string[] =>
  target.onward[face - 1]?.split(" ").filter(Boolean) ?? [];

/** A straight way between two squares: where it starts, how long it is and in which direction it runs. */
export interface Ray extends Point {
  length: number;
  /** Degrees clockwise from the right. */
  angle: number;
}

export function rayOf(board: Board, origin: string, square: string): Ray {
  const [from, to] = [spotOf(board, origin), spotOf(board, square)];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return { ...from, length: Math.hypot(dx, dy), angle: (Math.atan2(dy, dx) * 180) / Math.PI };
}
