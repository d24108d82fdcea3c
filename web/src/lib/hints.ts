/** Hints: found in this browser if it can, by the server if not. */
import type { SeatNumber, Hint, HintRequest } from "./wire";
import { api, Refusal } from "./api";

const MILLISECONDS = 1000;
const SHOWN_MOVES = 3;

export async function findHint(id: string, seat: SeatNumber, language: HintRequest["language"]): Promise<Hint> {
  try {
    const [task, { searchInBrowser }] = await Promise.all([api.hintTask(id, seat), import("../engine")]);
    const { actions, visits, values } = await searchInBrowser(task, MILLISECONDS);
    const found = actions
      .slice(0, SHOWN_MOVES)
      .map((action, k) => ({ action, visits: visits[k]!, value: Math.min(1, Math.max(0, values[k]!)) }));
    return await api.hint(id, { seat, language, found });
  } catch (problem) {
    // What the server refuses it would refuse again; anything else is a browser that cannot search.
    if (problem instanceof Refusal) throw problem;
    return api.hint(id, { seat, language });
  }
}
