/** Who stands where at the end of a game, by what the server says. */

interface Ended<Seat> {
  seats: readonly Seat[];
  scores: readonly number[];
  winners: readonly number[];
  placements: readonly number[];
}

interface Ranked<Seat> {
  seat: Seat;
  player: number;
  wins: boolean;
  score: number;
}

/** Best place first, as the rules break ties; players who share a place in the order of their seats. */
export function ranked<Seat>(view: Ended<Seat>): Ranked<Seat>[] {
  return view.seats
    .map((seat, player) => ({ seat, player, wins: view.winners.includes(player), score: view.scores[player] ?? 0 }))
    .sort((a, b) => (view.placements[a.player] ?? 0) - (view.placements[b.player] ?? 0));
}
