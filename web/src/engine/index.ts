/** Searches in the player's own browser. Nothing of it is loaded before somebody asks. */

import { at } from "$lib/net/base";
import type { Found, Task } from "./engine";
import type { Order } from "./worker";

export type { Found, Task };

let worker: Worker | null = null;

/** What a strong player would do, found in a worker; rejects where that cannot be done, and then the server is asked. */
export function searchInBrowser(task: Task, milliseconds: number): Promise<Found> {
  worker ??= new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const searching = worker;
  const address = new URL(at(`/engine/${task.game}.wasm`), location.href).href;
  return new Promise((resolve, reject) => {
    searching.onmessage = ({ data }: MessageEvent<{ found?: Found; problem?: string }>) =>
      data.found ? resolve(data.found) : reject(new Error(data.problem));
    searching.onerror = (event) => reject(new Error(event.message));
    searching.postMessage({ task, address, milliseconds } satisfies Order);
  });
}
