"""The scorebook of a game: how every score came about, by part and by round, and what decided it.

A game says what its score is made of in a module `scoring` of its package:

    part_names(state)                     the parts of a score, such as "boats", or "room:A" for one of a kind
    update_parts(parts, state, trail)     brings the parts (by player, part) up to date after an action
    round_name(state)                     the round under way: its number, or a word such as "final"
    TIE_BREAKS, tie_breaks(state, player) what decides between equal scores, in order, and what a player has of it

Names are keys of the section `scoring` in the game's catalogs. A game without that module has one
part, its score, and counts the turns of each player as rounds.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

import numpy as np

from lampion.core.game import Game, has_module
from lampion.core.log import NO_TRAIL
from lampion.core.match import Match
from lampion.core.position import Trail
from lampion.core.types import CHANCE, IntArray, Player

WHOLE_SCORE = "score"
"""The only part of a score that its game does not break down."""


class Scoring(Protocol):
    """What the module `scoring` of a game has."""

    TIE_BREAKS: Sequence[str]

    def part_names(self, state: Any) -> Sequence[str]: ...
    def update_parts(self, parts: IntArray, state: Any, trail: Trail) -> None: ...
    def round_name(self, state: Any) -> str: ...
    def tie_breaks(self, state: Any, player: Player) -> Sequence[int]: ...


def scoring_of(game: Game) -> Scoring | None:
    if not has_module(game, "scoring"):
        return None
    return cast(Scoring, importlib.import_module(f"{game.__name__}.scoring"))


@dataclass(frozen=True)
class ScoreMoment:
    """The scores after a log entry that stands."""

    ply: int
    """How many entries the log had then."""
    round: str
    scores: Sequence[int]
    parts: IntArray
    """By player and part; a row adds up to that player's score."""


@dataclass(frozen=True)
class Swing:
    """The entry that moved a player furthest against the best of the others; of several, the
    last."""

    ply: int
    round: str
    player: Player
    before: int
    """How far that player was ahead of the best of the others; below 0: behind."""
    after: int
    equals: int
    """How many entries moved a player as far, this one included."""


@dataclass(frozen=True)
class Lead:
    """When the player with the highest score at the end came to lead alone, and stayed."""

    ply: int
    round: str
    player: Player
    changes: int
    """How often the lead went from one player to another."""


@dataclass(frozen=True)
class TieBreak:
    """What told the winners from others with the same score."""

    what: str
    players: Sequence[Player]
    """The players who were still level before it."""
    values: Sequence[int]


@dataclass(frozen=True)
class Scorebook:
    part_names: Sequence[str]
    moments: Sequence[ScoreMoment]
    """The beginning, and what every entry led to."""
    swing: Swing | None
    lead: Lead | None
    tie_break: TieBreak | None


def scorebook_of(match: Match) -> Scorebook:
    """How a match went, without what was taken back."""
    scoring = scoring_of(match.game)
    names = scoring.part_names(match.start) if scoring else (WHOLE_SCORE,)
    moments = _moments(match, scoring, len(names))
    return Scorebook(
        names, moments, _swing(moments), _lead(moments), _tie_break(match, scoring)
    )  # fmt: skip


def _moments(match: Match, scoring: Scoring | None, num_parts: int) -> list[ScoreMoment]:
    earlier, turns, name = match.at(0), [0] * match.players, ""
    parts = np.zeros((match.players, num_parts), np.int32)
    _update(parts, earlier, scoring, NO_TRAIL)
    found = [ScoreMoment(0, name, earlier.scores, parts.copy())]
    for ply in match.log.standing_plies:
        entry = match.log[ply]
        if entry.actor != CHANCE:
            turns[entry.actor] += 1
            name = scoring.round_name(earlier.state) if scoring else str(turns[entry.actor])
        earlier.replay(entry.actor, entry.text)
        _update(parts, earlier, scoring, entry.trail)
        found.append(ScoreMoment(ply + 1, name, earlier.scores, parts.copy()))
    return found


def _update(parts: IntArray, match: Match, scoring: Scoring | None, trail: Trail) -> None:
    if scoring:
        scoring.update_parts(parts, match.state, trail)
    else:
        parts[:, 0] = match.scores


# --- what decided it ----------------------------------------------------------------------------


def _margins(scores: Sequence[int]) -> list[int]:
    """How far each player is ahead of the best of the others."""
    return [
        own - max(other for player, other in enumerate(scores) if player != me)
        for me, own in enumerate(scores)
    ]


def _swing(moments: Sequence[ScoreMoment]) -> Swing | None:
    found: list[Swing] = []
    most, before = 1, _margins(moments[0].scores)
    for moment in moments[1:]:
        after = _margins(moment.scores)
        gain, player = max(
            (now - was, -seat) for seat, (was, now) in enumerate(zip(before, after, strict=True))
        )
        if gain > most:
            found.clear()
        if gain >= most:
            most, seat = gain, -player
            found.append(Swing(moment.ply, moment.round, seat, before[seat], after[seat], 1))
        before = after
    return replace(found[-1], equals=len(found)) if found else None


def _leader(scores: Sequence[int]) -> Player | None:
    """Who leads alone."""
    best = max(scores)
    return scores.index(best) if list(scores).count(best) == 1 else None


def _lead(moments: Sequence[ScoreMoment]) -> Lead | None:
    """A tie in between does not pass the lead on: it changes when another player leads alone."""
    since: ScoreMoment | None = None
    last = before = None
    changes = 0
    for moment in moments:
        leader = _leader(moment.scores)
        if leader is not None and leader != before:
            since = moment
        if leader is not None and last is not None and leader != last:
            changes += 1
        before, last = leader, last if leader is None else leader
    if since is None or before is None:
        return None
    return Lead(since.ply, since.round, before, changes)


def _tie_break(match: Match, scoring: Scoring | None) -> TieBreak | None:
    """The last thing that told some of those from others who were level until then."""
    if scoring is None or not match.is_over:
        return None
    scores = match.scores
    level = [player for player, score in enumerate(scores) if score == max(scores)]
    have = [scoring.tie_breaks(match.state, player) for player in range(match.players)]
    found = None
    for place, what in enumerate(scoring.TIE_BREAKS):
        values = [have[player][place] for player in level]
        ahead = [player for player in level if have[player][place] == max(values)]
        if len(ahead) < len(level):
            found = TieBreak(what, level, values)
        level = ahead
    return found
