/**
 * The drawn examples of the rulebooks. A rulebook says `![words](example:name)` where one belongs; `boards/<game>/examples/<name>.svelte` draws it with
 * the pieces of the board. They come with the rulebook, all of a game at once, and a game without them shows the words alone.
 */
import { loadTexts } from "$lib/text/i18n";
import type { Component } from "svelte";

export interface Examples {
  /** What the drawings stamp; once per page. */
  Pieces: Component;
  /** By their names in the rulebooks. */
  drawings: Record<string, Component>;
}

const games = import.meta.glob<{ examples: Examples }>("../boards/*/examples/index.ts");

export async function loadExamples(game: string): Promise<Examples | null> {
  const load = games[`../boards/${game}/examples/index.ts`];
  if (!load) return null;
  const [module] = await Promise.all([load(), loadTexts(`${game}/board`)]);
  return module.examples;
}
