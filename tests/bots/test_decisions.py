"""Many decisions: every one legal, none over its time. LAMPION_BOT_DECISIONS=10000 with `-s` makes many and tells the worst.

A bot may take 20 % or 50 ms more than its time, whichever is more. What counts is the time that its thread was on the processor: on a
busy machine the clock also goes on while others are.
"""

from __future__ import annotations

import os
import random
import time

import lampion
from lampion.bots.levels import BotPlayer, make_player
from lampion.core.match import Match
from lampion.core.rng import new_rng
from tests.support import GAMES

DECISIONS = int(os.environ.get("LAMPION_BOT_DECISIONS", "120"))
LATE = 25
"""Decisions before the end of a game among which the solver begins."""
PLAYERS = [
    make_player(name)
    for name in (
        "search:0.02s",
        "novice",
        "search:0.1s",
        "careful",
        "search:50",
        "search:0.01s,cutoff=-1",
    )
]


HOLDS_TO_TIME = os.environ.get("LAMPION_TIMING") == "1"
"""`make bench` asks for it; in `make test` a busy machine may be late."""


def overrun(player: BotPlayer, match: Match, seed: int) -> tuple[float, float]:
    """How far a decision goes over its time, in seconds on the processor and by the clock; it must be legal."""
    seat = match.to_act
    seen, legal = match.seen_from(seat), match.legal_ids(seat)
    clock, processor = time.perf_counter(), time.thread_time()
    action = player.bot.choose(seen, seat, legal, player.budget, new_rng(seed))
    spent = time.thread_time() - processor, time.perf_counter() - clock
    assert action in legal
    match.submit(action, seat)
    allowed = player.budget.seconds
    return (spent[0] - allowed, spent[1] - allowed) if allowed else (0.0, 0.0)


def some_stage(game: str, players: int, seed: int, chooser: random.Random) -> Match:
    """A match after any number of decisions, mostly shortly before its end."""
    match, actions = lampion.new(game, players, seed=seed), []
    while not match.is_over:
        actions.append((int(chooser.choice(match.legal_ids())), match.to_act))
        match.submit(*actions[-1])
    first = max(0, len(actions) - LATE) if seed % 4 else 0
    again = lampion.new(game, players, seed=seed)
    for action, actor in actions[: chooser.randrange(first, len(actions))]:
        again.submit(action, actor)
    return again


def test_no_decision_is_illegal_or_late() -> None:
    chooser, worst, late = random.Random(1), [0.0, 0.0], 0
    matches = [(game, players) for game in GAMES for players in (2, 3, 4)]
    for game in GAMES:
        for player in PLAYERS:  # compiled by now
            overrun(player, lampion.new(game, 2, seed=0), 0)
    made = 0
    while made < DECISIONS:
        match = some_stage(*matches[made % len(matches)], made, chooser)
        for player in PLAYERS:
            if not match.is_over:
                processor, clock = overrun(player, match, made)
                worst = [max(worst[0], processor), max(worst[1], clock)]
                limit = max(0.05, 0.2 * (player.budget.seconds or 0))
                late += clock > limit
                assert not HOLDS_TO_TIME or processor <= limit, (
                    f"{player.name} took {1000 * processor:.0f} ms too long"
                )
                made += 1
    print(
        f"{made} decisions, all legal; worst overrun {1000 * worst[0]:.1f} ms on the processor,",
        end=" ",
    )
    print(f"{1000 * worst[1]:.1f} ms by the clock, which was over the limit {late} times")
