import { mount } from "svelte";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { startLanguage } from "$lib/i18n";
import { applyLook } from "$lib/preferences.svelte";
import { router, startRouter } from "$lib/router.svelte";
import { session } from "$lib/session.svelte";
import App from "./App.svelte";
import { loadPage } from "./pages";

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
}
