/** What the service worker keeps on this device for times without a line; `serviceworker/sw.ts` puts it there. */
import { at, BASE } from "$lib/net/base";
import { parseRecord, type GameRecord } from "$lib/record/replay.svelte";

const named = (what: string): string => `lampion ${BASE} ${what}`;
const hasCaches = (): boolean => "caches" in globalThis;

export interface KeptReplay {
  id: string;
  record: GameRecord;
}

/** The replays of this server that were opened here, the last one first. */
export async function keptReplays(): Promise<KeptReplay[]> {
  if (!hasCaches()) return [];
  const cache = await caches.open(named("replays"));
  const found: KeptReplay[] = [];
  for (const request of await cache.keys()) {
    const id = /\/api\/tables\/([\w-]+)\/record$/.exec(new URL(request.url).pathname)?.[1];
    const record = id && parseRecord((await (await cache.match(request))?.text()) ?? "");
    if (id && record) found.unshift({ id, record });
  }
  return found;
}

/** The text of a file that another app shared with this one; it can be taken once. */
export async function takeShared(): Promise<string | null> {
  if (!hasCaches()) return null;
  const cache = await caches.open(named("shared"));
  const key = at("/shared-record");
  const text = (await (await cache.match(key))?.text()) ?? null;
  await cache.delete(key);
  return text;
}

export async function forgetKept(): Promise<void> {
  if (!hasCaches()) return;
  await Promise.all(["replays", "shared", "notices"].map((what) => caches.delete(named(what))));
}
