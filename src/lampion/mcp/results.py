"""The file of an agent's results: JSON lines that are only ever added.

    {"type": "started", "number": 0, "terms": {...}, "commitment": "..."}     as soon as a game is dealt
    {"type": "result", "number": 0, "ended": "resigned", ...}                 as soon as the agent is out
    {"type": "result", "number": 0, "ended": "resigned", ...}                 when the others have played on to the end

A game that was finished has one result. A game that has none was left: its host was killed.
`check_lines` and `check_result` say whether such a file is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec

from lampion.arena.lines import add_line, whole_lines
from lampion.core.errors import InvalidRecord
from lampion.core.fairness import commitment
from lampion.core.gamelog import GameRecord
from lampion.core.match import Match
from lampion.mcp.terms import Terms

FINISHED, RESIGNED, OUT_OF_TIME, REFUSED = "finished", "resigned", "out-of-time", "refused"
DISCONNECTED, ABSENT = "disconnected", "absent"
ENDS = (FINISHED, RESIGNED, OUT_OF_TIME, REFUSED, DISCONNECTED, ABSENT)


class Started(msgspec.Struct, tag="started", forbid_unknown_fields=True):
    """A game that was dealt to the agent; it is never dealt again."""

    number: int
    terms: Terms
    commitment: str
    """The hash of the seed, as in the record."""


class Result(msgspec.Struct, tag="result", forbid_unknown_fields=True):
    """How one game ended for the agent."""

    game: str
    number: int
    seat: int
    ended: str
    place: int
    """1 is the best; an agent who is out of the game comes last."""
    scores: list[int]
    decisions: int
    refusals: int
    disguise: int | None
    """The number that the pieces were made from (`lampion.mcp.disguise`), unless they were the
    published ones."""
    record: GameRecord | None
    """The game so far, or to its end; None if the host was killed. What a bot did in place of the
    agent, or of a bot that failed, is marked in it as substituted."""
    replaced: dict[int, str] = {}
    """Seats whose bots failed, and how: another bot played on for them."""


Line: TypeAlias = Started | Result
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def read_line(data: bytes) -> Line | None:
    """A line of such a file; None if it is something else."""
    try:
        return _decoder.decode(data)
    except msgspec.DecodeError:
        return None


class ResultFile:
    """A file with results to which more are added."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[Line] = []
        for number, text in enumerate(whole_lines(path), 1):
            line = read_line(text)
            if line is None:
                raise InvalidRecord("not a line of results", where=f"{path}, line {number}")
            self.lines.append(line)

    def add(self, line: Line) -> None:
        add_line(self.path, msgspec.json.encode(line))


def left_behind(started: Started) -> Result:
    """The result of a game whose host was killed."""
    terms, number = started.terms, started.number
    return Result(
        terms.game, number, terms.seat, DISCONNECTED, terms.players, [], 0, 0,
        terms.disguise_of(number), None,
    )  # fmt: skip


def last_results(lines: Iterable[Line]) -> list[Result | Started]:
    """What each game came to, in order: its last result, or its start if it has none."""
    last: dict[int, Line] = {}
    for line in lines:
        last[line.number] = line
    return list(last.values())


# --- is it true? ----------------------------------------------------------------------------------


def _refuse(where: str, message: str) -> None:
    raise InvalidRecord(message, code="wrong-result", where=where)


def check_lines(lines: Sequence[tuple[str, Line]]) -> dict[int, Started]:
    """Refuse lines that do not fit together; give the start of each game."""
    started: dict[int, Started] = {}
    results: dict[int, Result] = {}
    for where, line in lines:
        if isinstance(line, Started):
            _check_start(where, line, started)
            started[line.number] = line
        else:
            if line.number not in started:
                _refuse(where, f"game {line.number} was not started")
            if line.number in results:
                _check_later(where, results[line.number], line)
            results[line.number] = line
    return started


def _check_start(where: str, line: Started, earlier: dict[int, Started]) -> None:
    if line.number != len(earlier):
        _refuse(where, f"game {len(earlier)} comes next, not game {line.number}")
    if earlier and not line.terms.agree(earlier[0].terms):
        _refuse(where, "the terms are not those of the games before")
    if line.commitment != commitment(line.terms.seed_of(line.number)):
        _refuse(where, "this is not the deal of that number")


def _check_later(where: str, before: Result, later: Result) -> None:
    """The second result of a game only adds what the others did after the agent was out."""
    told = [(one.ended, one.place, one.decisions, one.refusals) for one in (before, later)]
    logs = [one.record.log if one.record else [] for one in (before, later)]
    if told[0] != told[1] or before.ended == FINISHED or logs[1][: len(logs[0])] != logs[0]:
        _refuse(where, f"game {later.number} has ended before, and otherwise")


def check_result(terms: Terms, result: Result, match: Match | None, where: str) -> None:
    """Refuse a result that the terms and the replayed record do not give."""
    number, last = result.number, terms.players
    is_finished = result.ended == FINISHED
    if result.ended not in ENDS:
        _refuse(where, f"no game ends with {result.ended!r}")
    about = (result.game, result.seat, result.disguise)
    if about != (terms.game, terms.seat, terms.disguise_of(number)):
        _refuse(where, "game, seat or disguise are not those of the terms")
    if (result.refusals > terms.refusals) != (result.ended == REFUSED):
        _refuse(where, f"{result.refusals} refusals do not fit {result.ended!r}")
    if match is None:
        place, scores, decisions = last, [], 0
    else:
        _check_record(terms, result, match, where)
        place = match.placements[terms.seat] if is_finished else last
        scores, decisions = match.scores, _decisions(result)
    if is_finished and not (match and match.is_over):
        _refuse(where, "the game was not finished")
    found = (place, scores, decisions)
    if (result.place, result.scores, result.decisions) != found:
        _refuse(where, f"the record gives place {place}, scores {scores}, {decisions} decisions")


def _check_record(terms: Terms, result: Result, match: Match, where: str) -> None:
    record = result.record
    assert record
    promised = record.fairness and record.fairness.commitment
    played = (record.game, record.players, dict(match.options), record.names, promised)
    agreed = (
        terms.game, terms.players, dict(terms.options), terms.names(),
        commitment(terms.seed_of(result.number)),
    )  # fmt: skip
    if played != agreed or record.continued:
        _refuse(where, "the record is of another game, table or deal than the terms")
    seats = {record.log[ply][0] for ply in record.substituted or ()}
    allowed = {*result.replaced} | (set() if result.ended == FINISHED else {terms.seat})
    if not seats <= allowed:
        _refuse(where, "a bot acted for a player who was not out")


def _decisions(result: Result) -> int:
    """What the agent itself did."""
    assert result.record
    substituted = {*(result.record.substituted or ())}
    return sum(
        actor == result.seat and ply not in substituted
        for ply, (actor, _) in enumerate(result.record.log)
    )
