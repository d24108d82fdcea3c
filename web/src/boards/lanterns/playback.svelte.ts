/** Shows the latest events one after the other: each sets out, and counts once it has arrived. Never in the way of the next move. */
import { reducedMotion } from "$lib/preferences.svelte";
import { isMove } from "./outcome";
import type { Event } from "./view";

const GAP = 110;
const TRAVEL = 360;
const LINGER = 900;
const TOO_MANY = 24; // somebody jumped ahead: no film

/** Whether an event is seen to travel. */
const isShown = (event: Event): boolean => event.event === "move" && event.cause !== "draw" && event.cause !== "deal";

export class Playback {
  /** All that is being shown. */
  events = $state.raw<readonly Event[]>([]);
  #launched = $state(0);
  #arrived = $state(0);
  #timers: ReturnType<typeof setTimeout>[] = [];
  #ply = -1;

  /** Events that have set out, to be drawn on their way or where they came to rest. */
  readonly moving = $derived(this.events.slice(0, this.#launched));
  /** Events whose effect is not to be seen yet. */
  readonly unseen = $derived(this.events.slice(this.#arrived));

  /** The same position again, such as with its previews, is not played twice. */
  start(ply: number, recent: readonly Event[]): void {
    if (ply === this.#ply) return;
    this.#ply = ply;
    this.finish();
    const events = recent.filter(isShown);
    if (!events.length || events.length > TOO_MANY) return;
    this.events = events;
    const travel = reducedMotion() ? 0 : TRAVEL;
    for (const index of events.keys()) {
      this.#after(GAP * index, () => (this.#launched = index + 1));
      this.#after(GAP * index + (isMove(events[index], "place") ? 0 : travel), () => (this.#arrived = index + 1));
    }
    this.#after(GAP * events.length + travel + LINGER, () => this.finish());
  }

  finish(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    this.events = [];
    this.#launched = this.#arrived = 0;
  }

  #after(milliseconds: number, then: () => void): void {
    if (milliseconds === 0) then();
    else this.#timers.push(setTimeout(then, milliseconds));
  }
}
