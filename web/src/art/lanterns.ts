/** The seven colors in their canonical order, told by shape first, then letter, then hue and pattern. */
import { LANTERN_SHAPES } from "./shapes";

export { LANTERN_SHAPES };
export type Color = keyof typeof LANTERN_SHAPES;
export const COLORS = Object.keys(LANTERN_SHAPES) as Color[];

/** How far the glow of a stamp reaches, as a multiple of the lantern. */
export const GLOW_REACH = 1.7;

export const isColor = (letter: string): letter is Color => letter in LANTERN_SHAPES;
