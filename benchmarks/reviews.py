"""How good reviews are: what luck they see, whether they find the weakest player, what they cost.

python -m benchmarks.reviews GAME [--players 2] [--games 20] [--seed 100]

Plays games between the bots' greedy players, seat 0 at random in every second one, and prints

    luck        its mean with the standard error, and by how much the variance of the result of
                seat 0 shrinks when luck is taken off (games without random play)
    weakest     in how many games with random play in seat 0 that seat has the highest cost per
                decision
    agreement   how many of the mistakes found in the first games a search of ten times the budget
                calls mistakes, too
    seconds     of processor time for a ledger and for a whole review
"""

from __future__ import annotations

import argparse
import random
import time

import numpy as np

import lampion
from lampion.bots.base import Budget
from lampion.bots.search import Greedy
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.reviews.judging import Care, judged
from lampion.reviews.ledger import ledger_of
from lampion.reviews.reviewing import Review, review
from lampion.reviews.values import PLACE

NOISE = 0.3
"""How much the greedy players misjudge."""
MORE_CARE = Care(look=10 * Care.look, weigh=10 * Care.weigh, runs=Care.runs)
GAMES_JUDGED_TWICE = 3


def played(game: str, players: int, seed: int, is_random: bool) -> Match:
    """A game between greedy players; seat 0 may play at random."""
    match, chooser, rng = lampion.new(game, players, seed=seed), random.Random(seed), new_rng(seed)
    bot = Greedy(net=True, noise=NOISE)
    while not match.is_over:
        seat, legal = match.to_act, match.legal_ids()
        if seat == 0 and is_random:
            match.submit(chooser.choice(legal.tolist()), seat)
        else:
            match.submit(bot.choose(match.seen_from(seat), seat, legal, Budget(), rng), seat)
    return match


def confirmed(match: Match, found: Review) -> tuple[int, int]:
    """How many mistakes a longer search confirms, and how many there are."""
    plies = [one.judgement.ply for one in found.decisions if one.judgement.verdict == "mistake"]
    again = judged(match, care=MORE_CARE, plies=plies)
    return sum(one.verdict == "mistake" for one in again), len(plies)


def measure(game: str, players: int, games: int, seed: int) -> None:
    results, luck, weakest, agreed, ledger_time, review_time = [], [], 0, [(0, 0)], 0.0, 0.0
    for number in range(games):
        fair = played(game, players, seed + number, is_random=False)
        start = time.process_time()
        ledger = ledger_of(fair)
        ledger_time += time.process_time() - start
        results.append(ledger.result[0, PLACE])
        luck.append(ledger.luck[0, PLACE])
        uneven = played(game, players, seed + number, is_random=True)
        start = time.process_time()
        found = review(uneven)
        review_time += time.process_time() - start
        weakest += max(found.rows, key=lambda row: row.error).seat == 0
        if number < GAMES_JUDGED_TWICE:
            agreed.append(confirmed(uneven, found))
    error = np.std(luck) / games**0.5
    ratio = np.var(results) / np.var(np.subtract(results, luck))
    same, mistakes = np.sum(agreed, axis=0)
    print(f"{game}, {players} players, {games} games")
    print(f"  luck       mean {np.mean(luck):+.4f} ± {error:.4f}, variance ÷ {ratio:.2f}")
    print(f"  weakest    {weakest} of {games}")
    print(f"  agreement  {same} of {mistakes} mistakes")
    print(f"  seconds    ledger {ledger_time / games:.2f}, review {review_time / games:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=lampion.game_names())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=100)
    wanted = parser.parse_args()
    measure(wanted.game, wanted.players, wanted.games, wanted.seed)


if __name__ == "__main__":
    main()
