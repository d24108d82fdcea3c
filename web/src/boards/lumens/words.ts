/** Sentences about squares, tokens, seats and outcomes, for the eye and for screen readers. Made of texts of the catalog. */
import { listOf, textsOf } from "$lib/text/i18n";
import type { Light, Room, Target, View } from "./view";
import { listed, roomNamed, standingOf, type Effect } from "./effect";
import { nextSquares, roomAt } from "./house";

export const t = textsOf("lumens/board");

export const nameOf = (view: View, player: number): string =>
  player === view.seat ? t("you") : (view.names[player] ?? "");

export const pipsWords = (count: number): string => t("pips.count", { count });
export const pointsWords = (count: number): string => t("points.count", { count });

/** A number with its sign; a real minus. */
export const signed = (change: number): string => (change < 0 ? `−${-change}` : `+${change}`);

export const tokenWords = (view: View, { player, face }: { player: number; face: number }): string =>
  t("token", { color: t(`words.${view.seats[player]?.color}`), face, name: nameOf(view, player) });

export function lightWords(view: View, light: Light): string {
  const token = tokenWords(view, light);
  const values = { square: light.square, token };
  return light.covered ? t("light.stack", { ...values, covered: tokenWords(view, light.covered) }) : t("light", values);
}

const placeWords = (view: View, square: string): string => {
  const room = roomAt(view.board, square);
  return room ? t("in.room", { square, room }) : t("in.passage", { square });
};

/** A square on which a token may be placed: where it is, what lies there, and which tokens count there. */
export function targetWords(view: View, square: string, target: Target | undefined): string {
  const light = view.squares.find((each) => each.square === square);
  const parts = [placeWords(view, square)];
  if (light) parts.push(t("target.covers", { token: tokenWords(view, light) }));
  if (target?.origins.length) parts.push(t("target.from", { squares: target.origins.join(", ") }));
  if (target?.start_right) parts.push(t("target.start"));
  return `${parts.join(", ")}.`;
}

/** What a placement does, a line for each thing. */
export function effectLines(view: View, effect: Effect, mover: number): string[] {
  const lines = [roomLine(view, effect, mover)];
  if (effect.covered) lines.push(t("does.covers", { token: tokenWords(view, effect.covered) }));
  for (const { player, room, change } of listed(effect, mover)) {
    const values = { name: nameOf(view, player), room, count: Math.abs(change) };
    lines.push(t(change < 0 ? "does.loses" : "does.gains", values));
  }
  lines.push(...leadLines(view, effect));
  lines.push(...effect.blocked.map((player) => t("does.blocked", { name: nameOf(view, player) })));
  return lines;
}

/** Rooms that a placement wins or loses. */
export const leadLines = (view: View, effect: Effect): string[] =>
  effect.leads.map(({ room, player, leads }) => {
    const who = player === view.seat ? "you" : "other";
    return t(`${leads ? "wins" : "drops"}.${who}`, { name: nameOf(view, player), room });
  });

function roomLine(view: View, effect: Effect, mover: number): string {
  const room = roomNamed(view, effect.room);
  if (!room) return t("does.passage");
  const before = room.pips[mover] ?? 0;
  return t("does.pips", { room: room.room, before, after: standingOf(room, mover, effect).pips });
}

/** Where a face could count on to. */
export const nextWords = (target: Target | undefined, face: number): string => {
  const squares = target ? nextSquares(target, face) : [];
  return squares.length ? t("next", { squares: squares.join(", ") }) : t("next.none");
};

/** A room for screen readers. */
export function roomWords(view: View, room: Room): string {
  const leaders = listOf(room.leaders.map((player) => nameOf(view, player)));
  const name = t(room.center ? "room.center" : "room", { room: room.room });
  return leaders ? `${name}: ${t("room.leads", { names: leaders })}` : `${name}: ${t("room.dark")}`;
}

/** The pips of everybody in a room. */
export function roomPips(view: View, room: Room): string {
  const pips = view.seats.map((_, player) => `${nameOf(view, player)} ${room.pips[player] ?? 0}`);
  return `${t(room.center ? "room.center" : "room", { room: room.room })}: ${pips.join(", ")}`;
}

/** What a seat is doing, in a word or two. */
export function doing(view: View, player: number): string {
  const seat = view.seats[player];
  if (view.winners.includes(player)) return t("winner");
  if (seat?.is_out) return t("out");
  if (view.turn.phase === "start_face") return t(seat?.has_chosen ? "has_chosen" : "is_choosing");
  return view.actors.includes(player) ? t("to_act") : "";
}

export const kindsWords = (view: View, player: number): string =>
  (view.seats[player]?.unshown ?? [])
    .map(({ faces, count }) => t("kind", { count, low: faces[0] ?? 0, high: faces[1] ?? 0 }))
    .join(", ");
