/**
 * The drawn examples of every rulebook as HTML, for the documentation site: `scripts/drawn.mjs`. Runs in Node only.
 */
import type { Component } from "svelte";
import { render } from "svelte/server";
import { LANGUAGES, setLanguage } from "$lib/text/i18n";
import Definitions from "$art/Definitions.svelte";
import { loadExamples } from "./index";

const folders = Object.keys(import.meta.glob("../boards/*/examples/index.ts"));

export interface Drawn {
  /** The styles of all drawings. */
  css: string;
  /** What the drawings of a game stamp, once per page. */
  pieces: Record<string, string>;
  /** By game, language, and name in the rulebook. */
  drawings: Record<string, Record<string, Record<string, string>>>;
}

export async function drawn(): Promise<Drawn> {
  const styles = new Set<string>();
  const html = (component: Component): string => {
    const { head, body } = render(component);
    for (const [, css] of head.matchAll(/<style[^>]*>(.*?)<\/style>/gs)) if (css) styles.add(css);
    return body.replace(/<!--.*?-->/gs, "");
  };
  const found: Drawn = { css: "", pieces: {}, drawings: {} };
  for (const folder of folders) {
    const game = folder.split("/")[2] ?? "";
    const examples = await loadExamples(game);
    if (!examples) continue;
    found.pieces[game] = html(Definitions as Component) + html(examples.Pieces);
    const spoken = (found.drawings[game] = {} as Drawn["drawings"][string]);
    for (const language of Object.keys(LANGUAGES)) {
      await setLanguage(language);
      const drawings = Object.entries(examples.drawings).map(([name, drawing]) => [name, html(drawing)] as const);
      spoken[language] = Object.fromEntries(drawings);
    }
  }
  found.css = [...styles].join("\n");
  return found;
}
