/**
 * The searches behind the judgment of a decision. Which ones, with what budgets and random numbers, the server says
 * (`lampion.bots.weighing`), and so does it say what they mean: here is only found out what it asks.
 */
import { search, solve, type Task } from "./engine";

/** Two searches with the same random numbers: of the best action alone, and of the one that was played. */
export interface Run {
  seed: string;
  iterations: number;
}

export interface JudgementTask {
  ply: number;
  task: Task;
  played: number;
  weigh: Run[];
  again: Run[];
  costly: number;
}

export interface JudgementTasks {
  /** The network of all the tasks. */
  weights: string;
  tasks: JudgementTask[];
}

export interface Evidence {
  ply: number;
  values?: number[];
  moves?: { action: number; visits: number; value: number }[];
  gaps?: number[];
  again?: number[];
}

export function evidenceFor(module: WebAssembly.Module, wanted: JudgementTask): Evidence {
  const { ply, task, played } = wanted;
  const solved = task.exact && solve(module, task, task.exact);
  if (solved) return { ply, values: task.legal.map((action) => solved.values[solved.actions.indexOf(action)]!) };
  const found = search(module, { ...task, exact: null }, Infinity);
  const moves = found.actions.map((action, k) => ({ action, visits: found.visits[k]!, value: found.values[k]! }));
  const best = found.actions[0]!;
  if (best === played) return { ply, moves };
  const valueOf = (action: number, run: Run): number =>
    search(module, { ...task, ...run, exact: null, legal: [action] }, Infinity).values[0]!;
  const weighed = (runs: Run[]): number[] => runs.map((run) => valueOf(best, run) - valueOf(played, run));
  const gaps = weighed(wanted.weigh);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  // The last digits of a mean depend on the order of its sum: close to the limit both are asked for.
  return mean > wanted.costly - 1e-6 ? { ply, moves, gaps, again: weighed(wanted.again) } : { ply, moves, gaps };
}
