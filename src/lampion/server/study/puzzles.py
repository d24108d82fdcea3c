"""Decisions of finished games, to be made again: the position as the seat saw it, and how good the
action is that a reader tries there."""

from __future__ import annotations

import math
from typing import Any, Literal

from lampion.core.errors import LampionError
from lampion.core.match import Match
from lampion.reviews.judging import MISTAKE, Judgement, decisions_of, judged_instead
from lampion.server import wire
from lampion.server.study.replay import ended_game
from lampion.server.study.reviews import does
from lampion.server.tables.drawings import drawing_of
from lampion.server.tables.table import previews_of


def puzzle(wanted: wire.PuzzleRequest) -> wire.Puzzle:
    """Nothing in it says what would have been better."""
    match = _decided(wanted.record, wanted.ply)
    entry, earlier = match.log[wanted.ply], match.at(wanted.ply)
    seat = entry.actor
    view = earlier.view(seat)
    previews = previews_of(earlier, seat)
    return wire.Puzzle(wanted.ply, seat, entry.text, view, [*previews], previews, drawing_of(view))


def _decided(record: dict[str, Any], ply: int) -> Match:
    """The match of a record of which the entry at `ply` is a decision that stands."""
    _, match = ended_game(record)
    if ply not in decisions_of(match):
        raise LampionError(
            f"entry {ply} is not a decision, or it was taken back",
            code="invalid-query",
            where="ply",
        )
    return match


def tried(wanted: wire.AttemptRequest) -> Judgement:
    """The judgment of the action, which depends on neither names nor language."""
    return judged_instead(_decided(wanted.record, wanted.ply), wanted.ply, wanted.action)


def told(wanted: wire.AttemptRequest, found: Judgement, played: Judgement) -> wire.Attempt:
    """The words for its reader."""
    _, match = ended_game(wanted.record)
    return wire.Attempt(
        wanted.ply,
        found.seat,
        _outcome(found, played),
        found.played,
        does(match.at(wanted.ply), found.seat, found.played, wanted.language),
        found.cost,
        found.interval,
        found.is_exact,
        found.is_best,
    )


def _outcome(found: Judgement, played: Judgement) -> Literal["found", "better", "not-better"]:
    """Both were compared with the same best action, so their costs can be subtracted."""
    if not found.is_mistake:
        return "found"
    gain = played.cost - found.cost
    is_better = gain >= MISTAKE and gain > math.hypot(played.interval, found.interval)
    return "better" if is_better else "not-better"
