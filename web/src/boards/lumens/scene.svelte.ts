/** The scene: the table as this board shows it, and what its person is about to do. Shared by the parts of the board through a context. */
import type { BoardProps } from "$lib/board/board";
import { Camera } from "$lib/board/camera.svelte";
import { Playback } from "$lib/board/playback.svelte";
import type { Event, Target, View } from "./view";
import { getContext, setContext } from "svelte";
import { effectOf, type Effect } from "./effect";
import { freshOf, PACE } from "./fresh";
import { around, CELL, extentOf, spotOf } from "./house";
import { isCompact, isWide, LARGE_CELL, SAFE_CELL } from "./layout";
import { parse, placements, placementText } from "./notation";

export type Props = BoardProps<View, Event>;

const LIMITS = { smallest: 0.08, largest: 1.4, largestFit: 0.72 };

export class Scene {
  readonly #props: () => Props;
  readonly camera = new Camera(LIMITS);
  root = $state.raw<HTMLElement | null>(null);
  /** The board on this screen, in pixels. */
  width = $state(0);
  height = $state(0);
  /** Part of the house is drawn large because the player touched it, not because the camera was moved. */
  #magnified = false;

  /** The chosen square, and the face that the token shows or would show. */
  square = $state<string | null>(null);
  face = $state<number | null>(null);
  /** The square under the mouse. */
  hover = $state<string | null>(null);
  /** The room that the player points at in the list of rooms. */
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

  readonly isWide = $derived(isWide(this.width, this.height));
  readonly isCompact = $derived(isCompact(this.width, this.height));
  readonly extent = $derived(extentOf(this.view.board));
  /** Squares of the whole house are too small for a thumb: the first tap also draws them large. */
  readonly isSmall = $derived.by(() => {
    const { left, right, top, bottom } = this.extent;
    return CELL * Math.min(this.camera.width / (right - left), this.camera.height / (bottom - top)) < SAFE_CELL;
  });
  readonly #effects = $derived(
    new Map(
      this.legal.flatMap((action) => {
        const events = this.given.previews[action];
        return events ? [[action, effectOf(this.view, events)] as const] : [];
      }),
    ),
  );
  /** The rooms in which the token in hand can take or share the lead, and those in which it can end a rival's. */
  readonly winnable = $derived(this.#rooms(({ player, leads }) => leads && player === this.seat));
  readonly breakable = $derived(this.#rooms(({ player, leads }) => !leads && player !== this.seat));

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
    return this.#effects.get(this.#listed(square, face) ?? "") ?? null;
  }

  #rooms(counts: (change: Effect["leads"][number]) => boolean): string[] {
    const found = [...this.#effects.values()].flatMap(({ leads }) => leads.filter(counts).map(({ room }) => room));
    return [...new Set(found)].sort();
  }

  /** A new position: whatever was begun is over. The square of a start token is known; its face is not. */
  reset(): void {
    this.hover = null;
    if (this.#magnified) this.camera.release();
    this.#magnified = false;
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
    this.magnify(square);
  }

  /** Where only a part of the house is in view, moves it no further than needed for a square to be seen. */
  reveal(square: string): void {
    if (this.camera.held) this.camera.reveal(around(spotOf(this.view.board, square)));
  }

  /** Draws the squares round this one large, where they are too small to be hit. */
  magnify(square: string): void {
    if (!this.isSmall || this.camera.held) return;
    const [scale, { x, y }] = [LARGE_CELL / CELL, spotOf(this.view.board, square)];
    const { left, right, top, bottom } = this.extent;
    this.camera.pose = {
      scale,
      x: slid(this.camera.width, x * scale, left * scale, right * scale),
      y: slid(this.camera.height, y * scale, top * scale, bottom * scale),
    };
    this.camera.held = this.#magnified = true;
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
    if (!placement) return;
    [this.square, this.face] = [placement.square, placement.face];
    if (!this.isStart) this.magnify(placement.square);
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

/** How far to move a stretch so that a point of it is in the middle of a window, and nothing beyond its ends is seen. */
function slid(window: number, at: number, from: number, to: number): number {
  if (to - from <= window) return (window - from - to) / 2;
  return Math.min(-from, Math.max(window - to, window / 2 - at));
}

const KEY = Symbol("lumens");
export const provideScene = (scene: Scene): Scene => setContext(KEY, scene);
export const useScene = (): Scene => getContext<Scene>(KEY);
