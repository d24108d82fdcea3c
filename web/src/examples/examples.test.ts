import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "$lib/text/i18n";
import { rulebookParts } from "$lib/text/markdown";
import { loadExamples } from "./index";

const BOOKS = fileURLToPath(new URL("../../../src/lampion/games", import.meta.url));

function named(game: string, language: string): string[] {
  const markdown = readFileSync(`${BOOKS}/${game}/rulebook/${language}.md`, "utf-8");
  return rulebookParts(markdown).flatMap((part) => ("example" in part ? [part.example] : []));
}

describe.each(["lanterns", "lanterns_dice", "lumens"])("the examples of %s", async (game) => {
  const drawings = (await loadExamples(game))?.drawings ?? {};

  it.each(Object.keys(LANGUAGES))("are those that the rulebook names, each once: %s", (language) => {
    expect(named(game, language).sort()).toEqual(Object.keys(drawings).sort());
  });
  it.each(Object.entries(drawings))("can be drawn: %s", (_, drawing) => {
    expect(render(drawing).body).toContain("<svg");
  });
});

it.each([
  ["matching", 2, 2],
  ["empty-pile", 1, 1],
])("show which sides match, and which platforms pay: %s", async (name, sides, favors) => {
  const drawing = (await loadExamples("lanterns"))?.drawings[name];
  const body = drawing ? render(drawing).body : "";
  expect([...body.matchAll(/class="bridge/g)].length).toBe(sides);
  expect([...body.matchAll(/>\+1</g)].length).toBe(favors);
});
it("are missing without harm in a game of others", async () => {
  expect(await loadExamples("connect_four")).toBeNull();
});
