import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "$lib/i18n";
import { rulebookParts } from "$lib/markdown";

const GAMES = ["lanterns", "lanterns_dice", "lumens"];
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The files that `import.meta.glob` takes up in a game's `index.ts`. */
const drawn = (game: string): string[] =>
  readdirSync(here(game)).flatMap((file) => /^([a-z].*)\.svelte$/.exec(file)?.[1] ?? []);

function named(game: string, language: string): string[] {
  const markdown = readFileSync(here(`../../../src/lampion/games/${game}/rulebook/${language}.md`), "utf-8");
  return rulebookParts(markdown).flatMap((part) => ("example" in part ? [part.example] : []));
}

describe.each(GAMES)("the examples of %s", (game) => {
  it.each(Object.keys(LANGUAGES))("are all drawn, and each is in the rulebook once: %s", (language) => {
    expect(named(game, language).sort()).toEqual(drawn(game).sort());
  });
});
