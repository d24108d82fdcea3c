/**
 * Whether anybody looks at this page. One that was left open on a desk is in front, too, for hours: after some minutes without a
 * touch nobody is taken to be there, and the server calls its person by other ways.
 */
const IDLE_MS = 3 * 60_000;
const TOUCHES = ["pointerdown", "pointermove", "wheel", "touchstart", "keydown", "click", "focus"];

let touchedAt = Date.now();

/** Whether nobody looks at this page: the server then tells us by other ways, too. */
export const isHidden = (): boolean => document.visibilityState === "hidden" || Date.now() - touchedAt >= IDLE_MS;

/** Tells when a person begins or stops looking at the page. */
export class Attention {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly changed: () => void) {
    touchedAt = Date.now();
    for (const name of TOUCHES) addEventListener(name, this.touched, { capture: true, passive: true });
    document.addEventListener("visibilitychange", this.turned);
    this.watch();
  }

  close(): void {
    clearTimeout(this.timer);
    for (const name of TOUCHES) removeEventListener(name, this.touched, { capture: true });
    document.removeEventListener("visibilitychange", this.turned);
  }

  private readonly touched = (): void => {
    const wasAway = isHidden();
    touchedAt = Date.now();
    if (wasAway && !isHidden()) this.back();
  };

  private readonly turned = (): void => {
    if (document.visibilityState === "hidden") return this.changed();
    touchedAt = Date.now();
    this.back();
  };

  private back(): void {
    this.watch();
    this.changed();
  }

  /** Until nobody has touched the page for long enough: then that is told, once. */
  private watch(): void {
    clearTimeout(this.timer);
    const left = touchedAt + IDLE_MS - Date.now();
    if (left > 0) this.timer = setTimeout(() => this.watch(), left);
    else this.changed();
  }
}
