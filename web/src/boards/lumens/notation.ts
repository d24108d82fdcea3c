/** The notation of Lumens as far as people choose: `c5=6` puts the token in hand on c5 with 6 pips up. */
export interface Placement {
  action: string;
  square: string;
  face: number;
}

export function parse(action: string): Placement | null {
  const [, square, face] = /^([a-z]\d+)=(\d)$/.exec(action) ?? [];
  return square && face ? { action, square, face: Number(face) } : null;
}

export const placements = (legal: readonly string[]): Placement[] => legal.flatMap((action) => parse(action) ?? []);

export const placementText = (square: string, face: number): string => `${square}=${face}`;
