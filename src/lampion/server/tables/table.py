"""One table: the fold of its log.

Nothing here waits, reads a clock or touches the store. `commands` turns a command into events, and
an event is folded into the table by the same lines whether it happens now or is read from the log
after a restart. `kinds` lists the events. The log holds seat numbers only, never a name or a
person.
"""

from __future__ import annotations

import sys
import zlib
from base64 import b64encode
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from lampion.core.errors import LampionError
from lampion.core.fairness import Chance
from lampion.core.game import find_game
from lampion.core.gamelog import CHANCE_ACTOR, ActorName, Decided, GameRecord
from lampion.core.log import Entry
from lampion.core.match import Match
from lampion.core.news import Watched, news_for_all
from lampion.core.types import CHANCE, SPECTATOR, Action, Player
from lampion.server import wire
from lampion.server.errors import CorruptLog, UpdateNeeded
from lampion.server.store.base import (
    Event,
    NewEvent,
    SeatKind,
    SeatRow,
    TableRow,
    TableStatus,
    VacationRow,
)
from lampion.server.tables.clocks import Clocks
from lampion.server.tables.drawings import drawing_of
from lampion.server.tables.kinds import LOST, EventKind

STAND_IN_LEVEL = "planner"
MOST_EFFECTS, MOST_EFFECT_BYTES = 48, 4096
"""Effects that an update carries. Larger ones follow it, compressed (`python -m benchmarks.bytes`)."""

DEFLATE_LEVEL = 6
"""A higher level would take much longer for a few bytes less (`python -m benchmarks.bytes`)."""
_NO_HEADER = -zlib.MAX_WBITS
"""What browsers call `deflate-raw`."""

REMOVAL = "!removed"
"""In place of a nonce: the host has freed the seat. No nonce of a person has such a sign."""


Prefix = list[tuple[ActorName, str]]
"""The first entries of a log, as in a record."""


