"""How the scores of a record came about, and what decided it."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from lampion.core.replay import match_from_record
from lampion.core.scorebook import Lead, ScoreMoment, Swing, TieBreak, scorebook_of
from lampion.server import wire
from lampion.server.study.replay import record_in

MOST_KEPT = 64
MOST_KEPT_BYTES = 128 * 1024
"""More than that of any game that is played; a longer one is worked out each time."""


class Recent:
    """The scorebooks asked for last, as JSON. What they tell follows from the record alone, and who cannot
    send the record cannot ask for its scorebook."""

    def __init__(self) -> None:
        self._found: OrderedDict[bytes, bytes] = OrderedDict()

    def find(self, key: bytes) -> bytes | None:
        if key in self._found:
            self._found.move_to_end(key)
        return self._found.get(key)

    def keep(self, key: bytes, scorebook: bytes) -> None:
        if len(scorebook) > MOST_KEPT_BYTES:
            return
        self._found[key] = scorebook
        if len(self._found) > MOST_KEPT:
            self._found.popitem(last=False)


def key_of(wanted: wire.ScorebookRequest) -> bytes:
    """Names make no difference: strangers to a private table get a record without them."""
    content = {name: value for name, value in wanted.record.items() if name != "names"}
    return hashlib.sha256(msgspec.json.encode(content, order="deterministic")).digest()


def scorebook(wanted: wire.ScorebookRequest) -> wire.Scorebook:
    """Every entry goes through the gate again."""
    match = match_from_record(record_in(wanted.record))
    found = scorebook_of(match)
    return wire.Scorebook(
        match.ply, match.is_over, match.scores, match.placements,
        list(found.part_names), found.moments[-1].parts.tolist(), _rounds(found.moments), _curve(found.moments),
        _swing(found.swing), _lead(found.lead), _tie_break(found.tie_break),
    )  # fmt: skip


def _swing(swing: Swing | None) -> wire.Swing | None:
    if swing is None:
        return None
    return wire.Swing(swing.ply, swing.round, swing.player, swing.before, swing.after, swing.equals)


def _lead(lead: Lead | None) -> wire.Lead | None:
    return wire.Lead(lead.ply, lead.round, lead.player, lead.changes) if lead else None


def _tie_break(tie: TieBreak | None) -> wire.TieBreak | None:
    return wire.TieBreak(tie.what, list(tie.players), list(tie.values)) if tie else None


def _rounds(moments: Sequence[ScoreMoment]) -> list[wire.RoundGains]:
    """Where all act at once, entries of two rounds may alternate: each round is told once."""
    found: dict[str, wire.RoundGains] = {}
    for before, moment in pairwise(moments):
        if not moment.round:
            continue  # the deal
        none = [0] * len(moment.scores)
        told = found.setdefault(moment.round, wire.RoundGains(moment.round, before.ply, none))
        for seat, score in enumerate(moment.scores):
            told.gains[seat] += score - before.scores[seat]
    return list(found.values())


def _curve(moments: Sequence[ScoreMoment]) -> list[wire.Standing]:
    kept = [moments[0]]
    for before, moment in pairwise(moments):
        if moment.scores != before.scores or moment is moments[-1]:
            kept.append(moment)
    return [wire.Standing(moment.ply, moment.round, list(moment.scores)) for moment in kept]
