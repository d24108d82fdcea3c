import type { Light } from "../view";

/** A token on a square, on top of another if one is named. */
export const light = (square: string, player: number, face: number, covered: Light["covered"] = null): Light => ({
  square,
  player,
  face,
  covered,
});
