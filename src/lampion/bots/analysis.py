"""Analysis: how a position stands and what each move is worth, from what one seat knows. Hints and replay analysis stand on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lampion.bots.base import Budget, Stop, num_players
from lampion.bots.search import Clock, Search, Thought
from lampion.core.facts import POLICY_PLAYOUT, TO_THE_END
from lampion.core.match import Match
from lampion.core.record import Record
from lampion.core.rng import new_rng
from lampion.core.types import Action, IntArray, Player, Rng

SHARE_FOR_OUTLOOK = 0.3
"""How much of the budget goes into games played to their end."""
UPDATE_SECONDS = 0.25


@dataclass
class Outlook:
    """How the game may end for a player."""

    win_chance: float
    place: float
    score: float


@dataclass
class MoveValue:
    action: Action
    value: float
    """The player's utility, 0 to 1: placement, with some weight on the margin."""
    visits: int
    line: list[str]
    """What the search expects, this move first."""


@dataclass
class Analysis:
    seat: Player
    players: list[Outlook]
    moves: list[MoveValue]
    iterations: int


def analyse(
    match: Match, seat: Player, budget: Budget, *, rng: Rng | None = None, stop: Stop | None = None
) -> Iterator[Analysis]:
    """What the seat should make of this position; better and better ones while the budget lasts. Only what it sees is used."""
    assert match.may_act(seat), "only a seat that may act has moves to compare"
    seen, legal = match.seen_from(seat), match.legal_ids(seat)
    dice, stop = rng if rng is not None else new_rng(1), stop or Stop()
    players = outlook(seen, seat, legal, _part(budget, SHARE_FOR_OUTLOOK), dice, stop)
    for thought in Search().think(
        seen, seat, legal, _part(budget, 1 - SHARE_FOR_OUTLOOK), dice, stop, every=UPDATE_SECONDS
    ):
        yield Analysis(seat, players, _moves(thought), thought.iterations)


def _part(budget: Budget, share: float) -> Budget:
    seconds = None if budget.seconds is None else share * budget.seconds
    return Budget(
        seconds, None if budget.iterations is None else max(1, int(share * budget.iterations))
    )


def outlook(
    seen: Record, seat: Player, legal: IntArray, budget: Budget, rng: Rng, stop: Stop
) -> list[Outlook]:
    """Win chance, mean place and mean score of every player over games that the search plays to their end."""
    search = Search(cutoff=TO_THE_END, guided=0, playout=POLICY_PLAYOUT)
    work = search.plant(seen, seat, legal, budget, rng)
    done = max(search.iterate(work, seat, budget, Clock(budget.seconds), rng, stop), default=0)
    totals = work.totals / max(done, 1)
    return [
        Outlook(*(float(number) for number in totals[player]))
        for player in range(num_players(seen))
    ]


def _moves(thought: Thought) -> list[MoveValue]:
    return [MoveValue(move.action, move.value, move.visits, move.line) for move in thought.moves]
