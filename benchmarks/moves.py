"""What one move costs the server, stage by stage: `python -m benchmarks.moves [GAME ...]`.

The server from the room inwards, in this process: tables of four with a real store, and watchers that
fold as browsers do, but no sockets. Tables play in turn, so that no match stays in the processor's
cache. Figures are processor time in microseconds per move, of the thread that serves people; what
the writer of the store takes is a line of its own. They are also given as ratios to a yardstick that
is measured between the games, because a busy machine slows both down.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from benchmarks.server import decode
from lampion.core.game import find_game, own_game_names
from lampion.core.log import Log
from lampion.core.match import Match
from lampion.core.news import Watched, news_for_all
from lampion.server import wire
from lampion.server.config import Config
from lampion.server.play.duties import Duties
from lampion.server.play.threads import collect_rarely
from lampion.server.services import Services
from lampion.server.store import open_store
from lampion.server.store.base import PersonRow
from lampion.server.tables import commands, lobby, table
from lampion.server.tables.room import Room, Viewer
from lampion.server.web import large_effects, publisher
from lampion.terminal import show
from lampion.terminal import table as table_text
from tests.server.test_table import NOW, act, new_row, people

PLAYERS = 4
STAGES: dict[str, list[tuple[Any, str]]] = {
    "submit": [(Match, "submit")],
    "views": [(Match, "views")],
    "news": [(table, "news_for_all")],
    "log lines": [(Log, "read_by_all")],
    "legal actions": [(Match, "legal_actions")],
    "effects": [(table, "effects_of"), (large_effects.PendingEffects, "step")],
    "encoding": [(publisher, "encode")],
    "duties": [(Duties, "look")],
    "rest of the command": [(commands, "carry_out")],
    "rest of publishing": [(publisher.Publisher, "_tell_updates")],
}
REST = "rooms, event loop"


class Stopwatch:
    """Time by stage. A stage that calls another one stands still meanwhile."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = dict.fromkeys((*STAGES, REST), 0.0)
        self._running = [REST]
        self._since = time.thread_time()

    def switch(self) -> None:
        now = time.thread_time()
        self.spent[self._running[-1]] += now - self._since
        self._since = now

    def timed(self, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            self.switch()
            self._running.append(stage)
            try:
                return call(*args, **kwargs)
            finally:
                self.switch()
                self._running.pop()

        return wrapper

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Time everything in STAGES while the block runs."""
        places = [(stage, owner, name) for stage, all_ in STAGES.items() for owner, name in all_]
        before = [getattr(owner, name) for _, owner, name in places]
        for (stage, owner, name), call in zip(places, before, strict=True):
            setattr(owner, name, self.timed(stage, call))
        try:
            yield
        finally:
            for (_, owner, name), call in zip(places, before, strict=True):
                setattr(owner, name, call)


class Watcher:
    """A browser that folds. It knows what it may do next."""

    folds = True

    def __init__(self, person: str) -> None:
        self.viewer = Viewer(person)
        self.last = b""
        self.size = 0

    def offer(self, message: bytes) -> None:
        """Keep the last update; what is said about the table is not for players."""
        if message.startswith(b'{"type":"update"'):
            self.last = message
            self.size += len(message)


def person(number: int) -> PersonRow:
    now = time.time_ns() // 1_000_000
    return PersonRow(f"person{number}", f"Person {number}", now, now)


async def open_room(services: Services, game: str) -> Room:
    """A table of four people who all watch."""
    people = [person(number) for number in range(PLAYERS)]
    kinds = [wire.SeatChoice("me"), *[wire.SeatChoice("open") for _ in people[1:]]]
    wanted = wire.NewTable(game, kinds, public=True)
    room = await services.rooms.room(await lobby.create(services.rooms, people[0], wanted))
    for number in range(1, PLAYERS):
        await lobby.join(services.rooms, room.table.id, people[number], wire.Join(seat=number))
    for one in people:
        watcher = Watcher(one.id)
        room.watchers.add(watcher)
        *_, update = services.publisher.greeting(room, watcher.viewer, -1)
        watcher.offer(msgspec.json.encode(update))
    return room


def next_command(room: Room, chooser: random.Random, number: int) -> tuple[str, wire.Act] | None:
    """By the first watcher who may act; None when the game is over."""
    for watcher in sorted(room.watchers, key=lambda watcher: str(watcher.viewer.person)):
        assert isinstance(watcher, Watcher)
        seen = decode(watcher.last)
        if seen.legal and seen.seat is not None:
            action = chooser.choice(seen.legal)
            return str(watcher.viewer.person), wire.Act(str(number), seen.seat, seen.ply, action)
    return None


def yardstick() -> float:
    """Seconds of plain Python that no change of Lampion makes quicker."""
    start = time.thread_time()
    for _ in range(10):
        sorted({str(number): [number, number + 1] for number in range(2000)})
    return time.thread_time() - start


class Figures(msgspec.Struct):
    """Of one game; microseconds per move."""

    game: str
    moves: int
    stages: dict[str, float]
    writer: float
    bytes: float
    yardstick: float

    @property
    def total(self) -> float:
        return sum(self.stages.values())


async def measure(services: Services, game: str, tables: int) -> Figures:
    """One game at every table, move by move in turn."""
    services.rooms.in_memory.clear()
    rooms = [await open_room(services, game) for _ in range(tables)]
    watchers = [watcher for room in rooms for watcher in room.watchers]
    chooser, moves, writer = random.Random(1), 0, 0.0
    sticks, spent = [yardstick()], dict.fromkeys((*STAGES, REST), 0.0)
    while rooms:
        coming = [(room, next_command(room, chooser, moves)) for room in rooms]
        rooms = [room for room, command in coming if command]
        watch, process = Stopwatch(), time.process_time()
        main = time.thread_time()
        with watch.watching():
            for room, command in coming:
                if command:
                    moves += 1
                    await services.rooms.do(room.table.id, *command)
        watch.switch()
        writer += time.process_time() - process - (time.thread_time() - main)
        spent = {stage: spent[stage] + seconds for stage, seconds in watch.spent.items()}
        sticks.append(yardstick())
    size = sum(watcher.size for watcher in watchers if isinstance(watcher, Watcher))
    per_move = {stage: 1e6 * seconds / moves for stage, seconds in spent.items()}
    mean = sum(sticks) / len(sticks)
    return Figures(game, moves, per_move, 1e6 * writer / moves, size / moves, 1e6 * mean)


async def measure_all(games: list[str], tables: int) -> list[Figures]:
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Config(bot_pause=0.0), open_store(str(Path(folder) / "moves.db")))
        await services.open()
        collect_rarely()
        for number in range(PLAYERS):
            await services.store.add_person(person(number))
        try:
            for game in games:  # compiled rules and caches are ready before anything is measured
                await measure(services, game, 1)
            return [await measure(services, game, tables) for game in games]
        finally:
            await services.close()


TIMES = 12


def least(call: Callable[[], object]) -> float:
    """The least processor time of several calls, in microseconds: a busy machine can only add."""
    spent = []
    for _ in range(TIMES):
        start = time.thread_time()
        call()
        spent.append(time.thread_time() - start)
    return 1e6 * min(spent)


Views = dict[int | None, dict[str, Any]]


def report_least(game: str, moves: int = 60) -> None:
    """What telling four watchers of a move costs at least: everything is in the processor's cache,
    and effects are computed each time."""
    chooser, spent = random.Random(1), dict[str, float]()
    at = table.Table(new_row(game, PLAYERS), people(PLAYERS))
    commands.start(at, NOW)
    views = _views_in(at.updates([*range(PLAYERS)], at.ply, NOW))
    for _ in range(moves):
        since = at.ply
        act(at, NOW, chooser)
        views = _least_of_move(at, since, views, spent)
    told = ", ".join(f"{name} {us / moves:.0f}" for name, us in spent.items())
    show(f"{find_game(game).TITLE}: {told} us a move at least")


def _least_of_move(at: table.Table, since: int, views: Views, spent: dict[str, float]) -> Views:
    """Adds the times to the last parameter; returns the views after the move."""
    match, seats = at.match, [*range(PLAYERS)]
    assert match

    fresh = [match.copy() for _ in range(1 + TIMES)]  # copies know no effects yet

    def updates() -> list[wire.Update]:
        at.match = fresh.pop()
        return at.updates(seats, since, NOW, views)

    after = _views_in(updates())
    watched = [Watched(seat, views[seat], after[seat]) for seat in seats]
    parts: dict[str, Callable[[], object]] = {
        "updates": updates,
        "views": lambda: match.views(seats),
        "news": lambda: news_for_all(match, watched),
    }
    for name, call in parts.items():
        spent[name] = spent.get(name, 0.0) + least(call)
    return after


def _views_in(updates: list[wire.Update]) -> Views:
    return {update.seat: update.view for update in updates if update.view is not None}


def report(found: Figures) -> None:
    title = f"{find_game(found.game).TITLE}, {found.moves} moves"
    rows = [
        (stage, f"{us:.0f}", f"{us / found.yardstick:.4f}") for stage, us in found.stages.items()
    ]
    rows.append(("total", f"{found.total:.0f}", f"{found.total / found.yardstick:.4f}"))
    rows.append(("the writer of the store", f"{found.writer:.0f}", ""))
    show(table_text((title, "us a move", "ratio"), rows))
    show(f"{found.bytes:.0f} bytes a move; the yardstick takes {found.yardstick:.0f} us")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=own_game_names(), metavar="GAME")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument(
        "--least",
        action="store_true",
        help="only the least time that updates take, which other programs hardly change",
    )
    wanted = parser.parse_args()
    if wanted.least:
        for game in wanted.games:
            report_least(game)
        return
    results = uvloop.run(measure_all(wanted.games, wanted.tables))
    for found in results:
        report(found)
    if wanted.json:
        wanted.json.write_bytes(msgspec.json.format(msgspec.json.encode(results)))


if __name__ == "__main__":
    main()
