/** The table as this board shows it, and what its person is about to do. Shared by the parts of the board through a context. */
import type { BoardProps } from "$lib/board";
import { Camera } from "$lib/camera.svelte";
import { Playback } from "$lib/playback.svelte";
import type { Event, Target, View } from "./view";
import { getContext, setContext } from "svelte";
import { effectOf, type Effect } from "./effect";
import { freshOf, PACE } from "./fresh";
import { parse, placements, placementText } from "./notation";

export type Props = BoardProps<View, Event>;

const LIMITS = { smallest: 0.15, largest: 1.4, largestFit: 0.72 };

export class Table {
  readonly #props: () => Props;
  readonly camera = new Camera(LIMITS);
  root = $state.raw<HTMLElement | null>(null);

  /** The chosen square, and the face that the token shows or would show. */
  square = $state<string | null>(null);
  face = $state<number | null>(null);
  /** The square under the mouse. */
  hover = $state<string | null>(null);
  /** The room that somebody points at in the list of rooms. */
  room = $state<string | null>(null);
  readonly playback = new Playback<Event>(PACE);
  /** The targets of the position now shown, and of the one before it. */
  #targets = $state.raw<{ now: readonly Target[]; before: readonly Target[] }>({ now: [], before: [] });
  #ply = -1;

  readonly given = $derived.by(() => this.#props());
  readonly view = $derived(this.given.view);
  readonly seat = $derived(this.view.seat);
  readonly own = $derived(this.seat === null ? undefined : this.view.seats[this.seat]);
  readonly isOver = $derived(this.view.to_act === null);
  readonly legal = $derived(this.given.replay ? [] : this.given.legal);
  readonly placements = $derived(placements(this.legal));
  /** The squares on which a token may be placed now. */
  readonly squares = $derived([...new Set(this.placements.map(({ square }) => square))]);
  readonly faces = $derived([...new Set(this.placements.map(({ face }) => face))]);
  /** The faces of a start token are chosen, in secret; its square is given. */
  readonly isStart = $derived(this.view.turn.phase === "start_face");
  readonly hint = $derived(this.legal.length && this.given.hint ? parse(this.given.hint) : null);

  /** Where a token would lie. */
  readonly aim = $derived(this.square ?? this.hover);
  /** The complete action that is chosen or pointed at, if it is listed. */
  readonly action = $derived(this.#listed(this.aim, this.face));
  /** The action is chosen, not just pointed at: it can be confirmed. */
  readonly settled = $derived(this.action !== null && this.square !== null);
  readonly effect = $derived(this.effectOf(this.aim, this.face));
  readonly target = $derived(this.targetOn(this.aim));
  /** What has just happened. */
  readonly fresh = $derived(freshOf(this.playback.shown, this.#targets.before));

  constructor(props: () => Props) {
    this.#props = props;
  }

  #listed(square: string | null, face: number | null): string | null {
    if (square === null || face === null) return null;
    const text = placementText(square, face);
    return this.legal.includes(text) ? text : null;
  }

  targetOn(square: string | null): Target | undefined {
    return this.view.targets.find((target) => target.square === square);
  }

  /** What placing would do; null while that is not known. */
  effectOf(square: string | null, face: number | null): Effect | null {
    const action = this.#listed(square, face);
    const events = action ? this.given.previews[action] : undefined;
    return events ? effectOf(this.view, events) : null;
  }

  /** A new position: whatever was begun is over. The square of a start token is known; its face is not. */
  reset(): void {
    this.hover = null;
    this.square = this.squares.length === 1 ? (this.squares[0] ?? null) : null;
    this.face = this.isStart ? null : Math.max(0, ...this.faces) || null;
  }

  /** The same position again, such as with its previews, is not played twice. */
  follow(view: View, recent: readonly Event[]): void {
    if (view.ply === this.#ply) return;
    this.#ply = view.ply;
    this.#targets = { now: view.targets, before: this.#targets.now };
    this.playback.start(view.ply, recent);
  }

  /** A square; the same again turns the token over. */
  chooseSquare(square: string): void {
    if (this.square === square) this.turnOver();
    else this.square = square;
  }

  chooseFace(face: number): void {
    if (this.faces.includes(face)) this.face = face;
  }

  turnOver(): void {
    this.face = this.faces.find((face) => face !== this.face) ?? this.face;
  }

  /** Loads an action as if it had been chosen by hand, to be looked at and confirmed. */
  load(action: string): void {
    const placement = parse(action);
    if (placement) [this.square, this.face] = [placement.square, placement.face];
  }

  cancel(): void {
    this.hover = null;
    if (this.isStart) this.face = null;
    else this.square = null;
  }

  confirm(): void {
    if (this.action && this.settled && !this.given.waiting) this.given.act(this.action);
  }
}

const KEY = Symbol("lumens");
export const provideTable = (table: Table): Table => setContext(KEY, table);
export const useTable = (): Table => getContext<Table>(KEY);
