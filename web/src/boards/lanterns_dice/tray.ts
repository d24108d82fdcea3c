/** How the tray is turned on the screen: one quarter of the notation is a quarter counterclockwise, seen from above. */

const QUARTER = -90;

/** The angle of a position of the tray that is nearest to where the tray is now, so that it never spins round needlessly. */
export function angleNear(now: number, quarters: number): number {
  const angle = quarters * QUARTER;
  return angle + 360 * Math.round((now - angle) / 360);
}

/** The position at which a tray turned by hand comes to rest. */
export function quartersAt(angle: number): number {
  return ((Math.round(angle / QUARTER) % 4) + 4) % 4;
}

/** Degrees clockwise from the middle to a point. */
export const bearing = (dx: number, dy: number): number => (Math.atan2(dy, dx) * 180) / Math.PI;

/** The way from one angle to another, at most half a turn. */
export const arc = (from: number, to: number): number => ((((to - from) % 360) + 540) % 360) - 180;

/** The place that is so many steps clockwise from the viewer's, as factors of the radius. */
export const CLOCKWISE = [
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 0],
] as const;
