/** What the guide of each game points at: selectors of its board, by lesson and step. The lessons themselves are the server's. */

/**
 * For each "lesson.step", selectors in order of preference: the first that finds something on the screen is meant, so a task can
 * lead from a tile to its place and on to the button that confirms. One selector may find several things.
 */
export type Points = Record<string, readonly string[]>;

const points = import.meta.glob<{ default: Points }>("../boards/*/guide.ts");

export const hasGuide = (game: string): boolean => `../boards/${game}/guide.ts` in points;

export async function loadPoints(game: string): Promise<Points | null> {
  const load = points[`../boards/${game}/guide.ts`];
  return load ? (await load()).default : null;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const isShown = ({ width, height }: { width: number; height: number }): boolean => width > 0 && height > 0;

/** What the first fitting selector finds below `root`. */
export function pointedAt(root: Element, selectors: readonly string[]): Element[] {
  for (const selector of selectors) {
    const found = [...root.querySelectorAll(selector)].filter((each) => isShown(each.getBoundingClientRect()));
    if (found.length) return found;
  }
  return [];
}

/** The part of an element that can be seen: what scrolls or zooms inside the board is cut off at its frame. */
export function visibleBox(element: Element, root: Element): Box {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (let frame = element.parentElement; frame; frame = frame.parentElement) {
    if (frame === root || getComputedStyle(frame).overflow !== "visible") {
      const edge = frame.getBoundingClientRect();
      [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
      [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
    }
    if (frame === root) break;
  }
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

/** The visible parts of all of them. */
export const boxesOf = (elements: readonly Element[], root: Element): Box[] =>
  elements.map((each) => visibleBox(each, root)).filter(isShown);

/**
 * Scrolls whatever can be scrolled by hand so that the element is seen. (`scrollIntoView` would also shift frames that only hide what
 * a camera does not show.)
 */
export function reveal(element: Element, root: Element): void {
  for (let frame = element.parentElement; frame; frame = frame.parentElement) {
    const canScroll = /auto|scroll/.test(getComputedStyle(frame).overflowY) && frame.scrollHeight > frame.clientHeight;
    if (canScroll) {
      const [thing, edge] = [element.getBoundingClientRect(), frame.getBoundingClientRect()];
      const below = Math.min(thing.bottom - edge.bottom, thing.top - edge.top);
      frame.scrollTop += Math.max(0, below) + Math.min(0, thing.top - edge.top);
    }
    if (frame === root) break;
  }
}
