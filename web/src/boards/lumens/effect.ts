/** What events do to the rooms, player by player. Sums of what the server announced; no rules. */
import type { Event, Room, Token, View } from "./view";

export interface Effect {
  /** Where the token is placed; null on a passage. */
  room: string | null;
  /** The token that it covers. */
  covered: Token | null;
  /** By player, in that room. */
  pips: number[];
  /** Room by room: who gains or loses how many victory points. */
  points: { room: string; player: number; change: number }[];
  /** Players who would be out. */
  blocked: number[];
}

export function effectOf(players: number, events: readonly Event[]): Effect {
  const effect: Effect = {
    room: null,
    covered: null,
    pips: Array(players).fill(0) as number[],
    points: [],
    blocked: [],
  };
  const addPips = (player: number, change: number): void => {
    effect.pips[player] = (effect.pips[player] ?? 0) + change;
  };
  for (const event of events) {
    if (event.event === "move" && event.cause === "place") {
      effect.room = event.room;
      if (event.room) addPips(event.player, event.face);
    } else if (event.event === "covered") {
      effect.covered = { player: event.player, face: event.face };
      if (event.room) addPips(event.player, -event.face);
    } else if (event.event === "score") {
      effect.points.push({ room: event.room, player: event.player, change: event.count });
    } else if (event.event === "blocked") {
      effect.blocked.push(event.player);
    }
  }
  return effect;
}

/** What a player's victory points change by in all. */
export const gainOf = (effect: Effect, player: number): number =>
  effect.points.reduce((sum, each) => (each.player === player ? sum + each.change : sum), 0);

/** How a player stands in a room, and what would change. */
export interface Standing {
  pips: number;
  points: number;
  pipsChange: number;
  pointsChange: number;
}

export function standingOf(room: Room, player: number, effect: Effect | null): Standing {
  const pipsChange = effect?.room === room.room ? (effect.pips[player] ?? 0) : 0;
  const changes = effect?.points.filter((each) => each.room === room.room && each.player === player) ?? [];
  const pointsChange = changes.reduce((sum, each) => sum + each.change, 0);
  return {
    pips: (room.pips[player] ?? 0) + pipsChange,
    points: (room.points[player] ?? 0) + pointsChange,
    pipsChange,
    pointsChange,
  };
}

/** Players in the order in which a card lists them: the mover first. */
export const listed = (effect: Effect, mover: number): Effect["points"] =>
  [...effect.points].sort((a, b) => Number(b.player === mover) - Number(a.player === mover));

/** Room letter -> how it stands. */
export const roomNamed = (view: View, letter: string | null): Room | undefined =>
  view.rooms.find(({ room }) => room === letter);
