/** Events and choices in words; the texts themselves are in the catalogs. */
import { fold } from "$lib/board/fold";
import { textsOf } from "$lib/text/i18n";
import type { Event, View } from "./view";
import { areaParts, parse } from "./notation";
import type { Choice } from "./scene.svelte";

export const t = textsOf("lanterns_dice/board");

export const colorWord = (color: string): string => t(`words.${color}`);

export function areaWord(area: string): string {
  const [pool, half] = areaParts(area);
  return t(`area.${half}`, { pool });
}

/** The numbered rule that a choice is about. */
export const RULES: Record<Choice, string> = {
  tray: "D6",
  die: "D7",
  turn_bonus: "D8",
  card: "D9",
  card_area: "D9",
  second_area: "D9",
  platform_bonus: "D12",
  launch: "D15",
};

/** What an action would do, a line for each thing; each is told of the table as it then is. */
export function effects(events: readonly Event[], view: View): string[] {
  return events.flatMap((event, k) => effect(event, fold(view, events.slice(0, k + 1))) ?? []);
}

function effect(event: Event, view: View): string | null {
  switch (event.event) {
    case "area_shaded":
      return t("does.area_shaded", { area: areaWord(event.area), color: colorWord(event.color) });
    case "pool_completed":
    case "boat_lost":
      return t(`does.${event.event}`, { pool: event.pool });
    case "bonus_due":
      return event.count ? t("does.bonus_due", { pool: event.pool }) : null;
    case "move":
      return moved(event, view);
    case "skipped":
      return t(`does.skipped.${event.choice}`);
    case "turn_ended":
      return t("does.turn_ended", { name: view.names[event.player] ?? "" });
    case "game_ended":
      return t("does.game_ended");
    default:
      return null;
  }
}

function moved(event: Extract<Event, { event: "move" }>, view: View): string {
  switch (event.cause) {
    case "pavilion":
      return t("does.gift_earned", { count: event.gifts });
    case "card":
      return t("does.card_bought", { count: event.count, left: view.seats[event.player]?.gifts ?? 0 });
    case "reroll":
      return t("does.rerolled", { count: event.count, left: view.seats[event.player]?.gifts ?? 0 });
    case "launch":
      return launched(event.shape, event.count, view);
  }
}

/** A launch concerns everybody: it takes the top tile of a stack. */
function launched(shape: string, honor: number, view: View): string {
  const stack = view.stacks.find((each) => each.shape === shape);
  const next = stack?.honors[0];
  const tile = t("does.launched", { shape: t(`shape.${stack?.shape}`), honor });
  return `${tile} ${next === undefined ? t("does.last_tile") : t("does.next_tile", { honor: next })}`;
}

/** What the confirming button says. */
export function confirmWord(action: string, view: View): string {
  const parsed = parse(action);
  switch (parsed?.kind) {
    case "shade":
      return t("confirm.shade", { area: parsed.halves.length > 1 ? parsed.pool : areaWord(action) });
    case "card":
      return t("confirm.card", { count: view.emperor[parsed.card - 1]?.cost ?? 0 });
    case "reroll":
      return t("confirm.reroll", { count: view.reroll_cost });
    case "launch":
      return t("confirm.launch");
    case "tray":
      return t("confirm.tray");
    default:
      return t("confirm.skip");
  }
}

/** What a seat is doing, in a word or two. */
export function doing(view: View, player: number): string {
  const seat = view.seats[player];
  if (view.winners.includes(player)) return t("doing.winner");
  if (seat?.choice && view.actors.includes(player)) return t(`doing.${seat.choice}`);
  return view.turn.phase === "act" || view.turn.phase === "last_launch" ? t("doing.done") : "";
}

/** A seat for screen readers. */
export function seatWords(view: View, player: number): string {
  const seat = view.seats[player];
  if (!seat) return "";
  const { fireworks, second_group, boats, total } = seat.score;
  const values = { name: view.names[player] ?? "", sheet: seat.sheet ?? "?", fireworks, second_group, boats, total };
  const lines = [t("hear.seat", values), t("hear.gifts", { count: seat.gifts })];
  if (seat.die) lines.push(t("hear.die", { color: colorWord(seat.die) }));
  lines.push(t("hear.shaded", { count: seat.shaded.length }));
  if (seat.groups.length) lines.push(t("hear.groups", { sizes: seat.groups.map((group) => group.length).join(", ") }));
  lines.push(doing(view, player));
  return lines.filter(Boolean).join(" ");
}
