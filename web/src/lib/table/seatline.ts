/** What one seat knows: pure bookkeeping of updates, so that gaps and repetitions can be tested. */
import type { AnyEvent, AnyView } from "$lib/board/board";
import { fold } from "$lib/board/fold";
import type { ClockFace, Effects, Step, Update } from "$lib/wire";

export interface SeatLine {
  seat: number | null;
  ply: number;
  /** Any action of `legal` may name a ply from here on. */
  asked: number;
  view: AnyView;
  legal: string[];
  /** What each legal action would do, by its text; null if that comes later or must be asked for. */
  effects: Record<string, AnyEvent[]> | null;
  steps: Step[];
  clocks: ClockFace[];
  clocksAt: number;
  /** The table as SVG, where the game has no board of its own. */
  drawing: string | null;
  /** The events of the last update. */
  recent: AnyEvent[];
}

export type Taken = { kind: "taken"; line: SeatLine } | { kind: "old" } | { kind: "gap"; since: number };

/** Adds an update. One that starts after what we know leaves a gap: ask again from there. */
export function takeUpdate(line: SeatLine | undefined, update: Update, now: number): Taken {
  const known = line?.ply ?? 0;
  if (line && update.ply < known) return { kind: "old" };
  if (line && update.since > known) return { kind: "gap", since: known };
  const view = viewAfter(line, update);
  if (!view) return { kind: "gap", since: known };
  const fresh = line ? update.steps.filter((step) => step.ply >= known) : update.steps;
  const recent = (line ? fresh : []).flatMap((step) => step.events) as AnyEvent[];
  return {
    kind: "taken",
    line: {
      seat: update.seat,
      ply: update.ply,
      asked: update.asked,
      view,
      legal: update.legal,
      effects: effectsOf(update),
      steps: [...(line?.steps ?? []), ...fresh],
      clocks: update.clocks,
      clocksAt: now,
      drawing: update.drawing ?? null,
      recent,
    },
  };
}

/** The view that came, or the last one with the changes that the events tell. Null if they start from another one. */
function viewAfter(line: SeatLine | undefined, update: Update): AnyView | null {
  if (update.view) return update.view as AnyView;
  if (line?.ply === update.ply) return line.view;
  return line?.ply === update.since
    ? fold(
        line.view,
        update.steps.flatMap((step) => step.events),
      )
    : null;
}

const effectsOf = ({ legal, effects }: Update): SeatLine["effects"] => (effects ? toldOnce(effects)(legal) : null);

/** What each legal action would do, by its text. */
export type Told = (legal: readonly string[]) => Record<string, AnyEvent[]>;

/** Effects by action, put together when they are first asked for. */
export function toldOnce(effects: Effects): Told {
  const told = (action: number): AnyEvent[] =>
    (effects.of[action] ?? []).map((event) => effects.events[event] as unknown as AnyEvent);
  let found: Record<string, AnyEvent[]> | null = null;
  return (legal) => (found ??= Object.fromEntries(legal.map((text, action) => [text, told(action)])));
}

/** The time left on a clock now, in milliseconds. */
export function timeLeft(face: ClockFace, takenAt: number, now: number): number {
  return Math.max(0, face.left_ms - (face.running ? now - takenAt : 0));
}

/** Whether a decision of the seat stands that could be taken back: neither what was undone nor what comes from another game. */
export function hasDecision(steps: readonly Step[], seat: number, firstPly = 0): boolean {
  let standing: Step[] = [];
  for (const step of steps) {
    const [first] = step.events;
    if (first?.event === "undone") standing = standing.filter((each) => each.ply < (first.to as number));
    else standing.push(step);
  }
  return standing.some((step) => step.actor === seat && step.ply >= firstPly);
}
