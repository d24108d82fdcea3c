import type { Light } from "$lib/types/view-lumens";

/** A token on a square, on top of another if one is named. */
export const light = (square: string, player: number, face: number, covered: Light["covered"] = null): Light => ({
  square,
  player,
  face,
  covered,
});
