/** A decision of a finished game that a reader makes again: what was tried, what was asked, and how it came out. */
import { api } from "$lib/net/api";
import type { AnyEvent } from "$lib/board/board";
import type { Attempt, AttemptRequest, Judged, Puzzle } from "$lib/wire";

type Language = AttemptRequest["language"];

/** What came of a puzzle, told once it is solved or given up. */
export interface Outcome {
  /** The actions that were tried, in order, in notation. */
  tried: string[];
  hints: number;
}

export class PuzzleRun {
  position = $state.raw<Puzzle | null>(null);
  /** The judgment of the decision, with what was better: the reader is not shown it before the end. */
  judged = $state.raw<Judged | null>(null);
  last = $state.raw<Attempt | null>(null);
  tried = $state.raw<readonly Attempt[]>([]);
  hints = $state(0);
  gaveUp = $state(false);
  /** The action that is being judged. */
  trying = $state<string | null>(null);

  constructor(
    readonly record: Record<string, unknown>,
    readonly ply: number,
    private readonly language: Language,
    known: Judged | null = null,
  ) {
    this.judged = known;
  }

  readonly isFound = $derived(this.last?.outcome === "found");
  readonly isOver = $derived(this.isFound || this.gaveUp);
  /** What has been told so far: reasons first, where there are any, then the action itself on the board. */
  readonly told = $derived(this.judged?.reasons.slice(0, Math.min(this.hints, 1)) ?? []);
  readonly isMarked = $derived(this.hints > Math.min(1, this.judged?.reasons.length ?? 0));

  get outcome(): Outcome {
    return { tried: this.tried.map(({ action }) => action), hints: this.hints };
  }

  eventsOf(action: string): AnyEvent[] {
    return (this.position?.previews[action] ?? []) as unknown as AnyEvent[];
  }

  async load(): Promise<void> {
    const { record, ply, language } = this;
    const [position, known] = await Promise.all([
      api.puzzle({ record, ply }),
      this.judged ?? api.judgements({ record, plies: [ply], language }).then(({ judged }) => judged[0] ?? null),
    ]);
    this.judged = known;
    this.position = position;
  }

  async attempt(action: string): Promise<void> {
    if (this.trying !== null || this.isOver) return;
    const { record, ply, language } = this;
    this.trying = action;
    try {
      this.last = await api.attempt({ record, ply, action, language });
      this.tried = [...this.tried, this.last];
    } finally {
      this.trying = null;
    }
  }

  hint(): void {
    if (!this.isMarked) this.hints += 1;
  }

  giveUp(): void {
    this.gaveUp = true;
  }
}
