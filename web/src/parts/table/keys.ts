/** Single keys that work anywhere at a table. A board has its own besides, and hears them first. */
import { isTyping } from "$lib/page/focus";
import { preferences } from "$lib/device/preferences.svelte";

/** The keys in the order in which they are explained; each has a text `key.<what it does>`. */
export const TABLE_KEYS = {
  G: "decide",
  S: "stand",
  A: "again",
  H: "hint",
  U: "undo",
  L: "log",
  C: "chat",
  "?": "help",
} as const;
export type TableKey = keyof typeof TABLE_KEYS;

/** Speech input and some screen readers send letters that nobody meant as commands: they can be switched off. */
export const isMuted = (event: KeyboardEvent): boolean => !preferences.shortcuts && /^[a-z]$/i.test(event.key);

export function tableKey(event: KeyboardEvent): TableKey | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return null;
  const key = event.key.toUpperCase();
  return key in TABLE_KEYS ? (key as TableKey) : null;
}
