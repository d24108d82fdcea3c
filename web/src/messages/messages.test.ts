/** Every text exists in every language, with the same placeholders. */
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "$lib/text/i18n";

const files = import.meta.glob<Record<string, string>>(["./*/*.json", "../boards/*/messages/*/*.json"], {
  eager: true,
  import: "default",
});
/** Where a file of texts stands, with a hole for its language. */
const places = [...new Set(Object.keys(files).map((path) => path.replace(/[^/]*(\/[^/]*\.json)$/, "LANGUAGE$1")))];
const languages = Object.keys(LANGUAGES);

const base = (key: string): string => key.replace(/#\w+$/, "");
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").sort();

/** The placeholders of a key; of a text with plural forms, those of its form `#other`. */
const shape = (texts: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(
    Object.keys(texts).map((key) => [base(key), placeholders(texts[`${base(key)}#other`] ?? texts[key] ?? "")]),
  );

describe.each(places)("%s", (place) => {
  it.each(languages)("is complete in %s", (language) => {
    const english = files[place.replace("LANGUAGE", "en")] ?? {};
    const texts = files[place.replace("LANGUAGE", language)] ?? {};
    expect(shape(texts)).toEqual(shape(english));
    expect(Object.entries(texts).filter(([, text]) => !text.trim())).toEqual([]);
  });
});

it("finds the languages by their folders, each in its own words", () => {
  expect(LANGUAGES).toEqual({ en: "English", fr: "Français", it: "Italiano" });
});
