/** The contract between the table page and the boards of the games. A board knows no rules: it shows and it asks. */
import type { Component } from "svelte";

/** What a board is given. V is the game's view, E one of its events. */
export interface BoardProps<V, E> {
  /** What this seat sees. */
  view: V;
  /** Actions in notation; empty when it is not this seat's turn. */
  legal: string[];
  /** The events that each legal action would cause, for everybody. Arrives a moment after `legal`, so an action may be missing. */
  previews: Record<string, E[]>;
  /** The events of the steps that led to this view, in order, for animation. */
  recent: E[];
  /** Called once the person has confirmed. */
  act(action: string): void;
  /** A command is on its way. */
  waiting: boolean;
  /** An action to highlight. */
  hint: string | null;
  /** Opens a rule of the game's rulebook, such as "L10". */
  askRule(rule: string): void;
  /** The table as SVG, for a game that has no board of its own. */
  drawing?: string | null;
  /** No interaction: the page shows a game to a spectator or a record. */
  replay: boolean;
}

/** What every view has, whatever the game (`Match.view`). */
export interface AnyView {
  game: string;
  players: number;
  names: string[];
  seat: number | null;
  ply: number;
  to_act: number | "c" | null;
  actors: number[];
  scores: number[];
  winners: number[];
  placements: number[];
  [more: string]: unknown;
}

/** What every event has: what happened or, if something moved, why; and usually whom it concerns. */
export interface AnyEvent {
  event: string;
  cause?: string;
  player?: number;
  count?: number;
  [more: string]: unknown;
}

/** What tells events apart: the cause of a movement, the name of any other. */
export const kindOf = (event: AnyEvent): string => event.cause ?? event.event;

/** How the shell holds a board whose game it does not know. */
export type AnyBoard = Component<BoardProps<AnyView, AnyEvent>>;
