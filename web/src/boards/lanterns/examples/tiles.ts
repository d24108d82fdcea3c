/** Tiles of the published game on the lake, read from notation such as 29r1@0,-1. */
import { parse, type Cell } from "../notation";
import pieces from "./pieces.json";

export interface LaidTile {
  cell: Cell;
  face: { tile: number; sides: string; platform: boolean };
  quarters: number;
  /** Its sides as they lie, clockwise from the north. */
  turned: string;
}

export function laidTile(text: string): LaidTile {
  const placement = parse(text);
  const face = placement?.kind === "place" ? pieces.tiles[placement.tile] : undefined;
  if (placement?.kind !== "place" || !face) throw new Error(`${text} lays no tile`);
  const { cell, rotation, tile } = placement;
  const cut = face.sides.length - rotation;
  return {
    cell,
    face: { tile, ...face },
    quarters: rotation,
    turned: face.sides.slice(cut) + face.sides.slice(0, cut),
  };
}
