"""Where a new game goes on from a finished one."""

from __future__ import annotations

import msgspec

from lampion.core.errors import InvalidOptions, LampionError
from lampion.core.gamelog import log_name
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.study.reviews import ended_game
from lampion.server.tables.table import Prefix

MOST_ENTRIES = 1000
"""Of the earlier game: they are played again at once whenever the table is read, which takes some
milliseconds. The published games have a quarter of that."""


class Continued(msgspec.Struct):
    """What the new table takes over. The players' names stay with the record."""

    game: str
    players: int
    options: dict[str, str]
    earlier: Prefix


def continued(wanted: wire.Continuation) -> Continued:
    """Every entry goes through the gate, here and again at the table. What was taken back is left
    out, so that the new game can be read in one go."""
    record, match = ended_game(wanted.record)
    if wanted.ply > match.ply:
        raise LampionError(
            f"this record has {match.ply} entries", code="invalid-query", where="continues.ply"
        )
    earlier = match.at(wanted.ply)
    if earlier.is_over or not wanted.ply:
        raise TableError(
            "there is nothing to continue there", code="not-to-act", where="continues.ply"
        )
    entries = [(log_name(entry.actor), entry.text) for entry in earlier.log.standing]
    if len(entries) > MOST_ENTRIES:
        raise LampionError(
            f"at most {MOST_ENTRIES} entries", code="too-large", where="continues.record"
        )
    return Continued(record.game, record.players, record.options, entries)


def check(wanted: wire.NewTable, found: Continued) -> None:
    """The same game, and nobody else at the table: others have not agreed to a position that
    somebody chose."""
    if wanted.game != found.game or len(wanted.seats) != found.players:
        message = f"the record is of {found.game} with {found.players} players"
        raise InvalidOptions(message, code="invalid-players", where="continues")
    mine = sum(seat.kind == "me" for seat in wanted.seats)
    bots = sum(seat.kind == "bot" for seat in wanted.seats)
    if mine != 1 or mine + bots != found.players or wanted.public:
        message = "a finished game is continued by one player against bots"
        raise InvalidOptions(message, code="bots-only", where="seats")
