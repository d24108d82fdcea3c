/** Client-side routes: a handful of patterns over the address bar. Links are plain <a href>; clicks on our own are caught. */

import { at, BASE, within } from "$lib/net/base";
import { invitationIn } from "$lib/net/invitations";

export type Route =
  | { page: "home" }
  | { page: "table"; id: string; invite: string | null }
  | { page: "replay"; id: string | null; ply: number | null; seat: number | null; shared: boolean }
  | { page: "result"; id: string | null }
  | { page: "review"; id: string | null; ply: number | null }
  | { page: "rules"; game: string; rule: string | null }
  | { page: "learn"; game: string }
  | { page: "claim"; code: string }
  | { page: "recover" }
  | { page: "profile" }
  | { page: "practice"; id: string | null }
  | { page: "about" }
  | { page: "admin" }
  | { page: "missing" };

const numberOf = (text: string | null): number | null => (text !== null && /^\d+$/.test(text) ? Number(text) : null);

export function routeOf(address: URL, base = BASE): Route {
  const path = within(address.pathname, base);
  if (path === null) return { page: "missing" };
  const [first = "", second = "", third] = path.split("/").filter(Boolean).map(decodeURIComponent);
  const fragment = decodeURIComponent(address.hash.slice(1));
  if (third !== undefined) return { page: "missing" };
  switch (first) {
    case "":
      return { page: "home" };
    case "t":
      return second ? { page: "table", id: second, invite: invitationIn(fragment) } : { page: "missing" };
    case "replay": {
      const { searchParams } = address;
      return {
        page: "replay",
        id: second || null,
        ply: numberOf(searchParams.get("ply")),
        seat: numberOf(searchParams.get("seat")),
        shared: searchParams.has("shared"),
      };
    }
    case "result":
      return { page: "result", id: second || null };
    case "review":
      return { page: "review", id: second || null, ply: numberOf(address.searchParams.get("ply")) };
    case "rules":
      return second ? { page: "rules", game: second, rule: fragment || null } : { page: "missing" };
    case "learn":
      return second ? { page: "learn", game: second } : { page: "missing" };
    case "claim":
      return { page: "claim", code: fragment };
    case "recover":
      return second ? { page: "missing" } : { page: "recover" };
    case "me":
      return second ? { page: "missing" } : { page: "profile" };
    case "practice":
      return { page: "practice", id: second || null };
    case "about":
      return { page: "about" };
    case "admin":
      return second ? { page: "missing" } : { page: "admin" };
    default:
      return { page: "missing" };
  }
}

class Router {
  route = $state.raw<Route>({ page: "home" });
}
export const router = new Router();

const update = (): void => void (router.route = routeOf(new URL(location.href)));

/** Goes to one of our pages, named without the folder. */
export function navigate(path: string, options: { replace?: boolean } = {}): void {
  history[options.replace ? "replaceState" : "pushState"](null, "", at(path));
  update();
  if (!options.replace) scrollTo(0, 0);
}

/** Changes the address without leaving the page, so that a link to the present view can be copied. */
export function rewriteAddress(path: string): void {
  history.replaceState(null, "", at(path));
}

export function startRouter(): void {
  update();
  addEventListener("popstate", update);
  addEventListener("hashchange", update);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    const path = within(link.pathname);
    if (path === null || path.startsWith("/api/")) return;
    if (link.pathname === location.pathname && link.hash) return; // a jump within the page
    event.preventDefault();
    navigate(path + link.search + link.hash);
  });
}
