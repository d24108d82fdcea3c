/** The service worker behind the page, and the browser's offer to install it as an app. Loaded when the page has nothing else to do. */
import { at, BASE } from "$lib/net/base";
import { currentLanguage } from "$lib/text/i18n";
import { renewPush } from "./push";
import { session } from "$lib/person/session.svelte";

/** An event that only some browsers have. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

class Installation {
  /** What the browser would show if it were asked to install the app. */
  offer = $state.raw<InstallPrompt | null>(null);
  /** Whether this page is the app already. */
  readonly isApp = matchMedia("(display-mode: standalone), (display-mode: minimal-ui)").matches;

  async accept(): Promise<void> {
    const { offer } = this;
    this.offer = null; // it can be shown once
    await offer?.prompt();
  }
}
export const installation = new Installation();

/** Rules can be read without a line, also those that nobody has opened yet. */
const rulebooks = (): string[] =>
  (session.catalogue?.games ?? []).map(
    ({ name }) => new URL(at(`/api/rulebook/${name}/${currentLanguage()}`), location.href).href,
  );

export async function startWorker(): Promise<void> {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installation.offer = event as InstallPrompt;
  });
  addEventListener("appinstalled", () => (installation.offer = null));
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(at("/sw.js"), { scope: BASE, updateViaCache: "none" });
  const { active } = await navigator.serviceWorker.ready;
  // What this page needed came before the worker could keep it.
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  active?.postMessage({ keep: [...loaded, ...rulebooks()] });
  await renewPush();
}
