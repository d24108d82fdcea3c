import { mount } from "svelte";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { startLanguage } from "$lib/text/i18n";
import { applyLook } from "$lib/device/preferences.svelte";
import { router, startRouter } from "$lib/page/router.svelte";
import { session } from "$lib/person/session.svelte";
import { reloadIfParts } from "$lib/device/version";
import App from "./App.svelte";
import { loadPage } from "./pages";

addEventListener("vite:preloadError", () => void reloadIfParts());
applyLook();
startRouter();
// What every page needs is on its way while the texts come; the page itself says what went wrong.
for (const early of [loadPage(router.route.page), session.load()]) void early.catch(() => undefined);
await startLanguage();

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
target.replaceChildren(); // the sign that was there while this loaded

if (import.meta.env.DEV && location.pathname.startsWith("/dev")) {
  const { default: Harness } = await import("./dev/Harness.svelte");
  mount(Harness, { target });
} else {
  mount(App, { target });
  if (import.meta.env.PROD && isSecureContext) whenIdle(() => void keepForLater().catch(() => undefined));
}

/** The service worker has time: it is for the next visit. Without it, everything works while there is a line. */
async function keepForLater(): Promise<void> {
  const { startWorker } = await import("$lib/device/installed.svelte");
  await startWorker();
}

function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work, { timeout: 4_000 });
  else setTimeout(work, 1_000);
}
