/** Problems as sentences in the language of the page. */
import { Refusal } from "$lib/net/api";
import { currentLanguage, t } from "./i18n";
import { session } from "$lib/person/session.svelte";
import type { Problem } from "$lib/wire";

export function problemText(problem: Problem): string {
  if (problem.code.endsWith("-in-force")) return sanctionText(problem);
  const { game, key } = (problem.values ?? {}) as { game?: unknown; key?: unknown };
  if (typeof game === "string" && typeof key === "string") {
    const reason = session.refusal(game, key);
    if (reason) return fill(reason, problem.values ?? {});
  }
  const ours = t(`problem.${problem.code}`, problem.values as Record<string, string>);
  if (ours !== `problem.${problem.code}`) return ours;
  const shared = session.shared().errors?.[problem.code];
  return asSentence(shared ? fill(shared, problem.values ?? {}) : problem.message);
}

/** A ban or a mute: until when, and why, as far as the server says. */
function sanctionText({ code, values }: Problem): string {
  const { reason, until_ms: until } = (values ?? {}) as { reason?: unknown; until_ms?: unknown };
  const ends = typeof until === "number" && until >= 0;
  const words = ends ? t(`problem.${code}.until`, { until: dateText(until) }) : t(`problem.${code}`);
  return typeof reason === "string" && reason ? `${words} ${t("problem.reason", { reason })}` : words;
}

const dateText = (ms: number): string =>
  new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "long", timeStyle: "short" }).format(ms);

/** The engine's messages are clauses that follow a colon in a terminal; on a page they stand alone. */
const asSentence = (text: string): string =>
  text.charAt(0).toLocaleUpperCase(currentLanguage()) + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");

const fill = (text: string, values: Record<string, unknown>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));

export function errorText(error: unknown): string {
  return error instanceof Refusal ? problemText(error.problem) : error instanceof Error ? error.message : String(error);
}
