/** What is said to screen readers, and short notes at the edge of the page. */
import { untrack } from "svelte";

export interface RuleLink {
  game: string;
  rule: string;
}

class Live {
  announcement = $state("");
  note = $state.raw<{ text: string; rule?: RuleLink } | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  announce(text: string): void {
    // The same sentence twice in a row is still two events: a trailing space makes a reader speak again.
    const last = untrack(() => this.announcement);
    this.announcement = last === text ? `${text} ` : text;
  }

  /** Shows a note for a few seconds, or until it is closed. */
  tell(text: string, { rule, stays = false }: { rule?: RuleLink | undefined; stays?: boolean } = {}): void {
    this.note = { text, ...(rule ? { rule } : {}) };
    clearTimeout(this.timer);
    if (!stays) this.timer = setTimeout(() => (this.note = null), 7_000);
  }

  dismiss(): void {
    this.note = null;
  }
}

export const live = new Live();
