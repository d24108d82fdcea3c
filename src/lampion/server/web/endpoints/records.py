"""Records of finished games, their positions, and the check that chance was fair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from starlette.responses import Response

from lampion.bots.task import Task
from lampion.bots.weighing import JudgementTasks
from lampion.core.gamelog import write_record
from lampion.reviews.judging import Judgement
from lampion.reviews.reviewing import Decision
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.study import puzzles, reviews, scorebooks, suggestions
from lampion.server.study import replay as replays
from lampion.server.study.hints import HINT_SECONDS
from lampion.server.study.kept import key_of
from lampion.server.tables.info import is_insider
from lampion.server.web import limits
from lampion.server.web.endpoints.tables import TABLE
from lampion.server.web.http import MOST_RECORD_BYTES, Ask, Endpoint, spend_history

EXPECTED_SECONDS = 0.2
"""What a replay or a verification takes of a core."""


async def record(ask: Ask) -> Response:
    viewer = await ask.viewer()
    async with ask.services.rooms.at(ask.table) as room:
        if not room.table.reveals or room.table.match is None:
            raise TableError(
                "the record is published when the game is over", code="no-record", where=ask.table
            )
        spend_history(ask.services, ask.who, room, 0)
        found = room.table.record
        if not is_insider(room.table, viewer):
            nameless = [f"Player {number}" for number in range(1, room.table.players + 1)]
            found = msgspec.structs.replace(found, names=nameless)
        name = f"lampion-{room.table.row.game}-{ask.table}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(write_record(found), media_type="application/json", headers=headers)


async def replay(ask: Ask) -> Response:
    return await _study(ask, replays.positions, ask.body)


async def scorebook(ask: Ask) -> Response:
    """A game that many look at, such as one whose link was shared, is worked out once."""
    body: wire.ScorebookRequest = ask.body
    recent = ask.services.scorebooks
    key = scorebooks.key_of(body)
    found = recent.find(key)
    if found is None:
        found = await ask.study(EXPECTED_SECONDS, scorebooks.scorebook, body)
        recent.keep(key, found)
    return Response(found, media_type="application/json")


async def review(ask: Ask) -> Response:
    """Names make no difference to a ledger."""
    body: wire.ReviewRequest = ask.body

    async def make(_: list[bytes]) -> list[bytes]:
        return [await ask.study(reviews.REVIEW_SECONDS, reviews.review, body)]

    key = key_of(_nameless(body.record))
    (found,) = await ask.services.reviews.ledgers.find([key], make)
    return Response(found, media_type="application/json")


async def judgements(ask: Ask) -> Response:
    """What is not known yet is judged; the words are made for each reader."""
    body: wire.JudgementRequest = ask.body
    if body.found:
        return await _study(ask, reviews.judgements_from, body)
    found = await judged(ask, body.record, sorted({*body.plies}))
    return await _study(ask, reviews.told, body.record, found, body.language)


async def judgement_tasks(ask: Ask) -> Response:
    return await _study(ask, reviews.tasks, ask.body)


async def judged(ask: Ask, record: dict[str, Any], plies: list[int]) -> list[Decision]:
    game = key_of(_nameless(record)).hex()
    keys = {key_of(game, ply): ply for ply in plies}

    async def make(missing: list[bytes]) -> list[Decision]:
        asked = [keys[key] for key in missing]
        seconds = reviews.JUDGEMENT_SECONDS * len(asked)
        told = await ask.study(seconds, reviews.judgements, record, asked)
        return msgspec.json.decode(told, type=list[Decision])

    return await ask.services.reviews.judgements.find([*keys], make)


async def puzzle(ask: Ask) -> Response:
    return await _study(ask, puzzles.puzzle, ask.body)


async def attempt(ask: Ask) -> Response:
    """The action is compared with the same best one as the one that was played."""
    body: wire.AttemptRequest = ask.body
    found = await attempted(ask, body)
    (played,) = await judged(ask, body.record, [body.ply])
    return await _study(ask, puzzles.told, body, found, played.judgement)


async def attempted(ask: Ask, wanted: wire.AttemptRequest) -> Judgement:
    async def make(_: list[bytes]) -> list[Judgement]:
        told = await ask.study(reviews.JUDGEMENT_SECONDS, puzzles.tried, wanted)
        return [msgspec.json.decode(told, type=Judgement)]

    key = key_of(_nameless(wanted.record), wanted.ply, wanted.action)
    (found,) = await ask.services.reviews.attempts.find([key], make)
    return found


def _nameless(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != "names"}


async def verify(ask: Ask) -> Response:
    return await _study(ask, replays.verified, ask.body)


async def replay_task(ask: Ask) -> Response:
    return await _study(ask, suggestions.task, ask.body)


async def replay_hint(ask: Ask) -> Response:
    """Wording what a browser found costs no more than a replay; a search here is a thought."""
    if ask.body.found:
        return await _study(ask, suggestions.told, ask.body)
    ask.spend(limits.THOUGHTS)
    return await _study(
        ask, suggestions.searched, ask.body, seconds=EXPECTED_SECONDS + HINT_SECONDS
    )


async def _study(
    ask: Ask, look: Callable[..., Any], *about: Any, seconds: float = EXPECTED_SECONDS
) -> Response:
    return Response(await ask.study(seconds, look, *about), media_type="application/json")


ENDPOINTS = (
    Endpoint("GET", f"{TABLE}/record", "Return the record of a finished game", record, dict[str, Any],
             texts={"invite": "the invitation of a private table"}),
    Endpoint("POST", "/api/replay", "Return positions of a record", replay, wire.Positions, wire.ReplayRequest,
             most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/replay/scorebook", "Explain the scores of a record: parts, rounds, deciding factors", scorebook,
             wire.Scorebook, wire.ScorebookRequest, most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/replay/review", "Review a record: separate luck from play", review,
             wire.GameReview, wire.ReviewRequest, limit=limits.REVIEWS, most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/replay/judgements", "Judge decisions of a record from what their seats knew", judgements,
             wire.Judgements, wire.JudgementRequest, limit=limits.REVIEWS, most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/replay/judgements/tasks", "Return the searches behind judgments, for the client to run",
             judgement_tasks, JudgementTasks, wire.JudgementTaskRequest, limit=limits.REVIEWS,
             most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/replay/puzzle", "Return a decision of a record as its seat saw it, to make it again", puzzle,
             wire.Puzzle, wire.PuzzleRequest, most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/replay/puzzle/attempt", "Judge an action in place of a decision of a record", attempt,
             wire.Attempt, wire.AttemptRequest, limit=limits.REVIEWS, most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/replay/hint", "Ask what a strong bot would do in a position of a record", replay_hint,
             wire.Hint, wire.ReplayHintRequest, most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/replay/hint/task", "Return what a seat knew, as a search for my own machine", replay_task,
             Task, wire.ReplayTaskRequest, most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/verify", "Check the chance of a record", verify, wire.Verified, dict[str, Any],
             limit=limits.THOUGHTS, most_bytes=MOST_RECORD_BYTES),
)  # fmt: skip
