"""What a strong bot would do from what a seat knows."""

from __future__ import annotations

import functools

from lampion.bots.analysis import Analysis, MoveValue, analyse
from lampion.bots.base import Budget
from lampion.core.match import Match
from lampion.core.messages import event_text, text
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.play.threads import in_thread
from lampion.server.services import Services

HINT_SECONDS = 1.0
SHOWN_MOVES = 3


async def hint(services: Services, table: str, person: str, wanted: wire.HintRequest) -> wire.Hint:
    """Only where no other people play."""
    match = await match_for(services, table, person, wanted.seat)
    owner = services.origins.owner(person)
    thinking = functools.partial(in_thread, last_thought, match, wanted.seat)
    last = await services.scheduler.do(owner, HINT_SECONDS, thinking)
    return told(match, last, wanted.language)


async def match_for(services: Services, table: str, person: str, seat: int) -> Match:
    """The game at a table, for a seat that may have a hint there."""
    async with services.rooms.at(table) as room:
        at = room.table
        if seat not in at.seats_of(person) or at.match is None or seat not in at.actors:
            raise TableError(
                "a hint is for the seat that is to act", code="not-your-turn", where=f"seat {seat}"
            )
        if at.people != {person}:
            raise TableError(
                "there are no hints at a table with other people", code="no-hints", where=table
            )
        return at.match.copy()


def last_thought(match: Match, seat: int) -> Analysis:
    *_, last = analyse(match, seat, Budget(seconds=HINT_SECONDS))
    return last


def told(match: Match, found: Analysis, language: str) -> wire.Hint:
    tries = max(1, sum(move.visits for move in found.moves))
    moves = [
        _move(match, found.seat, move, move.visits / tries, language)
        for move in found.moves[:SHOWN_MOVES]
    ]
    sentence = text("play", "hint", language, gains=moves[0].does)
    return wire.Hint(match.ply, moves, moves[0].events, sentence)


def _move(match: Match, seat: int, move: MoveValue, share: float, language: str) -> wire.HintMove:
    events = match.preview(move.action, seat)
    does = [event_text(match.game.NAME, event, match.names, language) for event in events]
    name = match.action_text(move.action, seat)
    return wire.HintMove(name, move.value, share, events, "; ".join(does))
