/** How the board is laid out in the room that the page gives it. */
import type { Direction, Extent } from "./geometry";

/** Where the own hand and choices are: below the lake, beside it, or beside it with the other seats on its other side. */
export type Layout = "stacked" | "beside" | "wide";

const WIDE = { width: 1120, height: 520 };
const BESIDE = 560; // the least width for a panel beside a lake worth looking at

export function layoutOf(width: number, height: number): Layout {
  if (width >= WIDE.width && height >= WIDE.height) return "wide";
  return width >= BESIDE && width > 1.05 * height ? "beside" : "stacked";
}

/** Where the lake is lower than this, what lies on its shores would only cover it. */
export const LEAST_SHORES = 130;

/** There is hardly room for a lake. */
export const isShort = (layout: Layout, height: number): boolean => layout === "stacked" && height < 400;
/** Height is dear: words stand beside the hand. */
export const isLow = (layout: Layout, height: number): boolean => layout === "stacked" || height < 480;
/** No room for words beside the hand when they are many. */
export const isSlim = (width: number): boolean => width < 640;
/** The stacks stand in the panel, not on the lake. */
export const hasStacks = (layout: Layout, height: number): boolean =>
  layout === "wide" || (layout === "beside" && height >= 620);
/** A lake that need not shrink until places are too small to read. */
export const isRoomy = (width: number, height: number): boolean => width >= 420 && height >= 400;

/** The button of a set that can be dedicated: its least width, its height and the gap between two, in pixels. */
export const SET = { width: 112, height: 40, gap: 5 };
const SETS_SHARE = 0.228; // of the window: two rows on the smallest phone, three on others, whatever is written below
const MOST_SETS_HEIGHT = 240;
const SYMBOL_WIDTH = 26; // of a card in such a button, with the space around it

/** Sets of many cards need two columns. */
export const setSpan = (colors: number): number => (colors * SYMBOL_WIDTH > SET.width ? 2 : 1);
export const setColumns = (width: number): number => Math.max(2, Math.floor((width + SET.gap) / (SET.width + SET.gap)));
export const heightOf = (rows: number): number => rows * (SET.height + SET.gap) - SET.gap;
export const rowsIn = (height: number): number => Math.floor((height + SET.gap) / (SET.height + SET.gap));
export const rowsOf = (spans: readonly number[], columns: number): number =>
  Math.ceil(spans.reduce((all, span) => all + span, 0) / columns);
/** No more rows than these, however many sets there are. */
export const setRows = (windowHeight: number): number =>
  Math.max(2, rowsIn(Math.min(MOST_SETS_HEIGHT, SETS_SHARE * windowHeight)));

/** What is listed together, by index, where so many cells of a grid are free; several pages leave one to the button that turns them. */
export function pagesOf(spans: readonly number[], cells: number): number[][] {
  const sum = spans.reduce((all, span) => all + span, 0);
  const free = sum > cells ? cells - 1 : cells;
  const pages: number[][] = [[]];
  let used = 0;
  for (const [index, span] of spans.entries()) {
    if (used && used + span > free) {
      pages.push([]);
      used = 0;
    }
    pages.at(-1)?.push(index);
    used += span;
  }
  return pages;
}

const EDGE = 8;
/** The strips of the lake that belong to the seats on its shores: no tile lies below what arrives there. */
export function shoresOf(layout: Layout, short: boolean, seats: Partial<Record<Direction, number>>): Extent {
  const strip = layout === "wide" ? 50 : short ? 34 : 40;
  const of = (direction: Direction): number => (seats[direction] === undefined ? EDGE : strip);
  // On small screens the stacks lie on the far shore, whichever seat is there.
  const top = layout === "wide" || short ? of("top") : 52;
  return { left: of("left"), right: of("right"), top, bottom: strip };
}
