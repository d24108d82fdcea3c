/** The scene: what a table of Lanterns Dice shows just now, the view, and what this person looks at and has picked but not confirmed. */
import type { BoardProps } from "$lib/board/board";
import { fold } from "$lib/board/fold";
import { Playback } from "$lib/board/playback.svelte";
import type { Event, Seat, View } from "./view";
import { freshness, PACE } from "./freshness";
import type { Point, Pool } from "./lake";
import { headingWidth, isCompact, isFlat, isLow, isWide, SAFE_CELL } from "./layout";
import { parse, type Action } from "./notation";

type Props = BoardProps<View, Event>;
export type Choice = NonNullable<Seat["choice"]>;

export class Scene {
  readonly #source: () => Props;
  /** The action picked for a decision; another decision forgets it, what other players do does not. */
  #picked = $state.raw<{ action: string; decision: string } | null>(null);
  /** The seat whose lake is enlarged. */
  enlarged = $state<number | null>(null);
  /** The board on this screen, in pixels. */
  width = $state(0);
  height = $state(0);
  /** The pools of the large lake as they are drawn, in pixels. */
  cell = $state(0);
  /** The pool round which the lake is drawn large; like what is picked, it belongs to a decision. */
  #zoomed = $state.raw<{ pool: Pool; decision: string } | null>(null);
  /** The point of the lake in the middle of the window, once the player has moved it away from that pool. */
  gaze = $state.raw<Point | null>(null);
  readonly playback = new Playback<Event>(PACE);

  constructor(props: () => Props) {
    this.#source = props;
  }

  get #props(): Props {
    return this.#source();
  }

  get view(): View {
    return this.#props.view;
  }
  get replay(): boolean {
    return this.#props.replay;
  }
  get waiting(): boolean {
    return this.#props.waiting;
  }

  readonly actions = $derived.by(() => (this.#props.replay ? [] : this.#props.legal));
  readonly hint = $derived.by(() => this.#props.hint);
  /** The place from which the table is seen. */
  readonly home = $derived.by(() => this.view.seat ?? 0);
  /** The seat whose lake is the large one. */
  readonly near = $derived.by(() => this.enlarged ?? this.view.seat ?? this.view.turn.active);
  readonly nearSeat = $derived.by(() => this.view.seats[this.near] as Seat);
  readonly others = $derived.by(() =>
    Array.from({ length: this.view.players - 1 }, (_, k) => (this.near + k + 1) % this.view.players),
  );
  /** What this seat is asked; null when nothing, or for a spectator. */
  readonly choice = $derived.by<Choice | null>(() =>
    this.actions.length === 0 || this.view.seat === null ? null : (this.view.seats[this.view.seat]?.choice ?? null),
  );
  /** Whether the large lake is the one on which choices are made. */
  readonly isHome = $derived.by(() => this.near === this.view.seat);
  readonly isOver = $derived.by(() => this.view.turn.phase === "over");

  readonly #decision = $derived.by(() => {
    const { turn, dice, seat, seats } = this.view;
    const own = seat === null ? undefined : seats[seat];
    return [turn.number, turn.active, dice, own?.choice, own?.bonus_pool, own?.shaded.length, own?.gifts].join(" ");
  });
  readonly picked = $derived.by(() => {
    const picked = this.#picked;
    return picked && picked.decision === this.#decision && this.actions.includes(picked.action) ? picked.action : null;
  });
  readonly pickedAction = $derived.by<Action | null>(() => (this.picked === null ? null : parse(this.picked)));
  /** What the picked action would do. */
  readonly preview = $derived.by<Event[]>(() =>
    this.picked === null ? [] : (this.#props.previews[this.picked] ?? []),
  );

  readonly isWide = $derived.by(() => isWide(this.width, this.height));
  readonly isCompact = $derived.by(() => isCompact(this.width, this.height));
  /** No height to spare for words beside the cards, the shapes and the positions of the tray. */
  readonly isFlat = $derived.by(() => this.isWide && isFlat(this.height));
  /** Hardly any height, such as below an open guide: what the decision does not need makes room. */
  readonly isLow = $derived.by(
    () => !this.isWide && isLow(this.height) && this.choice !== null && this.choice !== "launch",
  );
  readonly headingWidth = $derived.by(() => headingWidth(this.width, this.isWide, this.isCompact));
  /** Phones in landscape: the lake needs the whole height, so its heading stands beside it. Low ones do without. */
  readonly isHeadingApart = $derived.by(() => (this.isWide && this.isCompact) || this.isLow);
  /** The areas are too small for a thumb: the first tap also draws the lake large. */
  readonly isSmall = $derived.by(() => this.cell > 0 && this.cell < SAFE_CELL);
  readonly zoomed = $derived.by<Pool | null>(() => {
    const zoomed = this.#zoomed;
    return this.isSmall && this.isHome && zoomed?.decision === this.#decision ? zoomed.pool : null;
  });

  /** Shapes that fit on this seat's lake now, with the honor that the next tile of each pays. */
  readonly ready = $derived.by(() => {
    const { seat, seats, stacks } = this.view;
    const fitting = (seat === null ? [] : (seats[seat]?.reach ?? [])).filter(({ missing }) => missing === 0);
    return fitting.map(({ shape }) => ({ shape, honor: stacks.find((each) => each.shape === shape)?.pays ?? 0 }));
  });
  /** Whether this seat launches in this turn, or only when it is active. */
  readonly launchesNow = $derived.by(() => {
    const { active, active_steps, other_steps } = this.view.turn;
    return (active === this.view.seat ? active_steps : other_steps).includes("launch");
  });

  readonly fresh = $derived.by(() => freshness(this.playback.shown));
  readonly isRolled = $derived.by(() => this.#props.recent.some(({ event }) => event === "dice_rolled"));

  /** The tray as it lies, or as it would. */
  readonly quarters = $derived.by(() =>
    this.pickedAction?.kind === "tray" ? this.pickedAction.quarters : (this.view.tray ?? 0),
  );
  /** The die that each player faces or would face. */
  readonly faces = $derived.by<(string | null)[]>(() =>
    (this.pickedAction?.kind === "tray" ? fold(this.view, this.preview) : this.view).seats.map((seat) => seat.die),
  );

  /** Another player's sheet, or your own again. */
  open(player: number): void {
    this.enlarged = player === this.view.seat ? null : player;
  }

  zoomTo(pool: Pool | null): void {
    this.gaze = null;
    this.#zoomed = pool === null ? null : { pool, decision: this.#decision };
  }

  previewOf(action: string): Event[] {
    return this.#props.previews[action] ?? [];
  }

  /** Picks an action; picked once more it is confirmed. */
  pick = (action: string): void => {
    if (this.waiting || !this.actions.includes(action)) return;
    if (this.picked === action) this.confirm();
    else this.#picked = { action, decision: this.#decision };
  };

  unpick = (): void => {
    this.#picked = null;
  };

  confirm = (): void => {
    if (this.picked !== null && !this.waiting) this.#props.act(this.picked);
  };

  askRule = (rule: string): void => this.#props.askRule(rule);
}
