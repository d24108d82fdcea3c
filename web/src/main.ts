import { mount } from "svelte";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { startLanguage } from "$lib/i18n";
import { applyLook } from "$lib/preferences.svelte";
import { startRouter } from "$lib/router.svelte";

applyLook();

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");

if (import.meta.env.DEV && location.pathname.startsWith("/dev")) {
  const [{ default: Harness }] = await Promise.all([import("./dev/Harness.svelte"), startLanguage()]);
  mount(Harness, { target });
} else {
  startRouter();
  const [{ default: App }] = await Promise.all([import("./App.svelte"), startLanguage()]);
  mount(App, { target });
}
