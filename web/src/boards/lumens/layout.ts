/** How the board is laid out in the room that the page gives it, in pixels. */

/** The house stands beside the rest where the board is so much wider than high. */
const WIDE = 1.15;
/** A board smaller than this belongs to a phone, in portrait or landscape. */
const COMPACT = { width: 560, height: 420 };

export const isWide = (width: number, height: number): boolean => width > height * WIDE && width >= COMPACT.width;
export const isCompact = (width: number, height: number): boolean => width < COMPACT.width || height < COMPACT.height;

/** Hardly any height, such as below an open guide. */
export const isLow = (height: number): boolean => height < 400;

/** A square below this may be missed by a thumb, and one that is drawn large. */
export const SAFE_CELL = 44;
export const LARGE_CELL = 58;
/** How far beside a square a thumb still means it. */
export const THUMB = 34;
