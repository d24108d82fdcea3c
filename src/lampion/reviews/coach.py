"""Why a decision cost something, in sentences that are true.

What is better about a better action is told by claims that code has checked against the position as
its seat knew it (see `core.comparison`). A claim is never a guess at what a search was after: it
says how the two positions differ, and the reader sees why that matters.
"""

from __future__ import annotations

import importlib
from itertools import islice
from typing import cast

from lampion.core.comparison import Coach, Reason, compare
from lampion.core.game import Game, has_module
from lampion.core.position import Position
from lampion.core.sentences import Reader, sentence
from lampion.core.types import Action, Player

MOST_REASONS = 3
SECTION = "coach"
"""The section of a game's catalog."""


def find_coach(game: Game) -> Coach | None:
    """The module `coach` of a game, if it has one."""
    if not has_module(game, "coach"):
        return None
    return cast(Coach, importlib.import_module(f"{game.__name__}.coach"))


def reasons(position: Position, seat: Player, played: Action, best: Action) -> tuple[Reason, ...]:
    """The weightiest reasons why an action is worse than another, at most three."""
    coach = find_coach(position.game)
    compared = compare(position, seat, played, best) if coach else None
    if coach is None or compared is None:
        return ()
    return tuple(islice(coach.reasons(compared), MOST_REASONS))


def told(found: tuple[Reason, ...], reader: Reader) -> list[str]:
    """A sentence for each reason."""
    return [sentence(SECTION, reason.kind, reason.values, reader) for reason in found]
