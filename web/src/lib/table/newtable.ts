/** The form of a new table, as a value: what may be chosen and what is sent. */
import type { GameInfo, NewTable, Pace, SeatChoice } from "$lib/wire";

export type SeatKind = SeatChoice["kind"];
export type PaceName = "none" | "clock-10" | "clock-25" | "days-1" | "days-3";

export const PACES: Record<PaceName, Pace> = {
  none: { kind: "none" },
  "clock-10": { kind: "clock", seconds: 600, increment: 10 },
  "clock-25": { kind: "clock", seconds: 1500, increment: 15 },
  "days-1": { kind: "days", days: 1 },
  "days-3": { kind: "days", days: 3 },
};

export interface SeatForm {
  kind: SeatKind;
  level: string;
  name: string;
  /** The person whom the open seat is for. */
  friend?: { id: string; name: string };
}

export const newSeats = (players: number, level: string, old: SeatForm[] = []): SeatForm[] =>
  Array.from({ length: players }, (_, seat) => old[seat] ?? { kind: seat === 0 ? "me" : "open", level, name: "" });

export function toNewTable(
  game: string,
  seats: SeatForm[],
  options: Record<string, string>,
  pace: PaceName,
  isPublic: boolean,
): NewTable {
  const chosen = seats.map((seat): SeatChoice => {
    if (seat.kind === "bot") return { kind: "bot", level: seat.level };
    if (seat.kind === "open" && seat.friend) return { kind: "open", friend: seat.friend.id };
    const name = seat.name.trim();
    return seat.kind === "open" || !name ? { kind: seat.kind } : { kind: seat.kind, name };
  });
  return { game, seats: chosen, options, pace: PACES[pace], public: isPublic };
}

export type GameOption = GameInfo["options"][number];

/** The options that can differ from their defaults with that number of players. */
export const optionsFor = (game: GameInfo, players: number): GameOption[] =>
  game.options.filter((option) => !option.players?.length || option.players.includes(players));

/** What was chosen of these options, without what is the default anyway. A field left empty is the default. */
export function chosenOptions(options: readonly GameOption[], values: Record<string, string>): Record<string, string> {
  const chosen = options.map(({ name, default: usual }) => [name, values[name]?.trim() || usual, usual] as const);
  return Object.fromEntries(chosen.flatMap(([name, value, usual]) => (value === usual ? [] : [[name, value]])));
}
