"""Bots that are objects in the arena, such as a network that has just been trained.

    found = meet("my_game", 2, {"mine": BotPlayer("mine", MyBot(), Budget()), **named("greedy")}, 50)

Who plays whom, the deals and the ratings are those of `lampion arena`; everything happens in this
process, because a bot that is an object may not fit into another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from lampion.arena.ratings import GameResult, Rating, ratings
from lampion.arena.schedule import jobs, line_ups
from lampion.bots.levels import BotPlayer, make_player
from lampion.core.fairness import Chance, seed_from_number
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.rng import new_rng


def named(*names: str, game: str = "") -> dict[str, BotPlayer]:
    """Bots by name, for the other seats."""
    return {name: make_player(name, game) for name in names}


def meet(
    game: str,
    players: int,
    bots: Mapping[str, BotPlayer],
    deals: int,
    *,
    seed: int = 0,
    anchor: str | None = None,
) -> list[Rating]:
    """Elo of every bot with its interval, from so many deals for every line-up, each deal in all
    seat permutations. The bot `anchor` has 0, or else the mean of all."""
    wanted = deals * len(line_ups(len(bots), players))
    listed = list(bots.values())
    clusters = [
        [_played(game, job.deal, [listed[bot] for bot in seating], seating) for seating in job.seatings]
        for job in islice(jobs(len(bots), players, seed), wanted)
    ]  # fmt: skip
    return ratings(clusters, list(bots), anchor=anchor)


def share_won(game: str, bot: BotPlayer, rival: str, deals: int, *, seed: int = 0) -> float:
    """The share of its games that a bot wins against another, by name, between the two of them."""
    own, other = meet(game, 2, {"": bot, **named(rival, game=game)}, deals, seed=seed)
    assert own.won + other.won > 0.999
    return own.won


def _played(
    game: str, deal: int, seats: Sequence[BotPlayer], seating: tuple[int, ...]
) -> GameResult:
    """One game; the draws follow from the deal, the bots' own dice from deal and seat."""
    match = Match(find_game(game), len(seats), chance=Chance(seed_from_number(deal)))
    dice = [new_rng(1_000_003 * deal + seat) for seat in range(len(seats))]
    while not match.is_over:
        seat = match.to_act
        seen, legal = match.seen_from(seat), match.legal_ids(seat)
        bot, budget = seats[seat].bot, seats[seat].budget
        match.submit(bot.choose(seen, seat, legal, budget, dice[seat]), seat)
    return GameResult(seating, tuple(match.placements))
