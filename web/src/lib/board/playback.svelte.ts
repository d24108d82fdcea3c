/** Shows the latest events one after the other: each sets out, and counts once it has arrived. Never in the way of the next move. Knows no game. */
import { reducedMotion } from "$lib/device/preferences.svelte";

/** How a board shows its events. Times are milliseconds. */
export interface Pace<E> {
  /** Whether an event is to be seen at all. */
  isShown(event: E): boolean;
  /** Whether it waits for its turn; the others come together with the one before. */
  isStep?(event: E): boolean;
  /** Between two that wait for each other. */
  gap: number;
  /** Nothing sets out later than this. */
  longest?: number;
  /** From setting out to where it counts. */
  travel?(event: E): number;
  /** How long the last one stays new. */
  linger: number;
}

export interface Timed<E> {
  event: E;
  /** When it sets out. */
  at: number;
}

const TOO_MANY = 24; // a jump ahead: no film

/** When each event sets out; nothing where there is too much to follow. */
export function timed<E>(events: readonly E[], pace: Pace<E>): Timed<E>[] {
  const shown = events.filter((event) => pace.isShown(event));
  if (shown.length > TOO_MANY) return [];
  let steps = -1;
  return shown.map((event) => {
    if (steps < 0 || (pace.isStep?.(event) ?? true)) steps += 1;
    return { event, at: Math.min(pace.gap * steps, pace.longest ?? Infinity) };
  });
}

export class Playback<E> {
  readonly #pace: Pace<E>;
  /** All that is being shown. */
  shown = $state.raw<readonly Timed<E>[]>([]);
  #launched = $state(0);
  #arrived = $state(0);
  #timers: ReturnType<typeof setTimeout>[] = [];
  #ply = -1;

  readonly events = $derived(this.shown.map(({ event }) => event));
  /** Events that have set out, to be drawn on their way or where they came to rest. */
  readonly moving = $derived(this.events.slice(0, this.#launched));
  /** Events whose effect is not to be seen yet. */
  readonly unseen = $derived(this.events.slice(this.#arrived));

  constructor(pace: Pace<E>) {
    this.#pace = pace;
  }

  /** The same position again, such as with its previews, is not played twice. */
  start(ply: number, recent: readonly E[]): void {
    if (ply === this.#ply) return;
    this.#ply = ply;
    this.finish();
    this.shown = timed(recent, this.#pace);
    let end = 0;
    for (const [index, { event, at }] of this.shown.entries()) {
      const arrival = at + (reducedMotion() ? 0 : (this.#pace.travel?.(event) ?? 0));
      this.#after(at, () => (this.#launched = index + 1));
      this.#after(arrival, () => (this.#arrived = index + 1));
      end = Math.max(end, arrival);
    }
    if (this.shown.length) this.#after(end + this.#pace.linger, () => this.finish());
  }

  finish(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    this.shown = [];
    this.#launched = this.#arrived = 0;
  }

  #after(milliseconds: number, then: () => void): void {
    if (milliseconds === 0) then();
    else this.#timers.push(setTimeout(then, milliseconds));
  }
}
