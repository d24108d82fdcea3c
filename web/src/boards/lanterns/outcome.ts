/** What events bring and take, seat by seat, in their order. Sums of what the server announced; no rules. */
import { COLORS, type Color } from "$art/lanterns";
import type { Cards, Event, LanternGained, View } from "./view";
import type { Side } from "./geometry";
import { CARDS_OF_EACH, parse } from "./notation";

export interface Gain {
  /** Its place in the order of events. */
  order: number;
  player: number;
  what: Color | "favor" | "honor";
  /** Below zero for what is given away; 0 for a card that would be due, but its pile is empty. */
  count: number;
  /** Where it comes from: a side of the laid tile, the laid tile's middle, or nowhere on the lake. */
  from: { side: Side | null; neighbor: boolean } | null;
  matched: boolean;
}

const gain = (order: number, player: number, what: Gain["what"], count: number): Gain => ({
  order,
  player,
  what,
  count,
  from: null,
  matched: false,
});

/** The gains of events; `action` names the cards of a dedication, which its event does not repeat. */
export function gainsOf(events: readonly Event[], exchangeCost: number, action = ""): Gain[] {
  return events.flatMap((event, order): Gain[] => {
    const { player } = event;
    switch (event.event) {
      case "match_lantern":
      case "facing_lantern":
      case "no_lantern": {
        const count = event.event === "no_lantern" ? 0 : 1;
        const from = { side: event.side, neighbor: false };
        return [{ ...gain(order, player, event.color, count), from, matched: isMatch(events, order) }];
      }
      case "match_favor":
        return [
          {
            ...gain(order, player, "favor", 1),
            from: { side: event.side, neighbor: event.side !== null },
            matched: true,
          },
        ];
      case "exchanged":
        return [
          gain(order, player, "favor", -exchangeCost),
          gain(order, player, event.gave, -1),
          gain(order, player, event.took, 1),
        ];
      case "dedicated":
        return [
          ...returned(action).map((card) => gain(order, player, ...card)),
          gain(order, player, "honor", event.honor),
        ];
      case "discarded":
        return [gain(order, player, event.color, -1)];
      default:
        return [];
    }
  });
}

/** The cards that a dedication gives back. */
export function returned(action: string): [Color, number][] {
  const choice = parse(action);
  if (choice?.kind !== "dedicate") return [];
  const colors = choice.stack === "seven_unique" ? COLORS : choice.colors;
  return colors.map((color) => [color, -CARDS_OF_EACH[choice.stack]]);
}

/** The piles once the gains are handed out. */
export function supplyAfter(supply: Readonly<Cards>, gains: readonly Gain[]): Cards {
  const piles = { ...supply };
  for (const { what, count } of gains) if (what !== "favor" && what !== "honor") piles[what] -= count;
  return piles;
}

/** Whether a card is due for a match. An empty pile does not say so, but every seat's last card is the one for the side it faces. */
function isMatch(events: readonly Event[], order: number): boolean {
  const event = events[order];
  if (event?.event !== "no_lantern") return event?.event === "match_lantern";
  const rest = events.slice(order + 1);
  const end = rest.findIndex((later) => later.event === "tile_placed");
  return (end < 0 ? rest : rest.slice(0, end)).some((later) => later.player === event.player && isLantern(later));
}

const isLantern = (event: Event): event is LanternGained =>
  event.event === "match_lantern" || event.event === "facing_lantern" || event.event === "no_lantern";

/** The sides of a laid tile that match their neighbors, with or without a card for it. */
export const matchedSides = (events: readonly Event[]): Side[] =>
  events.flatMap((event, order) => (isLantern(event) && isMatch(events, order) ? [event.side] : []));

/**
 * The table before the events at its end were seen, so that numbers can follow the cards that fly. Only tiles and hand-outs are taken
 * back; other events do not say everything that they changed, and are shown at once.
 */
export function before(view: View, unseen: readonly Event[]): View {
  const laid = unseen.filter((event) => event.event === "tile_placed").length;
  const handed = gainsOf(unseen, 0).filter((each) => each.from);
  if (!laid && !handed.length) return view;
  const seats = view.seats.map((seat, player) => {
    const own = handed.filter((each) => each.player === player);
    const cards = supplyAfter(seat.cards, own);
    const sum = (what: (each: Gain) => boolean): number =>
      own.filter(what).reduce((total, each) => total + each.count, 0);
    const favors = seat.favors - sum((each) => each.what === "favor");
    return { ...seat, cards, favors, num_cards: seat.num_cards - sum((each) => each.what !== "favor") };
  });
  const supply = supplyAfter(
    view.supply,
    handed.map((each) => ({ ...each, count: -each.count })),
  );
  return { ...view, seats, supply, lake: view.lake.slice(0, view.lake.length - laid) };
}
