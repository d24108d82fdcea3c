/** Every page but the first is loaded when it is opened. */
import type { Component } from "svelte";
import type { Route } from "$lib/page/router.svelte";

export type Page = Component<{ route: Route }>;

const PAGES: Record<Exclude<Route["page"], "home">, () => Promise<{ default: unknown }>> = {
  table: () => import("./Table.svelte"),
  replay: () => import("./Replay.svelte"),
  result: () => import("./Result.svelte"),
  review: () => import("./Review.svelte"),
  rules: () => import("./Rules.svelte"),
  learn: () => import("./Learn.svelte"),
  claim: () => import("./Claim.svelte"),
  recover: () => import("./Recover.svelte"),
  profile: () => import("./Profile.svelte"),
  practice: () => import("./Practice.svelte"),
  about: () => import("./About.svelte"),
  admin: () => import("./Admin.svelte"),
  missing: () => import("./Missing.svelte"),
};

/** Null is the home page, which is there from the start. */
export async function loadPage(page: Route["page"]): Promise<Page | null> {
  return page === "home" ? null : ((await PAGES[page]()).default as Page);
}
