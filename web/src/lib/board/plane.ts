/** Boards larger than their window: where the camera stands, and which spot a finger or an arrow key means. */
export type Direction = "top" | "right" | "bottom" | "left";
export interface Point {
  x: number;
  y: number;
}
export interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
export interface Pose extends Point {
  scale: number;
}
/** How far a camera may go. */
export interface Limits {
  smallest: number;
  largest: number;
  /** As large as anything gets without being asked to. */
  largestFit: number;
}

export const STEPS: Record<Direction, Point> = {
  top: { x: 0, y: -1 },
  right: { x: 1, y: 0 },
  bottom: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
};
export const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: "top",
  ArrowRight: "right",
  ArrowDown: "bottom",
  ArrowLeft: "left",
};

/** Puts the extent into the middle of a window whose edges are covered by `covered`. */
export function fit(extent: Extent, width: number, height: number, covered: Extent, limits: Limits): Pose {
  const free = { width: width - covered.left - covered.right, height: height - covered.top - covered.bottom };
  const wanted = Math.min(free.width / (extent.right - extent.left), free.height / (extent.bottom - extent.top));
  const scale = Math.max(limits.smallest, Math.min(limits.largestFit, wanted));
  return {
    scale,
    x: covered.left + free.width / 2 - (scale * (extent.left + extent.right)) / 2,
    y: covered.top + free.height / 2 - (scale * (extent.top + extent.bottom)) / 2,
  };
}

/** The same pose, moved just so far that the part lies in the window; its upper left corner if it is too large. */
export function revealed(pose: Pose, part: Extent, width: number, height: number, covered: Extent): Pose {
  const along = (start: number, low: number, high: number, from: number, to: number): number =>
    Math.max(from - low * pose.scale, Math.min(start, to - high * pose.scale));
  return {
    scale: pose.scale,
    x: along(pose.x, part.left, part.right, covered.left, width - covered.right),
    y: along(pose.y, part.top, part.bottom, covered.top, height - covered.bottom),
  };
}

/** The same board, larger or smaller, with the point under the finger where it was. */
export function zoomed(pose: Pose, at: Point, factor: number, limits: Limits): Pose {
  const scale = Math.max(limits.smallest, Math.min(limits.largest, pose.scale * factor));
  const ratio = scale / pose.scale;
  return { scale, x: at.x - (at.x - pose.x) * ratio, y: at.y - (at.y - pose.y) * ratio };
}

export const toScreen = (pose: Pose, spot: Point): Point => ({
  x: pose.x + spot.x * pose.scale,
  y: pose.y + spot.y * pose.scale,
});
export const fromScreen = (pose: Pose, at: Point): Point => ({
  x: (at.x - pose.x) / pose.scale,
  y: (at.y - pose.y) / pose.scale,
});

/** The number of the spot within reach of a point, or -1. */
export function nearest(spots: readonly Point[], at: Point, reach: number): number {
  let best = -1;
  let shortest = reach;
  for (const [index, spot] of spots.entries()) {
    const distance = Math.hypot(spot.x - at.x, spot.y - at.y);
    if (distance < shortest) [best, shortest] = [index, distance];
  }
  return best;
}

/** The number of the next spot when an arrow key is pressed: ahead, and as little to the side as possible; -1 if none is. */
export function ahead(spots: readonly Point[], start: Point, direction: Direction): number {
  const step = STEPS[direction];
  let best = -1;
  let lowest = Infinity;
  for (const [index, spot] of spots.entries()) {
    const [dx, dy] = [spot.x - start.x, spot.y - start.y];
    const forward = dx * step.x + dy * step.y;
    const aside = Math.abs(dx * step.y) + Math.abs(dy * step.x);
    if (forward > 0 && forward + 2 * aside < lowest) [best, lowest] = [index, forward + 2 * aside];
  }
  return best;
}
