"""What a strong bot would do from what a seat knows."""

from __future__ import annotations

import functools

from lampion.bots.analysis import Analysis, MoveValue, analyse
from lampion.bots.base import Budget
from lampion.core.advice import reason
from lampion.core.events import AnyEvent
from lampion.core.match import Match
from lampion.core.messages import game_text, text
from lampion.core.sentences import Reader, outcome, sentences
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.play.threads import in_thread
from lampion.server.services import Services

HINT_SECONDS = 1.0
SHOWN_MOVES = 3
CLEARLY_BETTER, BETTER = 0.05, 0.01
"""How far the best move is ahead of the next one, in the utility of the search."""


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
    return analyse(match, seat=seat, budget=Budget(seconds=HINT_SECONDS))


def told(match: Match, found: Analysis, language: str) -> wire.Hint:
    tries = max(1, found.iterations, sum(move.visits for move in found.moves))
    moves = [
        _move(match, found.seat, move, move.visits / tries, language)
        for move in found.moves[:SHOWN_MOVES]
    ]
    sentence = _advice(match, found, moves[0].events, language)
    return wire.Hint(match.ply, moves, moves[0].events, sentence)


def _advice(match: Match, found: Analysis, events: list[AnyEvent], language: str) -> str:
    """What to do, what it leads to for whom, what speaks for it, and how sure the search is of it."""
    game = match.game
    kind = game.ACTIONS.block_of(found.moves[0].action).name
    deed = text("hints", "best", language, move=game_text(game.NAME, "kinds", kind, language))
    leads_to = outcome(events, Reader(game.NAME, match.names, language, found.seat))
    speaks_for = reason(match, found.seat, events, language)
    sure = text("hints", _how_sure(match, found), language)
    return " ".join(f"{part}." for part in (deed, leads_to, speaks_for, sure) if part)


def _how_sure(match: Match, found: Analysis) -> str:
    if len(match.legal_ids(found.seat)) == 1:
        return "only"
    best, *others = (move.value for move in found.moves if move.value is not None)
    ahead = best - max(others, default=best)
    return "clear" if ahead >= CLEARLY_BETTER else "better" if ahead >= BETTER else "close"


def _move(match: Match, seat: int, move: MoveValue, share: float, language: str) -> wire.HintMove:
    events = match.preview(move.action, seat)
    does = sentences(events, Reader(match.game.NAME, match.names, language))
    return wire.HintMove(move.text, move.value, share, events, ". ".join(does))
