"""A player's results as figures: how often they won, by game, number of players and opponents, each
with an interval that says how much so few games can tell."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lampion.server import wire
from lampion.server.store.base import SeatKind, SeatRow

Z = 1.959963984540054
"""Of the normal distribution: 95 % lie between -Z and Z."""
PEOPLE, MIXED = "people", "mixed"


class Played(NamedTuple):
    """One finished game of the player."""

    game: str
    players: int
    against: str
    month: str
    win: float


def against(seats: Sequence[SeatRow], person: str) -> str:
    """What all opponents are: bots of one level, people, or not all the same."""
    others = [seat for seat in seats if seat.person_id != person or seat.kind != SeatKind.PERSON]
    kinds = {seat.level or PEOPLE if seat.kind == SeatKind.BOT else PEOPLE for seat in others}
    return kinds.pop() if len(kinds) == 1 else MIXED


def win_of(winners: Sequence[int], own: Iterable[int]) -> float:
    """Of a victory that several share, each has a part."""
    return len(set(winners) & set(own)) / len(winners) if winners else 0.0


def month_of(at_ms: int) -> str:
    return datetime.datetime.fromtimestamp(at_ms / 1000, datetime.UTC).strftime("%Y-%m")


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The score interval of Wilson: sensible for few games, and for all or none of them won."""
    if games == 0:
        return 0.0, 1.0
    share, weight = wins / games, Z * Z / games
    middle = share + weight / 2
    half = Z * math.sqrt(share * (1 - share) / games + weight / (4 * games))
    return max(0.0, (middle - half) / (1 + weight)), min(1.0, (middle + half) / (1 + weight))


def share_of(played: Sequence[Played]) -> wire.Share:
    games, wins = len(played), sum(one.win for one in played)
    low, high = wilson(wins, games)
    return wire.Share(games, wins, round(wins / games, 4), round(low, 4), round(high, 4))


def figures(played: Iterable[Played]) -> list[wire.Figure]:
    groups: dict[tuple[str, int, str], list[Played]] = {}
    for one in played:
        groups.setdefault((one.game, one.players, one.against), []).append(one)
    return [
        wire.Figure(game, players, kind, share_of(ones), round(1 / players, 4), _months(ones))
        for (game, players, kind), ones in sorted(groups.items())
    ]


def _months(played: Sequence[Played]) -> list[wire.Month]:
    months: dict[str, list[Played]] = {}
    for one in played:
        months.setdefault(one.month, []).append(one)
    return [wire.Month(month, share_of(ones)) for month, ones in sorted(months.items())]
