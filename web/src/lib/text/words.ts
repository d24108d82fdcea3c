/**
 * Events as sentences, by the catalogs of the games: "Milo places a tile: you get a red lantern, Iris a white one".
 * The engine tells the same way; `core/sentences.py` says how a catalog is read.
 */
import { kindOf, type AnyEvent } from "$lib/board/board";

type Sections = Record<string, Record<string, string>>;

/** What the sentences are made with. */
export interface Telling {
  /** The catalog of the game, and what all games share. */
  messages: Sections;
  shared: Sections;
  names: readonly string[];
  /** The seat that is called "you". */
  seat?: number | null;
}

type Section = "events" | "details" | "gets";

/** Without full stops. Facts that follow from the new position need no words. */
export function eventSentences(events: readonly AnyEvent[], telling: Telling): string[] {
  const told: { deed: string; outcome: string[] }[] = [];
  let outcome: string[] = [];
  for (const { starts, run } of runs(events, telling)) {
    if (!starts) {
      outcome.push(...outcomeOf(run, telling));
      continue;
    }
    for (const event of run) {
      // What comes before the first deed, such as the cards of a dedication, belongs to it.
      if (told.length) outcome = [];
      told.push({ deed: clause("events", event, telling), outcome });
    }
  }
  if (!told.length && outcome.length) return [capital(outcome.join(", "))];
  return told.map((each) => capital(joined(each, telling)));
}

/** What an action leads to, without the action itself. */
export function outcomeSentence(events: readonly AnyEvent[], telling: Telling): string {
  const led = runs(events, telling).filter(({ starts }) => !starts);
  return capital(led.flatMap(({ run }) => outcomeOf(run, telling)).join(", "));
}

function joined({ deed, outcome }: { deed: string; outcome: string[] }, telling: Telling): string {
  return outcome.length ? shared(telling, "outcome", { deed, outcome: outcome.join(", ") }) : deed;
}

/** Events that start sentences, and those between them. */
function runs(events: readonly AnyEvent[], telling: Telling): { starts: boolean; run: AnyEvent[] }[] {
  const all: { starts: boolean; run: AnyEvent[] }[] = [];
  for (const event of events) {
    if (event.event === "facts") continue;
    const starts = sectionOf(event, telling) === "events";
    const last = all.at(-1);
    if (last?.starts === starts) last.run.push(event);
    else all.push({ starts, run: [event] });
  }
  return all;
}

/** Who gets what, a clause for each player with the verb said once; then everything else. */
function outcomeOf(run: AnyEvent[], telling: Telling): string[] {
  const gets = run.filter((event) => sectionOf(event, telling) === "gets");
  const players = [...new Set(gets.map((event) => event.player as number))];
  const shares = players.map((player, k) => {
    const gains = gets.filter((event) => event.player === player).map((event) => clause("gets", event, telling));
    const key = `${k ? "gets-too" : "gets"}${player === telling.seat ? ".you" : ""}`;
    return shared(telling, key, { player: telling.names[player] ?? "", gains: listed(gains, telling) });
  });
  const details = run.filter((event) => !gets.includes(event));
  return [...shares, ...details.map((event) => clause("details", event, telling))];
}

function listed(gains: string[], telling: Telling): string {
  const last = gains.at(-1) ?? "";
  return gains.length > 1 ? shared(telling, "and", { most: gains.slice(0, -1).join(", "), last }) : last;
}

const capital = (sentence: string): string => sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);

function shared(telling: Telling, key: string, values: Record<string, string>): string {
  const template =
    telling.shared.told?.[key] ??
    Object.keys(values)
      .map((name) => `{${name}}`)
      .join(" ");
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? "");
}

function sectionOf(event: AnyEvent, { messages }: Telling): Section {
  const key = keyOf(event);
  if (messages.gets?.[key]) return "gets";
  return messages.details?.[key] ? "details" : "events";
}

/** A rule that gave nothing, or took, has a sentence of its own. */
function keyOf(event: AnyEvent): string {
  const { count = 1 } = event;
  return count > 0 ? kindOf(event) : `${kindOf(event)}_${count < 0 ? "lost" : "none"}`;
}

function clause(section: Section, event: AnyEvent, telling: Telling): string {
  const texts = telling.messages[section] ?? {};
  let key = keyOf(event);
  if (event.player === telling.seat && `${key}.you` in texts) key += ".you";
  if (event.count === 1 && `${key}#one` in texts) key += "#one";
  const template = texts[key];
  if (!template) return kindOf(event).replaceAll("_", " ");
  return template.replace(/\{(\w+)(?::([.\w]+))?\}/g, (_whole, field: string, form = "") =>
    wordFor(event, field, form as string, telling),
  );
}

function wordFor(event: AnyEvent, field: string, form: string, { messages, names }: Telling): string {
  const value = event[field];
  if (field === "player" && typeof value === "number") return names[value] ?? String(value);
  if (field === "count" && typeof value === "number") return String(Math.abs(value));
  if (typeof value === "string") return inForm(value, form, messages.words ?? {});
  if (Array.isArray(value)) return value.join();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function inForm(value: string, form: string, words: Record<string, string>): string {
  if (form === "each")
    return (value.includes(" ") ? value.split(" ") : [...value]).map((part) => words[part] ?? part).join(", ");
  if (form.startsWith(".")) return value.slice(0, Number(form.slice(1)));
  return words[form ? `${value}.${form}` : value] || value;
}
