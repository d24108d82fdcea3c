/** The scene: the table as this board shows it, and what its person is about to do. Shared by the parts of the board through a context. */
import type { Color } from "$art/lanterns";
import type { BoardProps } from "$lib/board/board";
import { Camera } from "$lib/board/camera.svelte";
import { before, fold } from "$lib/board/fold";
import { Playback } from "$lib/board/playback.svelte";
import type { Event, View } from "./view";
import { getContext, setContext } from "svelte";
import { LIMITS, turnOf } from "./geometry";
import { isLow, isShort, layoutOf } from "./layout";
import { cellKey, exchangeText, listed, parse, placeText, type Cell, type Kind } from "./notation";
import { gainsOf, PACE, type Gain } from "./outcome";

export type Props = BoardProps<View, Event>;
type Picks = { tile: number | null; cell: Cell | null; give: Color | null; take: Color | null; picked: string | null };

const NOTHING: Picks = { tile: null, cell: null, give: null, take: null, picked: null };
const MODES: readonly Kind[] = ["place", "dedicate", "exchange", "discard", "pass"];

export class Scene {
  readonly #props: () => Props;
  readonly camera = new Camera(LIMITS);
  readonly playback = new Playback<Event>(PACE);
  /** The element of the whole board, in which things fly. */
  root = $state.raw<HTMLElement | null>(null);
  /** The room that the page gives to the board. */
  width = $state(window.innerWidth);
  height = $state(window.innerHeight);
  readonly layout = $derived(layoutOf(this.width, this.height));
  /** There is hardly room for a lake. */
  readonly isShort = $derived(isShort(this.layout, this.height));
  /** Height is dear: words stand beside the hand. */
  readonly isLow = $derived(isLow(this.layout, this.height));
  /** Small screens show less at once, and zoom in on what is chosen. */
  readonly narrow = $derived(this.layout !== "wide");

  mode = $state<Kind>("place");
  /** What is chosen so far. */
  picks = $state.raw<Picks>(NOTHING);
  /** The place under the mouse or under a dragged tile. */
  hover = $state.raw<Cell | null>(null);
  /** A tile on its way from the hand, under the finger. */
  dragged = $state.raw<{ tile: number; x: number; y: number } | null>(null);
  /** Quarter turns of each hand tile, on and on, so that it never turns back. */
  spins = $state<Record<number, number>>({});

  readonly given = $derived.by(() => this.#props());
  readonly view = $derived.by(() => before(this.given.view, this.playback.unseen));
  readonly turn = $derived(turnOf(this.given.view));
  readonly seat = $derived(this.given.view.seat);
  readonly isOver = $derived(this.given.view.to_act === null);
  readonly legal = $derived(this.given.replay ? [] : this.given.legal);
  readonly placements = $derived(listed(this.legal, "place"));
  readonly exchanges = $derived(listed(this.legal, "exchange"));
  readonly dedications = $derived(listed(this.legal, "dedicate"));
  readonly discards = $derived(listed(this.legal, "discard"));
  readonly modes = $derived.by(() => {
    const kinds = new Set(this.legal.map((action) => parse(action)?.kind));
    return MODES.filter((mode) => kinds.has(mode));
  });
  readonly hint = $derived.by(() => (this.legal.length && this.given.hint ? parse(this.given.hint) : null));

  /** The complete action that is chosen or pointed at, if it is listed. */
  readonly action = $derived.by(() => {
    const text = this.#text();
    return text && this.legal.includes(text) ? text : null;
  });
  /** The action is chosen, not just pointed at: it can be confirmed. */
  readonly settled = $derived(this.action !== null && (this.mode !== "place" || this.picks.cell !== null));
  readonly preview = $derived(this.action ? (this.given.previews[this.action] ?? null) : null);
  readonly previewed: Gain[] = $derived(this.preview ? gainsOf(this.preview) : []);
  /** What arrives at the seats: what the choice would bring, or what has just happened. */
  readonly arriving: Gain[] = $derived(this.action ? this.previewed : gainsOf(this.playback.moving));
  /** The table once the choice is made. */
  readonly then = $derived(this.preview ? fold(this.view, this.preview) : this.view);
  /** Something is chosen, or a step that did not come by itself. */
  readonly choosing = $derived(
    this.legal.length > 0 &&
      (Object.values(this.picks).some((part) => part !== null) || this.mode !== (this.modes[0] ?? "place")),
  );
  /** Where a tile would lie. */
  readonly aim = $derived(this.mode === "place" ? (this.picks.cell ?? this.hover) : null);
  readonly freePlaces = $derived(this.given.view.free_places.map(([x = 0, y = 0]): Cell => [x, y]));
  /** Those of them where a tile may be laid now. */
  readonly openPlaces = $derived.by(() => {
    const open = new Set(this.placements.map((each) => cellKey(each.cell)));
    return this.freePlaces.filter((cell) => open.has(cellKey(cell)));
  });

  constructor(props: () => Props) {
    this.#props = props;
  }

  /** By how many cards of a color the choice would change what a seat has. */
  change(player: number, color: Color): number {
    const [now, then] = [this.view.seats[player], this.then.seats[player]];
    return now && then ? then.cards[color] - now.cards[color] : 0;
  }

  /** What an action would do, as far as that is known yet. */
  effectsOf(action: string): readonly Event[] {
    return this.given.previews[action] ?? [];
  }

  #text(): string | null {
    const { tile, give, take, picked } = this.picks;
    if (this.mode === "place")
      return tile !== null && this.aim ? placeText(tile, this.rotationOf(tile), this.aim) : null;
    if (this.mode === "exchange") return give && take ? exchangeText(give, take) : null;
    return picked;
  }

