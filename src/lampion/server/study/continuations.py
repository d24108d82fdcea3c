"""Where a new game goes on from a finished one."""

from __future__ import annotations

import msgspec

from lampion.core.errors import InvalidOptions, LampionError
from lampion.core.gamelog import log_name
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.study.replay import ended_game
from lampion.server.tables.table import Prefix

MOST_ENTRIES = 1000
"""Of the earlier game: they are played again at once whenever the table is read, which takes some
milliseconds. The published games have a quarter of that."""


class Beginning(msgspec.Struct):
    """What the new table takes over. The players' names stay with the record."""

    game: str
    players: int
    options: dict[str, str]
    earlier: Prefix


def beginning(wanted: wire.Continuation) -> Beginning:
    """Every entry goes through the gate, here and again at the table. What was taken back is left
    out, so that the new game can be read in one go."""
    record, match = ended_game(wanted.record)
    if wanted.ply > match.ply:
        raise LampionError(
            f"this record has {match.ply} entries", code="invalid-query", where="ply"
        )
    earlier = match.at(wanted.ply)
    if earlier.is_over or not wanted.ply:
        raise TableError("there is nothing to continue there", code="not-to-act", where="ply")
    entries = [(log_name(entry.actor), entry.text) for entry in earlier.log.standing]
    if len(entries) > MOST_ENTRIES:
        raise LampionError(f"at most {MOST_ENTRIES} entries", code="too-large", where="record")
    return Beginning(record.game, record.players, record.options, entries)


def table_for(wanted: wire.Continuation, found: Beginning) -> wire.NewTable:
    """The same game with nobody else at the table: others have not agreed to the
    position."""
    mine = sum(seat.kind == "me" for seat in wanted.seats)
    bots = sum(seat.kind == "bot" for seat in wanted.seats)
    if (mine, mine + bots, len(wanted.seats)) != (1, found.players, found.players):
        message = "a finished game is continued by one player against bots in all other seats"
        raise InvalidOptions(message, code="bots-only", where="seats")
    return wire.NewTable(found.game, wanted.seats, found.options, nonce=wanted.nonce)
