/** The worker in which searches run, so that the page stays alive: a task comes in, what was found goes out. */

import { search, type Found, type Task } from "./engine";
import { evidenceFor, type Evidence, type JudgementTask } from "./judging";
import { moduleAt } from "./modules";

interface Asked {
  /** Comes back with the answer. */
  id: number;
  address: string;
}
export type Order = Asked & ({ task: Task; milliseconds: number } | { judgement: JudgementTask });

export type Answer = { id: number } & ({ found: Found | Evidence } | { problem: string });

const answer = (message: Answer): void => self.postMessage(message);

self.onmessage = async ({ data }: MessageEvent<Order>) => {
  const { id, address } = data;
  try {
    const module = await moduleAt(address);
    const found =
      "judgement" in data ? evidenceFor(module, data.judgement) : search(module, data.task, data.milliseconds);
    answer({ id, found });
  } catch (problem) {
    answer({ id, problem: String(problem) });
  }
};
