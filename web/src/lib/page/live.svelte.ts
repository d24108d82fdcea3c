/** What is said to screen readers, and short notes at the edge of the page. */
import { untrack } from "svelte";

export interface RuleLink {
  game: string;
  rule: string;
}

const KEPT = 24;

class Live {
  /** What screen readers are told. Lines are added, never replaced: none is lost when several things happen at once. */
  lines = $state.raw<{ number: number; text: string }[]>([]);
  private told = 0;
  note = $state.raw<{ text: string; rule?: RuleLink } | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  announce(text: string): void {
    if (!text) return;
    const before = untrack(() => this.lines);
    this.lines = [...before.slice(1 - KEPT), { number: ++this.told, text }];
  }

  /** Shows a note for a few seconds, or until it is closed. */
  tell(text: string, { rule, stays = false }: { rule?: RuleLink | undefined; stays?: boolean } = {}): void {
    this.note = { text, ...(rule ? { rule } : {}) };
    clearTimeout(this.timer);
    if (!stays) this.timer = setTimeout(() => (this.note = null), 7_000);
  }

  /** Says so if the work takes long, and no longer than it takes: a note lies over the buttons of a small screen. */
  async patiently(work: () => Promise<void>, text: string): Promise<void> {
    const patience = setTimeout(() => this.tell(text, { stays: true }), 2_500);
    try {
      await work();
    } finally {
      clearTimeout(patience);
      if (this.note?.text === text) this.dismiss();
    }
  }

  dismiss(): void {
    this.note = null;
  }
}

export const live = new Live();
