/** The language of the page and its texts, loaded when needed; everything that shows a text follows a change of language. */
import { bestLanguage, format, type Catalogue, type Values } from "./format";
import { preferences } from "$lib/device/preferences.svelte";

export type Language = string;

const files = import.meta.glob<{ default: Catalogue }>(["../../messages/*/*.json", "../../boards/*/messages/*/*.json"]);

/** A language is there because its folder of texts is. */
const SPOKEN: Language[] = Object.keys(files)
  .flatMap((path) => /^\.\.\/\.\.\/messages\/(.*)\/shell\.json$/.exec(path)?.[1] ?? [])
  .sort();

/** Every language by its code, in its own words. */
export const LANGUAGES: Record<Language, string> = Object.fromEntries(SPOKEN.map((code) => [code, ownName(code)]));

function ownName(language: Language): string {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

class Texts {
  language = $state<Language>("en");
  catalogues = $state.raw<Record<string, Catalogue>>({});
}
const texts = new Texts();

/**
 * A namespace is a file of `messages/<language>`, such as "shell", or of a board's own: "<game>/board", "<game>/learn". With those come
 * the words of the game, such as `words.R`: they are in the catalogs of the engine, and `scripts/web_art.py` brings them here.
 */
export async function loadTexts(namespace: string): Promise<void> {
  if (texts.catalogues[namespace]) return;
  const found = await fetchTexts(texts.language, namespace);
  texts.catalogues = { ...texts.catalogues, [namespace]: found };
}

async function fetchTexts(language: Language, namespace: string): Promise<Catalogue> {
  const [game, file] = namespace.split("/");
  const own = `../../boards/${game}/messages/${language}`;
  const paths = file ? [`${own}/words.json`, `${own}/${file}.json`] : [`../../messages/${language}/${game}.json`];
  const found = await Promise.all(paths.map(async (path) => (await files[path]?.())?.default ?? {}));
  return Object.assign({}, ...found) as Catalogue;
}

/** Changes the language once all texts on the page are there, so that nothing flickers. */
export async function setLanguage(language: Language): Promise<void> {
  const namespaces = [...new Set(["shell", ...Object.keys(texts.catalogues)])];
  const found = await Promise.all(namespaces.map((namespace) => fetchTexts(language, namespace)));
  texts.catalogues = Object.fromEntries(namespaces.map((namespace, index) => [namespace, found[index] ?? {}]));
  texts.language = language;
  document.documentElement.lang = language;
}

/** The language that the person chose, or the browser's. */
export async function startLanguage(): Promise<void> {
  await setLanguage(preferences.language ?? bestLanguage(navigator.languages, SPOKEN) ?? "en");
}

export const currentLanguage = (): Language => texts.language;

/** "Ada, Ben and Eve", as the language has it. */
export function listOf(words: readonly string[]): string {
  return new Intl.ListFormat(texts.language, { type: "conjunction" }).format(words);
}

/** The texts of a namespace: `const t = textsOf("my_game/board")`, then `t("key", { count: 2 })` in the markup. */
export function textsOf(namespace: string): (key: string, values?: Values) => string {
  return (key, values) => format(texts.catalogues[namespace] ?? {}, texts.language, key, values);
}

/** The texts of the shell. */
export const t = textsOf("shell");
