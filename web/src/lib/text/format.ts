/** Messages with {placeholders} and plural forms; pure, so that tests need no page. */

export type Values = Record<string, string | number>;
export type Catalogue = Record<string, string>;

/**
 * The text of a key with its placeholders filled in. Where a text depends on a number, the catalog has `key#one`, `key#other` and
 * so on (the categories of Intl.PluralRules), and `values.count` decides. A missing text shows its key, which a test would have found.
 */
export function format(catalogue: Catalogue, language: string, key: string, values: Values = {}): string {
  const text = catalogue[key] ?? pluralForm(catalogue, language, key, values.count) ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

const rules = new Map<string, Intl.PluralRules>();

function pluralForm(catalogue: Catalogue, language: string, key: string, count: unknown): string | undefined {
  if (typeof count !== "number") return catalogue[`${key}#other`];
  if (!rules.has(language)) rules.set(language, new Intl.PluralRules(language));
  return catalogue[`${key}#${rules.get(language)?.select(count)}`] ?? catalogue[`${key}#other`];
}

/** The first language of a person's list that we speak. */
export function bestLanguage<L extends string>(wanted: readonly string[], spoken: readonly L[]): L | undefined {
  for (const tag of wanted) {
    const found = spoken.find((language) => tag.toLowerCase().split("-")[0] === language);
    if (found) return found;
  }
  return undefined;
}
