/** Whose eyes the screen shows when several people share it. */

/**
 * The seat to show: the present one as long as it may act, else the next of this screen's seats that may; with nobody to act here it
 * stays where it is.
 */
export function seatToShow(
  current: number | null,
  played: readonly number[],
  mine: readonly number[],
  mayAct: (seat: number) => boolean,
): number | null {
  const candidates = played.length ? played : mine;
  const present = current !== null && candidates.includes(current) ? current : null;
  if (present !== null && mayAct(present)) return present;
  return played.find(mayAct) ?? present ?? candidates[0] ?? null;
}
