"""Looking at games: positions of a record, fairness, hints, and the texts that go with them. Nothing here changes a table."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from lampion.bots.analysis import Analysis, analyse
from lampion.bots.base import Budget
from lampion.core import replay
from lampion.core.compile import PACKAGE
from lampion.core.errors import LampionError, UnfairRecord
from lampion.core.game import find_game, own_game_names
from lampion.core.gamelog import GameRecord, read_record
from lampion.core.match import Match
from lampion.core.messages import catalogue, event_text, languages, text
from lampion.core.types import CHANCE, SPECTATOR
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.tables.house import House

HINT_SECONDS = 1.0
SHOWN_MOVES = 3


def positions(wanted: wire.ReplayRequest) -> wire.Positions:
    """Part of a record, as a seat saw it then. Every entry goes through the gate again."""
    record = _record(wanted.record)
    match = replay.match_from_record(record)
    seat = SPECTATOR if wanted.seat is None else wanted.seat
    if seat >= match.players:
        raise LampionError(f"this game has {match.players} players", code="invalid-query", where="seat")
    found, first = [], None
    for earlier, entry in replay.positions(match):
        ply = earlier.ply
        if first is not None and wanted.start <= ply <= wanted.start + wanted.count:
            found.append(_position(earlier, seat, first))
        first = _draw(earlier) if entry.actor == CHANCE and wanted.draws else _NO_DRAW
        if ply == 0 and wanted.start == 0:
            found.append(_position(earlier, seat, _NO_DRAW))
    if match.ply and wanted.start <= match.ply < wanted.start + wanted.count:
        found.append(_position(match, seat, first or _NO_DRAW))
    return wire.Positions(match.ply, found[: wanted.count])


_NO_DRAW = wire.Draw(-1, [], [])


def _position(match: Match, seat: int, draw: wire.Draw) -> wire.Position:
    step = None
    if match.ply:
        (actor, action), last = match.log_seen_by(seat, match.ply - 1)[0], match.ply - 1
        step = wire.Step(last, actor, action, match.events(last))
    return wire.Position(match.ply, step, match.view(seat), None if draw is _NO_DRAW else draw)


def _draw(match: Match) -> wire.Draw:
    return wire.Draw(match.num_draws, match.chance_weights().tolist(), match.legal_actions(CHANCE))


def verified(record: dict[str, Any]) -> wire.Verified:
    read = _record(record)
    try:
        draws = replay.verify_fairness(read, replay.match_from_record(read))
    except UnfairRecord as unfair:
        return wire.Verified(False, 0, unfair.message)
    return wire.Verified(True, draws, f"all {draws} outcomes of chance follow from the seed that was promised")


def _record(content: dict[str, Any]) -> GameRecord:
    return read_record(msgspec.json.encode(content))


# --- hints ------------------------------------------------------------------------------------------------------------------------


async def hint(house: House, table: str, person: str, wanted: wire.HintRequest) -> wire.Hint:
    """What a strong bot would do from what this seat knows; only where no other people play."""
    async with house.at(table) as room:
        at, seat = room.table, wanted.seat
        if seat not in at.seats_of(person) or at.match is None or seat not in at.actors:
            raise TableError("a hint is for the seat that is to act", code="not-your-turn", where=f"seat {seat}")
        if at.people != {person}:
            raise TableError("there are no hints at a table with other people", code="no-hints", where=table)
        match = at.match.copy()
    last = await asyncio.to_thread(_last_thought, match, seat)
    return _told(match, last, wanted.language)


def _last_thought(match: Match, seat: int) -> Analysis:
    *_, last = analyse(match, seat, Budget(seconds=HINT_SECONDS))
    return last


def _told(match: Match, found: Analysis, language: str) -> wire.Hint:
    best, tries = found.moves[0], max(1, sum(move.visits for move in found.moves))
    events = match.preview(best.action, found.seat)
    does = [event_text(match.game.NAME, event, match.names, language) for event in events]
    sentence = text("play", "hint", language, gains="; ".join(does))
    moves = [wire.HintMove(move.action, move.value, move.visits / tries) for move in found.moves[:SHOWN_MOVES]]
    return wire.Hint(match.ply, moves, events, sentence)


# --- texts ------------------------------------------------------------------------------------------------------------------------


def rulebook(game: str, language: str) -> str:
    file = Path(find_game(game).__file__).parent / "rulebook" / f"{_language(language)}.md"
    if not file.exists():
        raise TableError("there is no such rulebook", code="no-page", where=f"{game}/{language}")
    return file.read_text("utf-8")


def messages(language: str) -> dict[str, Any]:
    """The catalogues of a language: what all games share, and each game's own."""
    known = _language(language)
    games = {name: catalogue(Path(find_game(name).__file__).parent, known) for name in own_game_names()}
    return {"shared": catalogue(PACKAGE, known), "games": games}


def _language(language: str) -> str:
    if language not in languages():
        raise TableError(f"there is no language {language[:10]!r}", code="no-page", where="language")
    return language
