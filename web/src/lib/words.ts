/** Events as sentences, by the catalogues of the games: players by their names, values by the game's words for them. */
import { kindOf, type AnyEvent } from "./board";

type Sections = Record<string, Record<string, string>>;

/** Empty for what needs no words: facts that follow from the new position. */
export function eventSentence(messages: Sections, event: AnyEvent, names: string[]): string {
  if (event.event === "facts") return "";
  const template = messages.events?.[keyOf(event)];
  if (!template) return kindOf(event).replaceAll("_", " ");
  return template.replace(/\{(\w+)\}/g, (_whole, field: string) => wordFor(messages, event, field, names));
}

/** A rule that gave nothing, or took, has a sentence of its own. */
function keyOf(event: AnyEvent): string {
  const { count = 1 } = event;
  return count > 0 ? kindOf(event) : `${kindOf(event)}_${count < 0 ? "lost" : "none"}`;
}

function wordFor(messages: Sections, event: AnyEvent, field: string, names: string[]): string {
  const value = event[field];
  if (field === "player" && typeof value === "number") return names[value] ?? String(value);
  if (field === "count" && typeof value === "number") return String(Math.abs(value));
  if (typeof value === "string") return messages.words?.[value] || value;
  if (Array.isArray(value)) return value.join();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
