/** Every text exists in every language, with the same placeholders. */
import { describe, expect, it } from "vitest";

const files = import.meta.glob<Record<string, string>>("./*/*.json", { eager: true, import: "default" });
const languages = ["en", "fr", "it"];
const namespaces = [...new Set(Object.keys(files).map((path) => path.replace(/^.*\/(.*)\.json$/, "$1")))];

const base = (key: string): string => key.replace(/#\w+$/, "");
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").sort();

/** The placeholders of a key; of a text with plural forms, those of its form `#other`. */
const shape = (texts: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(
    Object.keys(texts).map((key) => [base(key), placeholders(texts[`${base(key)}#other`] ?? texts[key] ?? "")]),
  );

describe.each(namespaces)("%s", (namespace) => {
  it.each(languages)("is complete in %s", (language) => {
    const english = files[`./en/${namespace}.json`] ?? {};
    const texts = files[`./${language}/${namespace}.json`] ?? {};
    expect(shape(texts)).toEqual(shape(english));
    expect(Object.entries(texts).filter(([, text]) => !text.trim())).toEqual([]);
  });
});