class Question(msgspec.Struct):
    """What a seat asked the people at the table."""

    what: wire.QuestionKind
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
        self.last_ms = 0
        """When the last event was; the clocks of a table never run backwards."""
        self.resumed_ms = 0
        """When the table was last told that the server had been away."""
        self.status = self._counted_status = TableStatus.OPEN
        self.last_seated: int | None = None
        """The seat that changed last, before the game."""
        self.match: Match | None = None
        self.earlier: Prefix = []
        """The entries of a finished game from which this one goes on."""
        self.clocks = Clocks(self.pace, row.players)
        self.question: Question | None = None
        self.num_questions = [0] * row.players
        self.refused_at: dict[int, int] = {}
        """The ply at which a seat's last question was answered with no."""
        self.refused: wire.Refused | None = None
        """The last question that was answered with no."""
        self.is_paused = False
        self.ready: set[int] = set()
        """Seats whose players wait for the clock to start."""
        self.stand_ins: dict[int, str] = {}
        self.substituted: list[int] = []
        """The entries of the game that bots made in place of people."""
        self.resigned: set[int] = set()
        self.out_of_time: set[int] = set()
        self.lost_on_time: set[int] = set()
        self.nonces = [""] * row.players
        self.asked = [0] * row.players
        self.commands: set[str] = set()
        self.chat_lines = 0
        self.seats_changed = False
        self.num_removals = 0
        """How many players the host has removed, from the log: marks go with their people."""
        self.removed: frozenset[str] = frozenset()
        """People whom the host has removed from the table, from the store."""
        self.muted: frozenset[str] = frozenset()
        """People who want no notifications about the table, from the store."""
        self.invited: frozenset[str] = frozenset()
        """People whom the host has asked to take an open seat, from the store."""
        self._new: list[NewEvent] = []
        self.take_seats(seats)

    # --- seats ---

    def take_seats(self, seats: list[SeatRow]) -> None:
        """Who sits where, from the store: the log does not know."""
        self.seats = sorted(seats, key=lambda seat: seat.seat)
        self.seats_changed = False
        if self.match:
            self.match.rename(self.names)

    def take_vacations(self, rows: Sequence[VacationRow]) -> None:
        """When players are away, from the store: announced before, so clocks can count on it."""
        if isinstance(self.pace, wire.Days):
            self.clocks.vacations = {
                seat: [(row.from_ms, row.to_ms) for row in rows if row.person_id == person]
                for seat, person in enumerate(row.person_id for row in self.seats)
            }

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name or (seat.level or "?") for seat in self.seats)

    def seats_of(self, person: str | None) -> list[int]:
        return [seat.seat for seat in self.seats if person is not None and seat.person_id == person]

    def is_of_person(self, seat: int) -> bool:
        """Whether the seat belongs to a person, present or not."""
        return self.seats[seat].kind in (SeatKind.PERSON, SeatKind.LOCAL)

    def is_played_by_person(self, seat: int) -> bool:
        return self.is_of_person(seat) and seat not in self.stand_ins

    def may_return(self, seat: int) -> bool:
        """Whether a bot only stands in: the person can take the seat back at any time."""
        is_late = seat in self.out_of_time and isinstance(self.pace, wire.Clock)
        return seat in self.stand_ins and seat not in self.forfeited and not is_late

    @property
    def forfeited(self) -> set[int]:
        """Seats that have lost before the end; bots play them on where others still play."""
        return self.resigned | self.lost_on_time

    @property
    def is_decided(self) -> bool:
        """Whether nobody is left to play against, or no person to play."""
        left = [seat for seat in range(self.players) if seat not in self.forfeited]
        return len(left) <= 1 or not any(self.is_of_person(seat) for seat in left)

    @property
    def is_left_unstarted(self) -> bool:
        """Whether nobody and nothing is waited for: a person took the last seat. After a bot, which
        the host has put there, the host is waited for."""
        if self.status != TableStatus.OPEN or self.has_open_seats or self.asks_ready:
            return False
        return self.last_seated is not None and self.is_of_person(self.last_seated)

    @property
    def asks_ready(self) -> bool:
        """Whether a clock is about to start that several people must be ready for."""
        is_full = self.status == TableStatus.OPEN and not self.has_open_seats
        return is_full and isinstance(self.pace, wire.Clock) and len(self.people) > 1

    @property
    def is_ready(self) -> bool:
        return all(seat in self.ready for seat in range(self.players) if self.is_of_person(seat))

    def bot_of(self, seat: int) -> str | None:
        """The level of the bot that plays a seat."""
        row = self.seats[seat]
        return row.level if row.kind == SeatKind.BOT else self.stand_ins.get(seat)

    @property
    def has_open_seats(self) -> bool:
        return any(seat.kind == SeatKind.OPEN for seat in self.seats)

    @property
    def people(self) -> set[str]:
        return {seat.person_id for seat in self.seats if seat.person_id}

    @property
    def is_bots_only(self) -> bool:
        """Whether no person plays: such a game goes on only while a person watches."""
        return not any(self.is_played_by_person(seat) for seat in range(self.players))

    # --- what is going on ---

    @property
    def ply(self) -> int:
        return self.match.ply if self.match else 0

    @property
    def first_ply(self) -> int:
        """The first entry of this game; those before it come from the one that it continues."""
        return len(self.earlier)

    @property
    def actors(self) -> list[int]:
        if self.match is None or self.is_paused or self.status != TableStatus.RUNNING:
            return []
        return self.match.actors

    @property
    def bot_to_act(self) -> tuple[int, str] | None:
        """The first seat that is waiting for its bot."""
        return next(((seat, level) for seat in self.actors if (level := self.bot_of(seat))), None)

    @property
    def reveals(self) -> bool:
        """Whether the seed may be shown: the game is over, one way or another."""
        return self.status in (TableStatus.FINISHED, TableStatus.STOPPED)

    # --- from events to the table ---

    def fold(self, event: Event) -> None:
        """Take in the next event of the log.

        `UpdateNeeded` if a newer server wrote it, `CorruptLog` if it cannot follow what is there.
        """
        try:
            self._fold(event)
        except UpdateNeeded:
            raise
        except (LampionError, ValueError, KeyError, IndexError, AssertionError) as error:
            where = f"{self.id}[{event.seq}]"
            raise CorruptLog(f"event {event.seq} cannot be read: {error}", where=where) from error

    def _fold(self, event: Event) -> None:
        if event.seq != self.seq + 1:
            raise ValueError(f"expected event {self.seq + 1}")
        fold = _FOLDS.get(event.kind)
        if fold is None:
            message = f"this server does not know events of the kind {event.kind[:40]!r}; update the server"
            raise UpdateNeeded(message, where=self.id)
        fold(self, event)
        self._count(event)

    def _count(self, event: Event) -> None:
        """Note that an event has been taken in."""
        if event.command_id:
            self.commands.add(event.command_id)
        self.seq = event.seq
        self.last_ms = max(self.last_ms, event.at_ms)
        if self.status != self._counted_status:  # the store notes when that was, too
            self._counted_status = self.status
            changed_ms = max(self.row.changed_ms, event.at_ms)
            self.row = msgspec.structs.replace(self.row, changed_ms=changed_ms)
        if not self.is_paused:
            self.clocks.run(
                [seat for seat in self.actors if self.is_played_by_person(seat)], self.last_ms
            )

    def emit(
        self,
        kind: EventKind,
        actor: Player,
        now_ms: int,
        payload: str = "",
        command: str | None = None,
    ) -> None:
        """Let something happen. What cannot be raises and changes nothing."""
        event = Event(self.seq + 1, max(now_ms, self.last_ms), actor, kind, payload, command)
        self._fold(event)
        self._keep(event)

    def _keep(self, event: Event) -> None:
        self._new.append(
            NewEvent(event.at_ms, event.actor, event.kind, event.payload, event.command_id)
        )

    def take_new(self) -> list[NewEvent]:
        """The events since the last call: to be stored before anybody is told."""
        new, self._new = self._new, []
        return new

    # --- through the gate ---

    def act(self, seat: int, action: str | Action, now_ms: int, command: str | None = None) -> None:
        """Submit an action. It and the outcomes of chance that follow become events."""
        assert self.match, "the game has begun"
        self.match.submit(action, seat, tell=self._teller(now_ms, command))

    def deal(self, now_ms: int) -> None:
        """Let chance play what is due."""
        assert self.match, "the game has begun"
        self.match.play_chance(self._teller(now_ms))

    def take_back(self, ply: int, seat: int, now_ms: int, command: str | None = None) -> None:
        assert self.match, "the game has begun"
        tell = self._teller(now_ms, command)
        tell(self.match.undo_to(ply, seat))

    def _teller(self, now_ms: int, command: str | None = None) -> Callable[[Entry], None]:
        """Makes an event of every entry that the gate writes. The first one is the command."""
        before = self.actors

        def tell(entry: Entry) -> None:
            nonlocal before, command
            at_ms = max(now_ms, self.last_ms)
            event = Event(self.seq + 1, at_ms, entry.actor, EventKind.ACT, entry.text, command)
            self._take_in(entry, before)
            self._count(event)
            self._keep(event)
            before, command = self.actors, None

        return tell

    def _fold_start(self, event: Event) -> None:
        nonces = msgspec.json.decode(event.payload, type=list[str])
        chance = Chance(bytes.fromhex(self.row.seed), self.id, nonces)
        match = Match(
            self.game, self.players, self.options, names=self.names, chance=chance, deals=False,
            first_ply=self.first_ply,
        )  # fmt: skip
        for actor, text in self.earlier:
            match.replay(CHANCE if actor == CHANCE_ACTOR else int(actor), text)
        self.match, self.status = match, TableStatus.RUNNING
        self.asked = [match.ply] * self.players

    def _fold_continued(self, event: Event) -> None:
        self.earlier = msgspec.json.decode(event.payload, type=Prefix)

    def _fold_act(self, event: Event) -> None:
        assert self.match, "the game has begun"
        before = self.actors
        self._take_in(self.match.replay(event.actor, event.payload), before)

    def _take_in(self, entry: Entry, before: list[int]) -> None:
        """What an entry of the match means for the table; `before` it, these seats could act."""
        assert self.match, "the game has begun"
        if entry.actor in self.stand_ins:
            self.substituted.append(self.match.ply - 1)
        if entry.is_undo:
            self.question, before = None, []
        if self.match.is_over:
            self.status, self.question = TableStatus.FINISHED, None
        for seat in self.actors:
            if seat not in before or entry.actor in (seat, CHANCE):
                self.asked[seat] = self.match.ply

    def _fold_seated(self, event: Event) -> None:
        self.seats_changed = True
        self.last_seated = event.actor if event.actor >= 0 else None
        self.ready.clear()
        is_removal = event.payload == REMOVAL
        self.num_removals += is_removal
        if event.actor >= 0:
            self.nonces[event.actor] = "" if is_removal else event.payload

    def _fold_ready(self, event: Event) -> None:
        if event.payload == "yes":
            self.ready.add(event.actor)
        else:
            self.ready.discard(event.actor)

    def _fold_ask(self, event: Event) -> None:
        question = msgspec.json.decode(event.payload, type=Question)
        question.number, question.by = event.seq, event.actor
        self.question = question
        self.num_questions[event.actor] += 1

    def _fold_answer(self, event: Event) -> None:
        question = self.question
        if question and event.payload == "yes":
            question.agreed.append(event.actor)
            question.waiting.remove(event.actor)
            return
        if question and event.actor != question.by:
            self.refused_at[question.by] = self.ply
            self.refused = wire.Refused(question.number, question.what, question.by, event.actor)
        self.question = None

    def _fold_resign(self, event: Event) -> None:
        self.resigned.add(event.actor)
        self.stand_ins[event.actor] = STAND_IN_LEVEL
        self._withdraw(event.actor)
        if len(self.resigned) == self.players - 1:
            self.status, self.question = TableStatus.FINISHED, None

    def _fold_leave(self, event: Event) -> None:
        """The seat still belongs to its person, so an open question goes on waiting for that
        person's answer."""
        self.stand_ins[event.actor] = event.payload or STAND_IN_LEVEL
        if self.question and self.question.by == event.actor:
            self.question = None

    def _withdraw(self, seat: int) -> None:
        """A seat that is out of the game neither asks nor answers."""
        if self.question and self.question.by == seat:
            self.question = None
        elif self.question and seat in self.question.waiting:
            self.question.waiting.remove(seat)

    def _fold_return(self, event: Event) -> None:
        del self.stand_ins[event.actor]
        self.out_of_time.discard(event.actor)

    def _fold_timeout(self, event: Event) -> None:
        self.out_of_time.add(event.actor)
        if event.payload == LOST:
            self.lost_on_time.add(event.actor)
            self.stand_ins[event.actor] = STAND_IN_LEVEL
        else:
            self._fold_leave(event)
        if not self.may_return(event.actor):
            self._withdraw(event.actor)

    def _fold_decided(self, event: Event) -> None:
        self.status, self.question = TableStatus.FINISHED, None

    def _fold_stop(self, event: Event) -> None:
        self.status, self.question = TableStatus.STOPPED, None

    def _fold_resume(self, event: Event) -> None:
        self.resumed_ms = max(self.last_ms, event.at_ms)
        self.clocks.forgive(self.resumed_ms, int(event.payload) if event.payload else None)

    def _fold_pause(self, event: Event) -> None:
        self.clocks.hold(max(self.last_ms, event.at_ms))
        self.is_paused, self.question = True, None

    def _fold_go_on(self, event: Event) -> None:
        self.clocks.release(max(self.last_ms, event.at_ms))
        self.is_paused, self.question = False, None

    def _fold_said(self, event: Event) -> None:
        self.chat_lines = max(self.chat_lines, int(event.payload))

    # --- the end ---

    @property
    def result(self) -> wire.Result | None:
        if not self.reveals or self.match is None:
            return None
        scores, placements = self.match.scores, self.match.placements
        if self.status == TableStatus.STOPPED:
            return wire.Result("stopped", scores, placements, [])
        places = _places(placements, self.forfeited)
        winners = [seat for seat, place in enumerate(places) if place == 1]
        if self.match.is_over:
            return wire.Result("played", scores, places, winners)
        reason: Literal["timeout", "resigned"] = "timeout" if self.lost_on_time else "resigned"
        return wire.Result(reason, scores, places, winners)

    @property
    def record(self) -> GameRecord:
        """The finished game with its seed, and what happened around the match."""
        assert self.match and self.reveals, "only a game that has ended has a record"
        decided, result = None, self.result
        if self.forfeited and result and result.reason != "stopped":
            late, resigned = sorted(self.lost_on_time), sorted(self.resigned)
            decided = Decided(result.placements, late, resigned)
        return msgspec.structs.replace(
            self.match.to_record(reveal_seed=True),
            substituted=self.substituted or None,
            decided=decided,
        )

    # --- what a seat may know ---

    def updates(
        self,
        seats: Sequence[int | None],
        since: int,
        now_ms: int,
        shown: Mapping[int | None, Mapping[str, Any]] | None = None,
    ) -> list[wire.Update]:
        """What these seats (None for spectators) are told: the log from ply `since` on, and the
        table after it. Where `shown` has the view at that ply, the events tell how it changes."""
        match = self.match
        assert match, "an update needs a game"
        viewers = [SPECTATOR if seat is None else seat for seat in seats]
        views = dict(zip(viewers, match.views(viewers), strict=True))
        told = _told(match, views, since, shown or {})
        lines = match.log.read_by_all(viewers, since)
        found, actors = [], self.actors
        for seat, viewer, read in zip(seats, viewers, lines, strict=True):
            steps = [
                wire.Step(ply, actor, text, done)
                for ply, ((actor, text), done) in enumerate(
                    zip(read, told[viewer], strict=True), since
                )
            ]
            may_act = seat in actors and self.is_played_by_person(viewer)
            legal = match.legal_actions(viewer) if may_act else []
            found.append(self._update(match, seat, steps, views[viewer], legal, now_ms))
        return found

    def _update(
        self,
        match: Match,
        seat: int | None,
        steps: list[wire.Step],
        view: dict[str, Any],
        legal: list[str],
        now_ms: int,
    ) -> wire.Update:
        return wire.Update(
            self.id, seat, match.ply - len(steps), match.ply, self.asked[seat] if seat is not None else match.ply,
            steps, view, legal, effects_of(match, seat, view, legal), self.clocks.faces(now_ms), drawing_of(view),
        )  # fmt: skip


