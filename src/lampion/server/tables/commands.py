"""From commands to events. A command that is refused raises and changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from lampion.core.types import Action
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.store.base import TableStatus
from lampion.server.tables.kinds import LOST, NOBODY, EventKind
from lampion.server.tables.table import STAND_IN_LEVEL, Prefix, Table

MOST_QUESTIONS = 20
"""How often one seat may ask in one game."""


def _require(holds: bool, code: str, message: str) -> None:
    if not holds:
        raise TableError(message, code=code)


# --- what the server does by itself
# ---------------------------------------------------------------------------------


def note_seat(table: Table, seat: int, nonce: str, now_ms: int) -> None:
    table.emit(EventKind.SEATED, seat, now_ms, nonce)


def note_chat(table: Table, number: int, now_ms: int) -> None:
    table.emit(EventKind.SAID, NOBODY, now_ms, str(number))


def go_on_from(table: Table, earlier: Prefix, now_ms: int) -> None:
    """Let the game begin behind these entries of another one."""
    payload = msgspec.json.encode(earlier).decode()
    table.emit(EventKind.CONTINUED, NOBODY, now_ms, payload)


def start(table: Table, now_ms: int) -> None:
    _require(table.status == TableStatus.OPEN, "already-started", "the game has begun")
    _require(not table.has_open_seats, "open-seats", "there are still open seats")
    waits = table.asks_ready and not table.is_ready
    _require(not waits, "not-ready", "not everybody is ready for the clock to start")
    table.emit(EventKind.START, NOBODY, now_ms, msgspec.json.encode(table.nonces).decode())
    table.deal(now_ms)


def say_ready(table: Table, seats: Sequence[int], is_ready: bool, now_ms: int) -> None:
    """A person is ready for the clock to start, or no longer; the last one starts the game."""
    _require(table.status == TableStatus.OPEN, "already-started", "the game has begun")
    _require(table.asks_ready, "not-asked", "the table still waits for players")
    for seat in seats:
        if (seat in table.ready) != is_ready:
            table.emit(EventKind.READY, seat, now_ms, "yes" if is_ready else "no")
    if table.is_ready:
        start(table, now_ms)


def resume(table: Table, away_ms: int, now_ms: int) -> None:
    table.emit(EventKind.RESUME, NOBODY, now_ms, str(away_ms))


def time_out(table: Table, seats: Sequence[int], now_ms: int) -> None:
    """A clock at zero decides: these seats have lost. A player who missed a day may come back, and
    a bot stands in until then."""
    payload = LOST if isinstance(table.pace, wire.Clock) else STAND_IN_LEVEL
    for seat in seats:
        table.emit(EventKind.TIMEOUT, seat, now_ms, payload)
    _end_if_decided(table, now_ms)
    _settle_question(table, now_ms)


def _end_if_decided(table: Table, now_ms: int) -> None:
    if table.status == TableStatus.RUNNING and table.is_decided:
        table.emit(EventKind.DECIDED, NOBODY, now_ms)


def stop(table: Table, now_ms: int) -> None:
    """The game ends without a result, or the table is closed before it begins."""
    _require(not table.reveals, "already-over", "the game is already over")
    table.emit(EventKind.STOP, NOBODY, now_ms)


def play_bot(table: Table, seat: int, action: Action, now_ms: int) -> None:
    table.act(seat, action, now_ms)


# --- what a seat wants
# ----------------------------------------------------------------------------------------------


def carry_out(table: Table, command: wire.SeatCommand, now_ms: int) -> None:
    """Do what a seat wants. `TableError` and `Refused` change nothing. A command done before is
    done."""
    key = f"{command.seat}:{command.id}"
    if key in table.commands:
        return
    _require(
        table.status == TableStatus.RUNNING, "not-running", "no game is going on at this table"
    )
    match command:
        case wire.Act():
            _act(table, command, key, now_ms)
        case wire.Undo():
            _undo(table, command.seat, key, now_ms)
        case wire.Stop():
            _ask(table, wire.QuestionKind.STOP, table.ply, command.seat, key, now_ms)
        case wire.Pause():
            _require(not table.is_paused, "paused", "the game is already paused")
            _ask(table, wire.QuestionKind.PAUSE, table.ply, command.seat, key, now_ms)
        case wire.Continue():
            _continue(table, command.seat, key, now_ms)
        case wire.Answer():
            _answer(table, command, key, now_ms)
        case wire.Resign():
            _resign(table, command.seat, key, now_ms)
        case wire.Leave():
            _require(
                table.is_played_by_person(command.seat),
                "already-away",
                "a bot already plays this seat",
            )
            table.emit(EventKind.LEAVE, command.seat, now_ms, STAND_IN_LEVEL, key)
        case wire.Return():
            _return(table, command.seat, key, now_ms)
    _settle_question(table, now_ms)


def _continue(table: Table, seat: int, key: str, now_ms: int) -> None:
    """With days for every move any player may end a pause. A clock starts for everybody at once,
    so all must agree."""
    _require(table.is_paused, "not-paused", "the game is not paused")
    if isinstance(table.pace, wire.Clock) and _others(table, seat):
        _ask(table, wire.QuestionKind.CONTINUE, table.ply, seat, key, now_ms)
    else:
        table.emit(EventKind.GO_ON, seat, now_ms, command=key)


def _act(table: Table, command: wire.Act, key: str, now_ms: int) -> None:
    assert table.match
    _require(not table.is_paused, "paused", "the game is paused; continue it first")
    seat = command.seat
    _require(
        table.is_played_by_person(seat), "bot-plays", "a bot plays this seat; take it back first"
    )
    has_changed = command.ply < table.ply and not table.match.may_act(seat)
    if command.ply > table.ply or command.ply < table.asked[seat] or has_changed:
        message = "the table has changed meanwhile; here it is as it stands"
        raise TableError(message, code="stale", where=f"ply {table.ply}")
    table.act(seat, command.action, now_ms, key)


def _undo(table: Table, seat: int, key: str, now_ms: int) -> None:
    assert table.match
    _require(not table.is_paused, "paused", "the game is paused; continue it first")
    _require(
        table.is_played_by_person(seat), "bot-plays", "a bot plays this seat; take it back first"
    )
    ply = table.match.log.last_decision(seat)
    if ply is None or ply < table.first_ply:
        raise TableError("there is nothing to take back", code="nothing-to-undo")
    if table.match.log.reveals_since(ply) and _others(table, seat):
        _ask(table, wire.QuestionKind.UNDO, ply, seat, key, now_ms)
    else:
        table.take_back(ply, seat, now_ms, key)


def _others(table: Table, seat: int) -> list[int]:
    """The seats of other people, whose consent counts, whether they are here or a bot stands in for
    them.

    A person who plays several seats at one screen agrees with himself; a seat that is out of the
    game is not asked.
    """
    own = table.seats[seat].person_id
    return [
        other.seat
        for other in table.seats
        if table.is_of_person(other.seat)
        and other.person_id is not None
        and other.person_id != own
        and (other.seat not in table.stand_ins or table.may_return(other.seat))
    ]


def _ask(table: Table, what: wire.QuestionKind, ply: int, seat: int, key: str, now_ms: int) -> None:
    _require(
        table.is_played_by_person(seat), "bot-plays", "a bot plays this seat; take it back first"
    )
    _require(table.question is None, "question-open", "another question is still open")
    if what != wire.QuestionKind.CONTINUE:
        # The end of a pause must always be possible: nobody can play on before it.
        refused = table.refused_at.get(seat) == table.ply
        _require(not refused, "already-refused", "the others have just said no; play on first")
        limit = f"a seat may ask {MOST_QUESTIONS} times in a game"
        _require(table.num_questions[seat] < MOST_QUESTIONS, "too-many-questions", limit)
    asked = {"what": what, "ply": ply, "waiting": _others(table, seat)}
    table.emit(EventKind.ASK, seat, now_ms, msgspec.json.encode(asked).decode(), key)


def _resign(table: Table, seat: int, key: str, now_ms: int) -> None:
    _require(seat not in table.resigned, "already-resigned", "this seat has resigned")
    _require(seat not in table.lost_on_time, "out-of-time", "the time of this seat is over")
    table.emit(EventKind.RESIGN, seat, now_ms, command=key)
    _end_if_decided(table, now_ms)


def _answer(table: Table, command: wire.Answer, key: str, now_ms: int) -> None:
    """The seats that are asked say yes or no; the seat that asked may take its question back
    with no."""
    question = table.question
    is_open = question is not None and question.number == command.request
    withdraws = question is not None and command.seat == question.by and not command.yes
    if question is None or not is_open or not (command.seat in question.waiting or withdraws):
        raise TableError("this question is not open, or not for you", code="no-question")
    table.emit(EventKind.ANSWER, command.seat, now_ms, "yes" if command.yes else "no", key)


def _settle_question(table: Table, now_ms: int) -> None:
    """When all agree, it is done."""
    question = table.question
    if table.status != TableStatus.RUNNING or question is None or question.waiting:
        return
    match question.what:
        case wire.QuestionKind.STOP:
            table.emit(EventKind.STOP, question.by, now_ms)
        case wire.QuestionKind.PAUSE:
            table.emit(EventKind.PAUSE, question.by, now_ms)
        case wire.QuestionKind.CONTINUE:
            table.emit(EventKind.GO_ON, question.by, now_ms)
        case wire.QuestionKind.UNDO:
            table.take_back(question.ply, question.by, now_ms)


def _return(table: Table, seat: int, key: str, now_ms: int) -> None:
    has_bot = seat in table.stand_ins and seat not in table.resigned
    _require(has_bot, "not-away", "there is no bot to take the seat back from")
    _require(table.may_return(seat), "out-of-time", "the time of this seat is over")
    table.emit(EventKind.RETURN, seat, now_ms, command=key)
