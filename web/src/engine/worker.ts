/** The worker in which a search runs, so that the page stays alive: a task comes in, what was found goes out. */

import { search, type Task } from "./engine";

const modules = new Map<string, Promise<WebAssembly.Module>>();

function moduleOf(address: string): Promise<WebAssembly.Module> {
  let found = modules.get(address);
  if (!found) {
    found = fetch(address).then(async (answer) => {
      if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
      return WebAssembly.compile(await answer.arrayBuffer());
    });
    modules.set(address, found);
  }
  return found;
}

export interface Order {
  task: Task;
  address: string;
  milliseconds: number;
}

self.onmessage = async ({ data }: MessageEvent<Order>) => {
  try {
    self.postMessage({ found: search(await moduleOf(data.address), data.task, data.milliseconds) });
  } catch (problem) {
    self.postMessage({ problem: String(problem) });
  }
};
