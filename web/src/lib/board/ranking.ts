/** Who stands where at the end of a game, by what the server says. */

interface Ended<Seat> {
  seats: readonly Seat[];
  scores: readonly number[];
  winners: readonly number[];
}

interface Ranked<Seat> {
  seat: Seat;
  player: number;
  wins: boolean;
  score: number;
}

/** Winners first, then by score. */
export function ranked<Seat>(view: Ended<Seat>): Ranked<Seat>[] {
  return view.seats
    .map((seat, player) => ({ seat, player, wins: view.winners.includes(player), score: view.scores[player] ?? 0 }))
    .sort((a, b) => Number(b.wins) - Number(a.wins) || b.score - a.score);
}
