/** Hints: found in this browser if it can, by the server if not. */
import type { Found, Task } from "../../engine";
import { api, Refusal } from "$lib/net/api";
import type { Hint, HintRequest, SeatNumber } from "$lib/wire";

const MILLISECONDS = 1000;
const SHOWN_MOVES = 3;

type Language = HintRequest["language"];
type Best = Pick<HintRequest, "found" | "tries">;
type Search = (task: Task, milliseconds: number) => Promise<Found>;

/** A position to hint at. */
export interface Question {
  /** What the seat knows there, as a search for this machine. */
  task(): Promise<Task>;
  /** The words for what was found; the server searches if that is nothing. */
  told(best: Best): Promise<Hint>;
}

export const atTable = (id: string, seat: SeatNumber, language: Language): Question => ({
  task: () => api.hintTask(id, seat),
  told: (best) => api.hint(id, { seat, language, ...best }),
});

export const inRecord = (
  record: Record<string, unknown>,
  ply: number,
  seat: SeatNumber,
  language: Language,
): Question => ({
  task: () => api.replayTask({ record, ply, seat }),
  told: (best) => api.replayHint({ record, ply, seat, language, ...best }),
});

const inBrowser: Search = async (task, milliseconds) =>
  (await import("../../engine")).searchInBrowser(task, milliseconds);

export async function findHint(question: Question, search: Search = inBrowser): Promise<Hint> {
  try {
    const found = await search(await question.task(), MILLISECONDS);
    return await question.told(bestOf(found));
  } catch (problem) {
    // What the server refuses it would refuse again; anything else is a browser that cannot search.
    if (problem instanceof Refusal) throw problem;
    return question.told({});
  }
}

function bestOf({ actions, visits, values }: Found): Best {
  const found = actions
    .slice(0, SHOWN_MOVES)
    .map((action, k) => ({ action, visits: visits[k]!, value: Math.min(1, Math.max(0, values[k]!)) }));
  return { found, tries: visits.reduce((sum, each) => sum + each, 0) };
}

/** Whom a hint in a replay is for: the seat looked through if it is to act, otherwise the one that acted next. */
export function seatToAdvise(actors: readonly number[], eyes: number | null, next: unknown): number | null {
  if (eyes !== null && actors.includes(eyes)) return eyes;
  return actors.find((actor) => actor === next) ?? actors[0] ?? null;
}