  /** A new position: whatever was begun is over. What is the only thing left is chosen, not confirmed. */
  reset(): void {
    const hand = this.seat === null ? [] : (this.given.view.seats[this.seat]?.hand ?? []);
    this.hover = this.dragged = null;
    this.mode = this.modes[0] ?? "place";
    this.picks = NOTHING;
    if (this.legal.length === 1) this.load(this.legal[0] ?? "");
    else if (this.placements.length && hand.length === 1) this.picks = { ...NOTHING, tile: hand[0]?.tile ?? null };
  }

  /** Opens one kind of choice; the only one of its kind is taken up at once. */
  open(mode: Kind): void {
    const all = this.legal.filter((action) => parse(action)?.kind === mode);
    this.playback.finish();
    this.mode = mode;
    this.picks = { ...NOTHING, picked: all.length === 1 && mode !== "place" ? (all[0] ?? null) : null };
  }

  /** The rotation in notation. Tiles that look the same in several rotations have fewer listed ones, which repeat as they turn. */
  rotationOf(tile: number): number {
    const rotations = this.rotations(tile);
    const spin = (((this.spins[tile] ?? 0) % 4) + 4) % 4;
    return rotations.includes(spin) ? spin : (rotations[spin % rotations.length] ?? 0);
  }

  rotations(tile: number): number[] {
    return [...new Set(this.placements.filter((each) => each.tile === tile).map((each) => each.rotation))].sort();
  }

  rotate(by: 1 | -1, tile = this.picks.tile): void {
    if (tile !== null && this.rotations(tile).length > 1) this.spins[tile] = (this.spins[tile] ?? 0) + by;
  }

  /** A tile of the hand; the same again turns it. */
  chooseTile(tile: number): void {
    this.playback.finish();
    if (this.mode === "place" && this.picks.tile === tile) return this.rotate(1);
    if (this.mode !== "place") this.open("place");
    this.picks = { ...this.picks, tile };
  }

  /** A place of the lake; the same again turns the tile on it. */
  chooseCell(cell: Cell): void {
    this.playback.finish();
    if (this.mode !== "place") this.open("place");
    const { tile, cell: chosen } = this.picks;
    if (tile !== null && chosen && cellKey(chosen) === cellKey(cell)) this.rotate(1);
    else this.picks = { ...this.picks, cell };
  }

  choose(change: Partial<Picks>): void {
    this.playback.finish();
    this.picks = { ...this.picks, ...change };
  }

  /** Loads an action as if it had been chosen by hand, to be looked at and confirmed. */
  load(action: string): void {
    const choice = parse(action);
    if (!choice || !this.legal.includes(action)) return;
    this.mode = choice.kind;
    this.picks = NOTHING;
    if (choice.kind === "place") {
      this.spins[choice.tile] = choice.rotation;
      this.choose({ tile: choice.tile, cell: choice.cell });
    } else if (choice.kind === "exchange") this.choose({ give: choice.give, take: choice.take });
    else this.choose({ picked: action });
  }

  /** One step back: first the last thing chosen, then the rest. */
  cancel(): void {
    this.hover = this.dragged = null;
    const { tile, cell, give, take } = this.picks;
    if (this.mode === "place" && cell && tile !== null) this.choose({ cell: null });
    else if (this.mode === "exchange" && take && give) this.choose({ take: null });
    else {
      this.picks = NOTHING;
      this.mode = this.modes[0] ?? "place";
    }
  }

  confirm(): void {
    if (this.action && this.settled && !this.given.waiting) this.given.act(this.action);
  }
}

const KEY = Symbol("lanterns");
export const provideScene = (scene: Scene): Scene => setContext(KEY, scene);
export const useScene = (): Scene => getContext<Scene>(KEY);
