/** Sentences about tiles, seats and outcomes, for the eye and for screen readers. Made of texts of the catalog. */
import { COLORS, isColor } from "$art/lanterns";
import type { Values } from "$lib/text/i18n";
import type { Cards, Event, LaidTile, Stack, View } from "./view";
import { CELL, DIRECTIONS, directionOf, sideAt, spotOf, touching, type Direction } from "./geometry";
import { cellKey, type Cell, type Choice } from "./notation";
import { returned, summedUp, type Gain } from "./outcome";

export type Texts = (key: string, values?: Values) => string;

export const colorWord = (t: Texts, letter: string): string => (isColor(letter) ? t(`words.${letter}`) : letter);

export const nameOf = (t: Texts, view: View, player: number): string =>
  player === view.seat ? t("you") : (view.names[player] ?? "");

/** The four lanterns of a tile as it would lie on this screen, and its platform. */
export function tileWords(t: Texts, tile: { sides: string; platform: boolean }, quarters: number): string {
  const color = (direction: Direction): string =>
    colorWord(t, tile.sides[(((DIRECTIONS.indexOf(direction) - quarters) % 4) + 4) % 4] ?? "");
  const sides = { bottom: color("bottom"), left: color("left"), top: color("top"), right: color("right") };
  return t(tile.platform ? "tile.platform" : "tile.plain", sides);
}

/** Where a place is, counted from the start tile as this seat sees the lake. */
export function spotWords(t: Texts, cell: Cell, turn: number): string {
  const { x, y } = spotOf(cell, turn);
  const [right, near] = [Math.round(x / CELL), Math.round(y / CELL)];
  const words = [
    right ? t(right > 0 ? "spot.right" : "spot.left", { count: Math.abs(right) }) : "",
    near ? t(near > 0 ? "spot.near" : "spot.across", { count: Math.abs(near) }) : "",
  ];
  return words.filter(Boolean).join(", ") || t("spot.start");
}

/** A free place: where it is and what it touches. */
export function cellWords(t: Texts, lake: readonly LaidTile[], cell: Cell, turn: number): string {
  const touches = DIRECTIONS.flatMap((direction) => {
    const neighbor = touching(lake, cell, sideAt(direction, turn));
    const key = neighbor?.platform ? `touches.${direction}.platform` : `touches.${direction}`;
    return neighbor ? [t(key, { color: colorWord(t, neighbor.color) })] : [];
  });
  return t("place.label", { spot: spotWords(t, cell, turn), touches: touches.join(", ") });
}

export const cardsWords = (t: Texts, cards: Cards): string =>
  COLORS.filter((color) => cards[color])
    .map((color) => t(`cards.${color}`, { count: cards[color] }))
    .join(", ") || t("none");

export function seatWords(t: Texts, view: View, player: number, turn: number): string {
  const seat = view.seats[player];
  if (!seat) return "";
  const where = t(`at.${directionOf(seat.side, turn)}`);
  const values = {
    honor: t("honor.count", { count: seat.honor }),
    favors: t("favor.count", { count: seat.favors }),
    tiles: t("tiles.count", { count: seat.hand_size }),
    cards: cardsWords(t, seat.cards),
  };
  return t("seat.label", { name: view.names[player] ?? "", where, ...values });
}

/** The sets on offer with what each would pay, the most first: "four of a kind for 8". */
export const offerWords = (t: Texts, stacks: readonly Stack[], offered: ReadonlySet<string>): string[] =>
  stacks
    .filter(({ kind }) => offered.has(kind))
    .sort((a, b) => b.pays - a.pays)
    .map(({ kind, pays }) => t("offer.set", { stack: t(`words.${kind}`), honor: pays }));

/** One thing gained or given: "red", "no black, that pile is empty", "1 favor". */
function gainWords(t: Texts, { what, count, from }: Gain): string {
  if (what === "favor") return t(count < 0 ? "gain.favor.paid" : "gain.favor", { count: Math.abs(count) });
  if (what === "honor") return t("gain.honor", { count });
  const color = colorWord(t, what);
  if (count === 0) return t("gain.dry", { color });
  if (count < 0) return t("gain.given", { count: -count, color });
  return t(from ? "gain.card" : "gain.taken", { color });
}

/** What each seat receives and gives, by seat. */
export function outcomeWords(t: Texts, gains: readonly Gain[]): { player: number; words: string }[] {
  return [...new Set(gains.map((gain) => gain.player))].map((player) => {
    const own = summedUp(gains.filter((gain) => gain.player === player));
    return { player, words: own.map((gain) => gainWords(t, gain)).join(", ") };
  });
}

/** An action in words, short. */
export function choiceWords(t: Texts, choice: Choice, effects: readonly Event[]): string {
  switch (choice.kind) {
    case "place":
      return t("choice.place");
    case "exchange":
      return t("choice.exchange", { give: colorWord(t, choice.give), take: colorWord(t, choice.take) });
    case "dedicate":
      return t("choice.dedicate", { stack: t(`words.${choice.stack}`), cards: setWords(t, effects) });
    case "discard":
      return t("choice.discard", { color: colorWord(t, choice.color) });
    case "pass":
      return t("choice.pass");
  }
}

export const setWords = (t: Texts, effects: readonly Event[]): string =>
  returned(effects)
    .map(({ color, count }) => t(`cards.${color}`, { count }))
    .join(", ");

/** The whole lake, for screen readers, in the order of laying. */
export const lakeWords = (t: Texts, lake: readonly LaidTile[], turn: number): { cell: string; words: string }[] =>
  lake.map((tile) => ({
    cell: cellKey([tile.x, tile.y]),
    words: `${spotWords(t, [tile.x, tile.y], turn)}: ${tileWords(t, tile, turn)}`,
  }));
