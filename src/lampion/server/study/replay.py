"""Looking at finished games: positions of a record, and whether its chance was fair. Nothing
here changes a table."""

from __future__ import annotations

from typing import Any

import msgspec

from lampion.core import replay
from lampion.core.errors import LampionError, UnfairRecord
from lampion.core.gamelog import GameRecord, read_record
from lampion.core.match import Match
from lampion.core.news import news
from lampion.core.types import CHANCE, SPECTATOR
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.tables.drawings import drawing_of


def positions(wanted: wire.ReplayRequest) -> wire.Positions:
    """Part of a record, as a seat saw it then. Every entry goes through the gate again."""
    match = replay.match_from_record(record_in(wanted.record))
    seat = SPECTATOR if wanted.seat is None else wanted.seat
    check_seat(match, seat)
    found: list[wire.Position] = []
    first = None
    for earlier, entry in replay.positions(match):
        ply = earlier.ply
        if first is not None and wanted.start <= ply <= wanted.start + wanted.count:
            found.append(_position(earlier, seat, first, found))
        first = _draw(earlier) if entry.actor == CHANCE and wanted.draws else _NO_DRAW
        if ply == 0 and wanted.start == 0:
            found.append(_position(earlier, seat, _NO_DRAW, found))
    if match.ply and wanted.start <= match.ply < wanted.start + wanted.count:
        found.append(_position(match, seat, first or _NO_DRAW, found))
    return wire.Positions(match.ply, found[: wanted.count])


_NO_DRAW = wire.Draw(-1, [], [])


def _position(
    match: Match, seat: int, draw: wire.Draw, earlier: list[wire.Position]
) -> wire.Position:
    """Behind an earlier position, the events tell how its view changes."""
    step, view, last = None, match.view(seat), match.ply - 1
    if match.ply:
        actor, action = match.log.read_by(seat, last)[0]
        if earlier and earlier[-1].ply == last:
            (events,) = news(match, seat, earlier[-1].view, view)
        else:
            events = match.events(last, seat)
        step = wire.Step(last, actor, action, events)
    due = None if draw is _NO_DRAW else draw
    return wire.Position(match.ply, step, view, due, drawing_of(view))


def _draw(match: Match) -> wire.Draw:
    return wire.Draw(
        match.log.num_draws, match.chance_weights().tolist(), match.legal_actions(CHANCE)
    )


def verified(record: dict[str, Any]) -> wire.Verified:
    read = record_in(record)
    try:
        draws = replay.verify_fairness(read, replay.match_from_record(read))
    except UnfairRecord as unfair:
        return wire.Verified(False, 0, unfair.message)
    told = f"all {draws} outcomes of chance follow from the seed that was promised"
    if read.continued:
        earlier = f"the first {read.first_ply} entries come from another game and were not checked"
        told = f"{told}; {earlier}"
    return wire.Verified(True, draws, told, read.first_ply)


def check_seat(match: Match, seat: int) -> None:
    if seat >= match.players:
        raise LampionError(
            f"this game has {match.players} players", code="invalid-query", where="seat"
        )


def check_ended(record: GameRecord, match: Match) -> None:
    """Where other people still play there are no hints, and a record must not be the way around
    that. A game that was stopped has no result, but its seed is known, as no running game's is."""
    is_seed_known = record.fairness is not None and record.fairness.seed is not None
    if not match.is_over and not is_seed_known:
        raise TableError(
            "hints and reviews are for games that have ended", code="not-ended", where="record"
        )


def ended_game(content: dict[str, Any]) -> tuple[GameRecord, Match]:
    """A record and its match. A game that still runs is refused."""
    record = record_in(content)
    match = replay.match_from_record(record)
    check_ended(record, match)
    return record, match


def record_in(content: dict[str, Any]) -> GameRecord:
    return read_record(msgspec.json.encode(content))
