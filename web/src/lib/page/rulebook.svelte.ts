/** Which rule is open beside the game; null when none is. */
class RulebookDrawer {
  open = $state.raw<{ game: string; rule: string | null } | null>(null);

  show(game: string, rule: string | null = null): void {
    this.open = { game, rule };
  }
  close(): void {
    this.open = null;
  }
}

export const rulebook = new RulebookDrawer();
