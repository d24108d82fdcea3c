/** Events as sentences, by the catalogues of the games: players by their names, values by the game's words for them. */
import type { AnyEvent } from "./board";

type Sections = Record<string, Record<string, string>>;

export function eventSentence(messages: Sections, event: AnyEvent, names: string[]): string {
  const template = messages.events?.[event.event];
  if (!template) return event.event.replaceAll("_", " ");
  return template.replace(/\{(\w+)\}/g, (_whole, field: string) => wordFor(messages, event, field, names));
}

function wordFor(messages: Sections, event: AnyEvent, field: string, names: string[]): string {
  const value = event[field];
  if (field === "player" && typeof value === "number") return names[value] ?? String(value);
  return (typeof value === "string" && messages.words?.[value]) || String(value ?? "");
}