def _places(placements: Sequence[int], forfeited: set[int]) -> list[int]:
    """Seats that have forfeited come last, together; if all have, the score decides after all."""
    left = [place for seat, place in enumerate(placements) if seat not in forfeited]
    if not left:
        return list(placements)
    return [
        len(placements) if seat in forfeited else 1 + sum(other < place for other in left)
        for seat, place in enumerate(placements)
    ]


def _told(
    match: Match,
    views: Mapping[int, Mapping[str, Any]],
    since: int,
    shown: Mapping[int | None, Mapping[str, Any]],
) -> dict[int, list[list[dict[str, Any]]]]:
    """The events of each log entry from ply `since` on, by viewer: with changes for those whose
    view before is known."""
    watched = []
    for viewer, view in views.items():
        before = shown.get(None if viewer == SPECTATOR else viewer)
        if before and before["ply"] == since:
            if before["names"] != view["names"]:  # no event tells of them
                before = {**before, "names": view["names"]}
            watched.append(Watched(viewer, before, view))
    news = dict(zip((one.seat for one in watched), news_for_all(match, watched), strict=True))
    return {
        viewer: news[viewer]
        if viewer in news
        else [match.events(ply, viewer) for ply in range(since, match.ply)]
        for viewer in views
    }


def effects_of(
    match: Match, seat: int | None, view: Mapping[str, Any], legal: list[str]
) -> wire.Effects | None:
    """What each legal action would do, as long as that fits into an update."""
    if seat is None or not legal:
        return wire.Effects([], [])
    if len(legal) > MOST_EFFECTS:
        return None
    effects = match.all_effects(seat, view, MOST_EFFECT_BYTES)
    events: Any = effects and [msgspec.Raw(event) for event in effects.events]
    return effects and wire.Effects(events, effects.of)


