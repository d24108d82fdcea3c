/** The worker in which a search runs, so that the page stays alive: a task comes in, what was found goes out. */

import { search, type Found, type Task } from "./engine";
import { moduleAt } from "./modules";

export interface Order {
  /** Comes back with the answer. */
  id: number;
  task: Task;
  address: string;
  milliseconds: number;
}

export type Answer = { id: number; found: Found } | { id: number; problem: string };

const answer = (message: Answer): void => self.postMessage(message);

self.onmessage = async ({ data: { id, task, address, milliseconds } }: MessageEvent<Order>) => {
  try {
    answer({ id, found: search(await moduleAt(address), task, milliseconds) });
  } catch (problem) {
    answer({ id, problem: String(problem) });
  }
};
