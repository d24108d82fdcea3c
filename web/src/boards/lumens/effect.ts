/** What events do to the rooms, player by player: the table before and after them, and what they say. No rules. */
import { fold } from "$lib/board/fold";
import type { Event, Room, Token, View } from "./view";

export interface Effect {
  /** Where the token is placed; null on a passage. */
  room: string | null;
  /** The token that it covers. */
  covered: Token | null;
  /** Room by room: who gains or loses how many victory points. */
  points: { room: string; player: number; change: number }[];
  /** Who comes to lead a room, alone or with others, and who leads it no longer. */
  leads: { room: string; player: number; leads: boolean }[];
  /** Players who would be out. */
  blocked: number[];
  /** The rooms as they would stand. */
  rooms: readonly Room[];
}

export function effectOf(view: View, events: readonly Event[]): Effect {
  const { rooms } = fold(view, events);
  const leads = view.rooms.flatMap((room, index) => leadChanges(room, rooms[index] ?? room));
  const effect: Effect = { room: null, covered: null, points: [], leads, blocked: [], rooms };
  for (const event of events) {
    if (event.event === "move" && event.cause === "place") effect.room = event.room;
    else if (event.event === "covered") effect.covered = { player: event.player, face: event.face };
    else if (event.event === "score")
      effect.points.push({ room: event.room, player: event.player, change: event.count });
    else if (event.event === "blocked") effect.blocked.push(event.player);
  }
  return effect;
}

function leadChanges(before: Room, after: Room): Effect["leads"] {
  const change = (player: number, leads: boolean): Effect["leads"][number] => ({ room: before.room, player, leads });
  return [
    ...after.leaders.filter((player) => !before.leaders.includes(player)).map((player) => change(player, true)),
    ...before.leaders.filter((player) => !after.leaders.includes(player)).map((player) => change(player, false)),
  ];
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
  const then = effect?.rooms.find((each) => each.room === room.room) ?? room;
  const [pips, points] = [then.pips[player] ?? 0, then.points[player] ?? 0];
  return {
    pips,
    points,
    pipsChange: pips - (room.pips[player] ?? 0),
    pointsChange: points - (room.points[player] ?? 0),
  };
}

/** Players in the order in which a card lists them: the mover first. */
export const listed = (effect: Effect, mover: number): Effect["points"] =>
  [...effect.points].sort((a, b) => Number(b.player === mover) - Number(a.player === mover));

/** Room letter -> how it stands. */
export const roomNamed = (view: View, letter: string | null): Room | undefined =>
  view.rooms.find(({ room }) => room === letter);
