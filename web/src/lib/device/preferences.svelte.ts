/** What this browser remembers about its person. Kept in localStorage, nowhere else. */
import type { Language } from "$lib/text/i18n.svelte";

export type Theme = "auto" | "night" | "mist";

/** What the player chose the last time they started a game. */
export interface GameChoice {
  players: number;
  level: string;
}

/** Where a guide was left: the lesson, its step, and what the learner did in it. */
export interface GuidePlace {
  lesson: string;
  step: number;
  done: string[];
}

interface Stored {
  language: Language | null;
  theme: Theme;
  sound: boolean;
  motion: "auto" | "reduced";
  name: string;
  game: string;
  choices: Record<string, GameChoice>;
  notify: boolean;
  /** Whether single letters are commands at a table. */
  shortcuts: boolean;
  guides: Record<string, GuidePlace>;
  /** When a way back was last offered and put off. */
  offered: number;
}

const KEY = "lampion";

/** Sound is soft, and still off where people are among others. */
const isPhone = (): boolean => typeof matchMedia !== "undefined" && matchMedia("(pointer: coarse)").matches;

const defaults = (): Stored => ({
  language: null,
  theme: "night", // games about light
  sound: !isPhone(),
  motion: "auto",
  name: "",
  game: "",
  choices: {},
  notify: false,
  shortcuts: true,
  guides: {},
  offered: 0,
});

function read(): Stored {
  try {
    return { ...defaults(), ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Stored>) };
  } catch {
    return defaults(); // storage is switched off, or what is there is none of ours
  }
}

export const preferences: Stored = $state(read());

export function remember(change: Partial<Stored>): void {
  Object.assign(preferences, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // without storage it lasts until the page is closed
  }
  applyLook();
}

export function forgetPreferences(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // nothing was kept
  }
  Object.assign(preferences, defaults());
  applyLook();
}

/** Style sheets look at the attributes of the root element. */
export function applyLook(): void {
  const root = document.documentElement;
  root.dataset.theme = preferences.theme;
  root.dataset.motion = preferences.motion;
}

/** Whether things should fade instead of fly: the person's choice here, or that of their system. */
export function reducedMotion(): boolean {
  return preferences.motion === "reduced" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