def large_effects_of(
    match: Match, table: str, update: wire.Update
) -> Generator[None, None, wire.LargeEffects]:
    """The effects that an update was too small for, with pauses in which others can be served."""
    assert update.seat is not None and update.view is not None, "an update of a seat to act"
    effects = yield from match.effects_in_steps(update.seat, update.view, sys.maxsize)
    assert effects, "nothing is too long"
    told = wire.Effects([msgspec.Raw(event) for event in effects.events], effects.of)  # type: ignore[misc]
    deflated = zlib.compress(msgspec.json.encode(told), DEFLATE_LEVEL, _NO_HEADER)
    return wire.LargeEffects(table, update.seat, update.ply, b64encode(deflated).decode())


def previews_of(match: Match, seat: int) -> dict[str, Any]:
    """What each legal action of a seat would do, as JSON."""
    effects = match.all_effects(seat, match.view(seat), sys.maxsize)
    assert effects, "nothing is too long"
    told = [b",".join([effects.events[place] for place in places]) for places in effects.of]
    return {
        action: msgspec.Raw(b"[%b]" % events)
        for action, events in zip(match.legal_actions(seat), told, strict=True)
    }


_FOLDS: dict[str, Callable[[Table, Event], None]] = {
    EventKind.CONTINUED: Table._fold_continued,
    EventKind.START: Table._fold_start,
    EventKind.ACT: Table._fold_act,
    EventKind.SEATED: Table._fold_seated,
    EventKind.READY: Table._fold_ready,
    EventKind.ASK: Table._fold_ask,
    EventKind.ANSWER: Table._fold_answer,
    EventKind.RESIGN: Table._fold_resign,
    EventKind.LEAVE: Table._fold_leave,
    EventKind.RETURN: Table._fold_return,
    EventKind.TIMEOUT: Table._fold_timeout,
    EventKind.DECIDED: Table._fold_decided,
    EventKind.STOP: Table._fold_stop,
    EventKind.RESUME: Table._fold_resume,
    EventKind.PAUSE: Table._fold_pause,
    EventKind.GO_ON: Table._fold_go_on,
    EventKind.SAID: Table._fold_said,
}
