/** Whether the server has a newer client than the one that runs here. */
import { at } from "$lib/net/base";
import { recall, store } from "./visit";

const meta = typeof document === "undefined" ? null : document.querySelector<HTMLMetaElement>('meta[name="build"]');
const BUILD = meta?.content ?? "";
const RELOADED = "lampion.reloaded-for";

/** A page that was loaded again for a build and is still another one meets two servers in turn: it is not asked a second time. */
export const isOutdated = (served: string | undefined, own = BUILD, tried = recall(RELOADED)): boolean =>
  Boolean(own && served && served !== own && served !== tried);

export function reloadFor(build: string): void {
  store(RELOADED, build);
  location.reload();
}

/** Asks the server itself: the service worker keeps the answers to most other requests and would give them without a line. */
async function askServer(): Promise<void> {
  const answer = await fetch(at("/live"), { cache: "no-store" });
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
}

/**
 * A part of this client that is no longer on the server: load the page once more, and only once. A server that does not answer
 * could not give us the page either: while it restarts, the game on the screen stays there.
 */
export async function reloadIfParts(
  ask: () => Promise<unknown> = askServer,
  reload: (build: string) => void = reloadFor,
): Promise<void> {
  const mark = `parts of ${BUILD}`;
  if (recall(RELOADED) === mark) return;
  const answers = await ask().then(
    () => true,
    () => false,
  );
  if (answers) reload(mark);
}
