/** Searches in the player's own browser. Nothing of it is loaded before it is asked for. */

import { at } from "$lib/net/base";
import type { Found, Task } from "./engine";
import type { Evidence, JudgementTask, JudgementTasks } from "./judging";
import { stamps } from "./stamps";
import type { Answer, Order } from "./worker";

export type { Evidence, Found, JudgementTask, JudgementTasks, Task };

/** Beyond the time of the search itself: the module must be loaded first, and another search may be running. */
export const PATIENCE_MS = 30_000;

interface Waiting {
  resolve(found: Found | Evidence): void;
  reject(problem: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

let worker: Worker | null = null;
let lastId = 0;
/** The orders that the worker has not answered yet. */
const waiting = new Map<number, Waiting>();

/** What a strong player would do, found in a worker; rejects where that cannot be done, and then the server is asked. */
export const searchInBrowser = (task: Task, milliseconds: number): Promise<Found> =>
  ordered(task, { task, milliseconds }, milliseconds) as Promise<Found>;

/** What the searches behind the judgment of a decision find, in the same worker. */
export const judgeInBrowser = (judgement: JudgementTask): Promise<Evidence> =>
  ordered(judgement.task, { judgement }, 0) as Promise<Evidence>;

type Wanted = { task: Task; milliseconds: number } | { judgement: JudgementTask };

function ordered({ game, engine }: Task, wanted: Wanted, milliseconds: number): Promise<Found | Evidence> {
  return new Promise((resolve, reject) => {
    // A page that has been open since before an update would run old rules on the state of new ones.
    if (!engine || stamps[game] !== engine) throw new Error(`this page has another engine for ${game} than the server`);
    worker ??= hire();
    const id = ++lastId;
    const timer = setTimeout(() => dismiss(new Error("the search takes too long")), milliseconds + PATIENCE_MS);
    waiting.set(id, { resolve, reject, timer });
    const address = new URL(at(`/engine/${game}.wasm?${engine}`), location.href).href;
    worker.postMessage({ id, address, ...wanted } satisfies Order);
  });
}

function hire(): Worker {
  const hired = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  hired.onmessage = ({ data }: MessageEvent<Answer>) => {
    const order = waiting.get(data.id);
    if (!order) return;
    waiting.delete(data.id);
    clearTimeout(order.timer);
    if ("found" in data) order.resolve(data.found);
    else order.reject(new Error(data.problem));
  };
  hired.onerror = (event) => dismiss(new Error(event.message || "the worker failed"));
  hired.onmessageerror = () => dismiss(new Error("the worker sent something unreadable"));
  return hired;
}

/** A worker that failed or hangs answers nothing any more; the next search gets a new one. */
function dismiss(problem: Error): void {
  worker?.terminate();
  worker = null;
  for (const order of waiting.values()) {
    clearTimeout(order.timer);
    order.reject(problem);
  }
  waiting.clear();
}
