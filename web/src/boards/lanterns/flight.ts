/** Lets an element come flying from a place of the lake to where it stands; with reduced motion it fades in. */
import { reducedMotion } from "$lib/device/preferences.svelte";
import type { Attachment } from "svelte/attachments";
import { STEPS, type Direction } from "$lib/board/plane";

export interface Origin {
  /** The key of the place, as in `data-cell`. */
  cell: string;
  /** The side of the tile that it leaves; null for its middle. */
  direction: Direction | null;
}

const SIDE_REACH = 0.3; // of a tile, from its middle to a lantern
const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

export function flyFrom(board: HTMLElement | null, origin: Origin | null, delay: number): Attachment<HTMLElement> {
  return (element) => {
    const source = origin && board?.querySelector(`[data-cell="${origin.cell}"]`);
    const animation = element.animate(
      source && !reducedMotion() ? flight(source, element, origin) : [{ opacity: 0 }, { opacity: 1 }],
      {
        duration: source ? 360 : 200,
        delay,
        easing: EASE,
        fill: "backwards",
      },
    );
    return () => animation.cancel();
  };
}

function flight(source: Element, element: HTMLElement, origin: Origin): Keyframe[] {
  const [from, to] = [source.getBoundingClientRect(), element.getBoundingClientRect()];
  const step = origin.direction ? STEPS[origin.direction] : { x: 0, y: 0 };
  const x = from.x + from.width * (0.5 + SIDE_REACH * step.x) - to.x - to.width / 2;
  const y = from.y + from.height * (0.5 + SIDE_REACH * step.y) - to.y - to.height / 2;
  return [
    { transform: `translate(${x}px, ${y}px) scale(0.9)`, opacity: 0.4 },
    { opacity: 1, offset: 0.3 },
    { transform: "none" },
  ];
}
