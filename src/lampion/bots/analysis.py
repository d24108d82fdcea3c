"""Analysis: what a position and each move is worth to a seat, from what that seat knows.

One search, or the solver where the rest of the game is small, gives all numbers, so they agree with
each other. Hints stand on it.

>>> found = lampion.analyse(record, ply=40)                # doctest: +SKIP
>>> found.value, found.moves[0].text, found.moves[0].line  # doctest: +SKIP
"""

from __future__ import annotations

from dataclasses import dataclass

from lampion.bots.base import Budget, Stop
from lampion.bots.search import Search, Thought
from lampion.core.errors import InvalidOptions
from lampion.core.gamelog import GameRecord
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.core.types import Action, Player, Rng
from lampion.matches import load

SECONDS = 1.0


@dataclass
class MoveValue:
    action: Action
    text: str
    """In the game's notation."""
    value: float | None
    """What the seat can expect, 0 to 1: its placement, with some weight on the margin in points;
    None for a move that the search did not try."""
    visits: int
    line: list[str]
    """What the search expects, this move first."""


@dataclass
class Analysis:
    seat: Player
    moves: list[MoveValue]
    """The best first."""
    iterations: int
    is_exact: bool = False
    """Whether the rest of the game was solved: values are then placements alone."""

    @property
    def value(self) -> float | None:
        """What the seat can expect: the value of the best move. Where the game was solved between
        two players it is the chance of winning, a tie counting half."""
        return self.moves[0].value


def analyse(
    game: Match | GameRecord | str | bytes,
    *,
    ply: int | None = None,
    seat: Player | None = None,
    budget: Budget = Budget(seconds=SECONDS),  # noqa: B008  (frozen)
    rng: Rng | None = None,
    stop: Stop | None = None,
) -> Analysis:
    """What a seat should make of a match or a record, as it stands or as it was when its log had
    `ply` entries. Without `seat`, the seat to act. Only what the seat sees is used."""
    match = game if isinstance(game, Match) else load(game)
    return analyse_match(match if ply is None else match.at(ply), seat, budget, rng, stop)


def analyse_match(
    match: Match,
    seat: Player | None,
    budget: Budget,
    rng: Rng | None = None,
    stop: Stop | None = None,
) -> Analysis:
    seat = match.to_act if seat is None else seat
    if not (0 <= seat < match.players and match.may_act(seat)):
        raise InvalidOptions(
            f"nobody in that seat decides after {match.ply} log entries", code="no-decision"
        )
    dice = rng if rng is not None else new_rng(1)
    seen, legal = match.seen_from(seat), match.legal_ids(seat)
    *_, thought = Search().think(seen, seat, legal, budget, dice, stop)
    return _told(match, seat, thought)


def _told(match: Match, seat: Player, thought: Thought) -> Analysis:
    moves = [
        MoveValue(
            move.action,
            match.action_text(move.action, seat),
            move.value if thought.is_known(move) else None,
            move.visits,
            move.line or [match.action_text(move.action, seat)],
        )
        for move in thought.moves
    ]
    return Analysis(seat, moves, thought.iterations, thought.is_exact)
