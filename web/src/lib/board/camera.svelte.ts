/** The window on a board: pan with one finger or the mouse, pinch or wheel to zoom. Until the player moves it, it shows all of it. */
import { untrack } from "svelte";
import { fit, revealed, zoomed, type Extent, type Limits, type Point, type Pose } from "./plane";

const CLICK_SLACK = 6; // pixels that a finger may slip in a tap
const WHEEL_STEP = 0.0015;
const KEY_STEP = 1.25;

export class Camera {
  pose = $state.raw<Pose>({ x: 0, y: 0, scale: 1 });
  /** Moved by hand; the board is no longer followed. */
  held = $state(false);
  /** Under a finger right now: no easing. */
  grabbed = $state(false);
  /** It has stood somewhere before: only then does it travel to its next place. */
  placed = $state(false);
  width = $state(0);
  height = $state(0);

  readonly #limits: Limits;
  #pointers = new Map<number, Point>();
  #start: Point | null = null;
  #slipped = false;
  #extent: Extent | null = null;
  #covered: Extent = { left: 0, right: 0, top: 0, bottom: 0 };

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Shows the extent, as large as `least` even if that cuts it off, unless the player has chosen a part. */
  follow(extent: Extent, covered: Extent, least = this.#limits.smallest): void {
    if (!this.width || !this.height) return;
    [this.#extent, this.#covered] = [extent, covered];
    if (this.held) return;
    this.pose = fit(extent, this.width, this.height, covered, { ...this.#limits, smallest: least });
    if (!this.placed) requestAnimationFrame(() => (this.placed = true));
  }

  release(): void {
    this.held = false;
  }

  /** Back to following; from there on to the whole extent, however small it gets. */
  showAll(): void {
    const isFollowing = !this.held;
    this.held = isFollowing;
    if (isFollowing && this.#extent)
      this.pose = fit(this.#extent, this.width, this.height, this.#covered, this.#limits);
  }

  /** Moves no further than needed for a part to be seen. */
  reveal(part: Extent): void {
    this.pose = untrack(() => revealed(this.pose, part, this.width, this.height, this.#covered));
  }

  zoomBy(steps: number): void {
    this.#zoom({ x: this.width / 2, y: this.height / 2 }, KEY_STEP ** steps);
  }

  panBy(dx: number, dy: number): void {
    this.held = true;
    this.pose = { ...this.pose, x: this.pose.x + dx, y: this.pose.y + dy };
  }

  /** Listens on the element that shows the board. */
  gestures = (element: HTMLElement): (() => void) => {
    const listeners: [string, (event: never) => void, AddEventListenerOptions?][] = [
      ["pointerdown", (event: PointerEvent) => this.#down(event)],
      ["pointermove", (event: PointerEvent) => this.#move(event, element)],
      ["pointerup", (event: PointerEvent) => this.#up(event)],
      ["pointercancel", (event: PointerEvent) => this.#up(event)],
      ["wheel", (event: WheelEvent) => this.#wheel(event, element), { passive: false }],
      // What ends a pan is no tap on a place. A click without a pointer (detail 0) comes from a key or a screen reader.
      ["click", (event: MouseEvent) => this.#slipped && event.detail > 0 && event.stopPropagation(), { capture: true }],
    ];
    for (const [name, listener, options] of listeners)
      element.addEventListener(name, listener as EventListener, options);
    return () => {
      for (const [name, listener, options] of listeners)
        element.removeEventListener(name, listener as EventListener, options);
    };
  };

  #zoom(at: Point, factor: number): void {
    this.held = true;
    this.pose = zoomed(this.pose, at, factor, this.#limits);
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#start = { x: event.clientX, y: event.clientY };
    this.#slipped = this.#pointers.size > 1;
  }

  #move(event: PointerEvent, element: HTMLElement): void {
    const last = this.#pointers.get(event.pointerId);
    if (!last || !this.#start) return;
    const now = { x: event.clientX, y: event.clientY };
    if (!this.#slipped && Math.hypot(now.x - this.#start.x, now.y - this.#start.y) < CLICK_SLACK) return;
    if (!this.#slipped || !this.grabbed) element.setPointerCapture(event.pointerId);
    this.#slipped = this.grabbed = true;
    this.#pointers.set(event.pointerId, now);
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId);
    const other = others[0]?.[1];
    if (other) this.#pinch(last, now, other, element.getBoundingClientRect());
    else this.panBy(now.x - last.x, now.y - last.y);
  }

  #pinch(last: Point, now: Point, other: Point, frame: DOMRect): void {
    const apart = (point: Point): number => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    this.#zoom({ x: (now.x + other.x) / 2 - frame.x, y: (now.y + other.y) / 2 - frame.y }, apart(now) / apart(last));
    this.panBy((now.x - last.x) / 2, (now.y - last.y) / 2);
  }

  #up(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
    if (!this.#pointers.size) this.grabbed = false;
  }

  #wheel(event: WheelEvent, element: HTMLElement): void {
    if (event.defaultPrevented) return; // it meant something else, such as to turn a tile
    event.preventDefault();
    const frame = element.getBoundingClientRect();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    this.#zoom(
      { x: event.clientX - frame.x, y: event.clientY - frame.y },
      Math.exp(-event.deltaY * lines * WHEEL_STEP),
    );
  }
}
