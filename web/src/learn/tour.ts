/** A guided first game as data: what the coach says, and what must happen before the next sentence. The table is a real one. */
import { kindOf, type AnyEvent } from "$lib/board";
import type { Step } from "$lib/wire";

export interface TourStep {
  /** Key in `messages/<language>/learn.json` of the board. */
  text: string;
  /** The rule that says it in full. */
  rule?: string;
  /** The event of the learner that leads on; without it, a button does. */
  until?: string;
}

export interface Tour {
  options?: Record<string, string>;
  steps: readonly TourStep[];
}

/** Whether the learner has done what a step asks for, since the step began. */
export function isDone(step: TourStep, log: readonly Step[], since: number, seat: number): boolean {
  if (!step.until) return false;
  const events = log.filter((entry) => entry.ply >= since).flatMap((entry) => entry.events as AnyEvent[]);
  return events.some((event) => kindOf(event) === step.until && event.player === seat);
}

const tours = import.meta.glob<{ default: Tour }>("../boards/*/tour.ts");

export const hasTour = (game: string): boolean => `../boards/${game}/tour.ts` in tours;

export async function loadTour(game: string): Promise<Tour | null> {
  const load = tours[`../boards/${game}/tour.ts`];
  return load ? (await load()).default : null;
}
