/** How the board is laid out in the room that the page gives it, in pixels. */

/** The lake lies beside the table, not below it, where the board is so much wider than high. */
const WIDE = 1.2;
/** Two columns with all words; a phone has signs in the second one. */
const LEAST_WIDE = 900;
/** Below this a board has no room for the cards of the table: a phone, in portrait or landscape. */
const COMPACT = { width: 600, height: 420 };
const LOW = 340;

export const isWide = (width: number, height: number): boolean =>
  width > height * WIDE && width >= (height < COMPACT.height ? COMPACT.width : LEAST_WIDE);
export const isCompact = (width: number, height: number): boolean => width < COMPACT.width || height < COMPACT.height;
/** Hardly any height, such as below an open guide. */
export const isLow = (height: number): boolean => height < LOW;
/** A laptop, on which the table and the decision just fit above each other. */
export const isFlat = (height: number): boolean => height < 740;
export const isNarrow = (width: number): boolean => width < 360;

/** The column of the table beside the lake: clamp() in Board.svelte, and the half of a phone in landscape. */
const sideWidth = (width: number, compact: boolean): number =>
  compact ? Math.max(320, width / 2) : Math.min(Math.max(352, 0.34 * width), 576);
/** How wide the heading is: on a phone in landscape it stands in that column, on large screens above the lake. */
export const headingWidth = (width: number, wide: boolean, compact: boolean): number =>
  !wide ? width : compact ? sideWidth(width, compact) : width - sideWidth(width, compact);
/** Whether it has room for the names of the parts of a score, in one line with the others. */
export const hasParts = (heading: number, others: number): boolean => heading >= 720 + 125 * others;

/** Areas of smaller pools are hard to hit by thumb. */
export const SAFE_CELL = 46;
/** How large the pools are drawn round the one that was touched. */
export const LARGE_CELL = 66;

interface Room {
  width: number;
  height: number;
}
/** The parts of the others' scores have no line of their own. */
export const isBrief = (spare: Room): boolean => spare.height < 260;
/** How wide the lakes of others are in spare room, with their lines of text; too small ones are not worth it. */
export const otherWidth = (spare: Room, others: number): number =>
  Math.min(spare.width / others - 8, (spare.height - (isBrief(spare) ? 92 : 116)) * 1.5);
export const LEAST_OTHER = 130;

/** Whether the heading has room for the names of the others. */
export const hasNames = (width: number, others: number): boolean => width >= 1000 + 250 * others;
/** Whether it has room for a question mark. */
export const hasQuestion = (width: number): boolean => width >= 1150;
/** Whether it has room for their gifts. */
export const hasGifts = (compact: boolean, others: number): boolean => !compact || others < 3;
export const emblemSize = (compact: boolean): number => (compact ? 30 : 38);
export const rivalSize = (compact: boolean): number => (compact ? 20 : 26);
