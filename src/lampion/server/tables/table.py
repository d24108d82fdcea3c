"""One table: the fold of its log.

Nothing here waits, reads a clock or touches the store. A command becomes events, and an event is folded into the table by the same
lines whether it happens now or is read from the log after a restart:

    start     nonces of the seats       the game begins; outcomes of chance follow as acts
    act       notation, or undo 12      a decision, or an outcome of chance (actor -1); through the gate, always
    seated    what was done             somebody sat down or stood up; who, is not in the log
    ask       what, ply, who must agree a question to the people at the table
    answer    yes or no                 to the open question
    resign · leave · return · timeout   a seat changes hands between a person and a bot
    stop                                ended without a result, by consent
    resume                              the server was away; nobody pays for that time
    said      number of the line        somebody said something; what, is not in the log

The log holds seat numbers only, never a name or a person.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from lampion.core.errors import LampionError, Refused
from lampion.core.fairness import Chance
from lampion.core.game import find_game
from lampion.core.gamelog import Fairness
from lampion.core.match import Match
from lampion.core.types import CHANCE, SPECTATOR, Player
from lampion.server import wire
from lampion.server.errors import CorruptLog, TableError
from lampion.server.store.base import Event, NewEvent, SeatRow, TableRow
from lampion.server.tables.clocks import Clocks

NOBODY: Player = -2
STAND_IN_LEVEL = "planner"


class Question(msgspec.Struct):
    """What somebody asked the people at the table."""

    what: Literal["undo", "stop"]
    ply: int
    waiting: list[int]
    number: int = 0
    by: int = 0
    agreed: list[int] = []


class Table:
    def __init__(self, row: TableRow, seats: list[SeatRow]) -> None:
        self.id = row.id
        self.row = row
        self.game = find_game(row.game)
        self.pace = msgspec.json.decode(row.pace, type=wire.Pace)
        self.options: dict[str, str] = msgspec.json.decode(row.options, type=dict[str, str])
        self.players = row.players
        self.seq = 0
        self.status: wire.Status = "open"
        self.match: Match | None = None
        self.clocks = Clocks(self.pace, row.players)
        self.question: Question | None = None
        self.stand_ins: dict[int, str] = {}
        self.resigned: set[int] = set()
        self.out_of_time: set[int] = set()
        self.nonces = [""] * row.players
        self.asked = [0] * row.players
        self.commands: set[str] = set()
        self.chat_lines = 0
        self.seats_changed = False
        self._new: list[NewEvent] = []
        self.take_seats(seats)

    # --- seats ---

    def take_seats(self, seats: list[SeatRow]) -> None:
        """Who sits where, from the store: the log does not know."""
        self.seats = sorted(seats, key=lambda seat: seat.seat)
        self.seats_changed = False
        if self.match:
            self.match.names = self.names

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name or (seat.level or "?") for seat in self.seats)

    def seats_of(self, person: str | None) -> list[int]:
        return [seat.seat for seat in self.seats if person is not None and seat.person_id == person]

    def is_played_by_person(self, seat: int) -> bool:
        return self.seats[seat].kind in ("person", "local") and seat not in self.stand_ins

    def bot_of(self, seat: int) -> str | None:
        """The level of the bot that plays a seat."""
        row = self.seats[seat]
        return row.level if row.kind == "bot" else self.stand_ins.get(seat)

    @property
    def has_open_seats(self) -> bool:
        return any(seat.kind == "open" for seat in self.seats)

    @property
    def people(self) -> set[str]:
        return {seat.person_id for seat in self.seats if seat.person_id}

    # --- what is going on ---

    @property
    def ply(self) -> int:
        return self.match.ply if self.match else 0

    @property
    def actors(self) -> list[int]:
        return self.match.actors if self.match and self.status == "running" else []

    @property
    def bot_to_act(self) -> tuple[int, str] | None:
        """The first seat that is waiting for its bot."""
        return next(((seat, level) for seat in self.actors if (level := self.bot_of(seat))), None)

    @property
    def reveals(self) -> bool:
        """Whether the seed may be shown: the game is over, one way or another."""
        return self.status in ("finished", "stopped")

    # --- from events to the table ---

    def fold(self, event: Event) -> None:
        """Take in the next event of the log. `CorruptLog` if it cannot follow what is there."""
        try:
            self._fold(event)
        except (LampionError, ValueError, KeyError, IndexError, AssertionError) as error:
            raise CorruptLog(f"event {event.seq} cannot be read: {error}", where=f"{self.id}[{event.seq}]") from error

    def _fold(self, event: Event) -> None:
        if event.seq != self.seq + 1:
            raise ValueError(f"expected event {self.seq + 1}")
        _FOLDS[event.kind](self, event)
        if event.command_id:
            self.commands.add(event.command_id)
        self.seq = event.seq
        self.clocks.run([seat for seat in self.actors if self.is_played_by_person(seat)], event.at_ms)

    def _fold_start(self, event: Event) -> None:
        nonces = msgspec.json.decode(event.payload, type=list[str])
        chance = Chance(bytes.fromhex(self.row.seed), self.id, nonces)
        self.match = Match(self.game, self.players, self.options, names=self.names)
        self.match.chance = chance
        self.match.fairness = Fairness(chance.commitment, nonces=nonces, match=self.id)
        self.status = "running"

    def _fold_act(self, event: Event) -> None:
        assert self.match, "the game has begun"
        before = self.actors
        self.match.replay(event.actor, event.payload)
        if event.payload.startswith("undo"):
            self.question, before = None, []
        if self.match.is_over:
            self.status, self.question = "finished", None
        for seat in self.actors:
            if seat not in before or event.actor in (seat, CHANCE):
                self.asked[seat] = self.match.ply

    def _fold_seated(self, event: Event) -> None:
        self.seats_changed = True
        if event.actor >= 0:
            self.nonces[event.actor] = event.payload

    def _fold_ask(self, event: Event) -> None:
        question = msgspec.json.decode(event.payload, type=Question)
        question.number, question.by = event.seq, event.actor
        self.question = question

    def _fold_answer(self, event: Event) -> None:
        if self.question and event.payload == "yes":
            self.question.agreed.append(event.actor)
            self.question.waiting.remove(event.actor)
        else:
            self.question = None

    def _fold_resign(self, event: Event) -> None:
        self.resigned.add(event.actor)
        self.stand_ins[event.actor] = STAND_IN_LEVEL
        self._withdraw(event.actor)
        if len(self.resigned) == self.players - 1:
            self.status, self.question = "finished", None

    def _fold_leave(self, event: Event) -> None:
        self.stand_ins[event.actor] = event.payload or STAND_IN_LEVEL
        self._withdraw(event.actor)

    def _withdraw(self, seat: int) -> None:
        """Who has gone need not answer any more."""
        if self.question and seat in self.question.waiting:
            self.question.waiting.remove(seat)

    def _fold_return(self, event: Event) -> None:
        del self.stand_ins[event.actor]

    def _fold_timeout(self, event: Event) -> None:
        self.out_of_time.add(event.actor)
        self._fold_leave(event)

    def _fold_stop(self, event: Event) -> None:
        self.status, self.question = "stopped", None

    def _fold_resume(self, event: Event) -> None:
        self.clocks.forgive(event.at_ms)

    def _fold_said(self, event: Event) -> None:
        self.chat_lines = int(event.payload)

    # --- from commands to events ---

    def take_new(self) -> list[NewEvent]:
        """The events since the last call: to be stored before anybody is told."""
        new, self._new = self._new, []
        return new

    def _emit(self, kind: str, actor: Player, now_ms: int, payload: str = "", command: str | None = None) -> None:
        """Something happens. What cannot be raises and changes nothing."""
        self._fold(Event(self.seq + 1, now_ms, actor, kind, payload, command))
        self._new.append(NewEvent(now_ms, actor, kind, payload, command))

    def note_seats(self, seat: int, nonce: str, now_ms: int) -> None:
        self._emit("seated", seat, now_ms, nonce)

    def note_chat(self, number: int, now_ms: int) -> None:
        self._emit("said", NOBODY, now_ms, str(number))

    def start(self, now_ms: int) -> None:
        self._require(self.status == "open", "already-started", "the game has begun")
        self._require(not self.has_open_seats, "open-seats", "there are still open seats")
        self._emit("start", NOBODY, now_ms, msgspec.json.encode(self.nonces).decode())
        self._play_chance(now_ms)

    def resume(self, now_ms: int) -> None:
        self._emit("resume", NOBODY, now_ms)

    def time_out(self, seat: int, now_ms: int) -> None:
        self._emit("timeout", seat, now_ms, STAND_IN_LEVEL)

    def play_bot(self, seat: int, action: str, now_ms: int) -> None:
        self._emit("act", seat, now_ms, action)
        self._play_chance(now_ms)

    def _play_chance(self, now_ms: int) -> None:
        match = self.match
        while match and match.to_act == CHANCE and match.chance:
            outcome = match.due_outcome(match.chance)
            self._emit("act", CHANCE, now_ms, match.game.action_text(match.state, CHANCE, outcome))

    def do(self, command: wire.SeatCommand, now_ms: int) -> None:
        """Do what a seat wants. `TableError` and `Refused` change nothing."""
        self._require(self.status == "running", "not-running", "no game is going on at this table")
        key = f"{command.seat}:{command.id}"
        match command:
            case wire.Act():
                self._act(command, key, now_ms)
            case wire.Undo():
                self._undo(command.seat, key, now_ms)
            case wire.Stop():
                self._ask("stop", self.ply, command.seat, key, now_ms)
            case wire.Answer():
                self._answer(command, key, now_ms)
            case wire.Resign():
                self._emit("resign", command.seat, now_ms, command=key)
            case wire.Leave():
                self._require(self.is_played_by_person(command.seat), "already-away", "a bot already plays this seat")
                self._emit("leave", command.seat, now_ms, STAND_IN_LEVEL, key)
            case wire.Return():
                self._return(command.seat, key, now_ms)
        self._settle_question(now_ms)

    def _act(self, command: wire.Act, key: str, now_ms: int) -> None:
        assert self.match
        seat = command.seat
        self._require(self.is_played_by_person(seat), "bot-plays", "a bot plays this seat; take it back first")
        has_changed = command.ply < self.ply and not self.match.may_act(seat)
        if command.ply > self.ply or command.ply < self.asked[seat] or has_changed:
            raise TableError("the table has changed meanwhile; here it is as it stands", code="stale", where=f"ply {self.ply}")
        if command.action.startswith("undo"):
            raise Refused("taking back is a command of its own", code="invalid-action")
        self._emit("act", seat, now_ms, command.action, key)
        self._play_chance(now_ms)

    def _undo(self, seat: int, key: str, now_ms: int) -> None:
        assert self.match
        ply = self.match.last_decision(seat)
        if ply is None:
            raise TableError("there is nothing to take back", code="nothing-to-undo")
        if self.match.reveals_since(ply) and self._others(seat):
            self._ask("undo", ply, seat, key, now_ms)
        else:
            self._emit("act", seat, now_ms, f"undo {ply}", key)

    def _others(self, seat: int) -> list[int]:
        """The seats of other people, whose consent counts. Who plays several seats at one screen agrees with himself."""
        own = self.seats[seat].person_id
        return [other.seat for other in self.seats if self.is_played_by_person(other.seat) and other.person_id != own]

    def _ask(self, what: Literal["undo", "stop"], ply: int, seat: int, key: str, now_ms: int) -> None:
        self._require(self.question is None, "question-open", "another question is still open")
        asked = msgspec.json.encode({"what": what, "ply": ply, "waiting": self._others(seat)}).decode()
        self._emit("ask", seat, now_ms, asked, key)

    def _answer(self, command: wire.Answer, key: str, now_ms: int) -> None:
        question = self.question
        if question is None or question.number != command.request or command.seat not in question.waiting:
            raise TableError("this question is not open, or not for you", code="no-question")
        self._emit("answer", command.seat, now_ms, "yes" if command.yes else "no", key)

    def _settle_question(self, now_ms: int) -> None:
        """When all agree, it is done."""
        question = self.question
        if self.status != "running" or question is None or question.waiting:
            return
        if question.what == "stop":
            self._emit("stop", question.by, now_ms)
        else:
            self._emit("act", question.by, now_ms, f"undo {question.ply}")

    def _return(self, seat: int, key: str, now_ms: int) -> None:
        self._require(
            seat in self.stand_ins and seat not in self.resigned, "not-away", "there is no bot to take the seat back from"
        )
        gone = seat in self.out_of_time and isinstance(self.pace, wire.Clock)
        self._require(not gone, "out-of-time", "the time of this seat is over")
        self._emit("return", seat, now_ms, command=key)

    @staticmethod
    def _require(holds: bool, code: str, message: str) -> None:
        if not holds:
            raise TableError(message, code=code)

    # --- the end ---

    @property
    def result(self) -> wire.Result | None:
        if not self.reveals or self.match is None:
            return None
        scores, placements = self.match.scores, self.match.placements
        if self.status == "stopped":
            return wire.Result("stopped", scores, placements, [])
        if self.match.is_over:
            return wire.Result("played", scores, placements, self.match.winners)
        placements = [1 if seat not in self.resigned else self.players for seat in range(self.players)]
        return wire.Result("resigned", scores, placements, [seat for seat in range(self.players) if seat not in self.resigned])

    # --- what a seat may know ---

    def updates(self, seats: Sequence[int | None], since: int, now_ms: int) -> list[wire.Update]:
        """What these seats (None for those who only watch) are told: the log from ply `since` on, and the table after it."""
        match = self.match
        assert match, "an update needs a game"
        events = [match.events(ply) for ply in range(since, match.ply)]
        viewers = [SPECTATOR if seat is None else seat for seat in seats]
        found = []
        for seat, viewer, view in zip(seats, viewers, match.views(viewers), strict=True):
            texts = enumerate(zip(match.log_seen_by(viewer, since), events, strict=True), since)
            steps = [wire.Step(ply, actor, text, done) for ply, ((actor, text), done) in texts]
            found.append(self._update(match, seat, since, steps, view, now_ms))
        return found

    def _update(
        self, match: Match, seat: int | None, since: int, steps: list[wire.Step], view: dict[str, Any], now_ms: int
    ) -> wire.Update:
        may = seat is not None and self.status == "running" and match.may_act(seat) and self.is_played_by_person(seat)
        return wire.Update(
            self.id, seat, since, match.ply, self.asked[seat] if seat is not None else match.ply, steps, view,
            match.legal_actions(seat) if may else [], self.clocks.faces(now_ms),
        )  # fmt: skip


_FOLDS: dict[str, Callable[[Table, Event], None]] = {
    name: getattr(Table, f"_fold_{name}")
    for name in ("start", "act", "seated", "ask", "answer", "resign", "leave", "return", "timeout", "stop", "resume", "said")
}
