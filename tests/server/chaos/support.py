"""People, bots and clocks that live through failures, and who checks that all of them go on.

    Load        plays as fast as it can and remembers everything it was promised or shown
    Duties      tables at which a bot or a clock must act while nobody looks (and while a spectator does)
    Report      what a run measured

Nobody asks the server whether an unwatched table goes on: asking would be watching. The log in the
database is read instead.
"""

from __future__ import annotations

import bisect
import contextlib
import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import httpx
import psycopg
from websockets.exceptions import WebSocketException

from tests.server.support import Json, Live, Person, wait_for

KILLS = int(os.environ.get("LAMPION_KILLS", "2"))
DATABASE_KILLS = int(os.environ.get("LAMPION_DATABASE_KILLS", "1"))
FULL_DISKS = int(os.environ.get("LAMPION_FULL_DISKS", "1"))
GOING_AGAIN = float(os.environ.get("LAMPION_GOING_AGAIN", "60"))
"""Seconds within which every bot and clock acts again. Ten are promised, and `benchmarks.kills` asks
for ten; a test beside nine other programs only wants to know that they do."""
ADOPTED = float(os.environ.get("LAMPION_ADOPTED_SECONDS", "30"))
"""Seconds within which another process has taken over the tables of a dead one. Five are promised,
and `benchmarks.kills` asks for five."""
BOT_PAUSE = 1.0
CLOCK_SECONDS = 30
HEARTBEAT = 6.0
"""Seconds of a turn that may be lost with each failure."""
TROUBLE = (
    OSError,
    TimeoutError,
    WebSocketException,
    httpx.HTTPError,
    AssertionError,
    KeyError,
    ValueError,
)
"""What talking to a server brings that is down, or half down."""


class Site(Protocol):
    """A server or a balancer."""

    base: str
    port: int


def acted(database: str) -> dict[str, int]:
    """Table -> how often its first seat has acted or run out of time, read beside the server."""
    query = (
        "SELECT table_id, count(*) FROM event "
        "WHERE actor = 0 AND kind IN ('act', 'timeout') GROUP BY table_id"
    )
    if database.startswith("postgres"):
        with psycopg.connect(database, connect_timeout=10) as pg:
            return dict(pg.execute(query).fetchall())
    uri = f"{Path(database).absolute().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=30)) as db:
        return dict(db.execute(query).fetchall())


# --- bots and clocks ----------------------------------------------------------------------------


@dataclass
class Duty:
    """A table whose first seat must act by itself: as a bot, or by running out of time."""

    kind: str
    table: str
    running: float
    """Seconds that the server must run before it is due: nothing for a bot, the whole time for a
    clock."""
    done_after: float | None = None
    """Seconds from when it was due until it was done."""
    is_early: bool = False
    """Whether it was done before the failure that was to find it undone."""


@dataclass
class Duties:
    """Tables with bots and clocks. Tell it when the server goes down and comes back."""

    site: Site
    database: str
    open: list[Duty] = field(default_factory=list)
    delays: dict[str, list[float]] = field(default_factory=dict)
    early: dict[str, int] = field(default_factory=dict)
    """How many of each kind were done before the failure."""
    _watching: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _number: int = 0

    def person(self, name: str) -> Person:
        self._number += 1
        return Person(self.site, f"{name} {self._number}")  # type: ignore[arg-type]

    def add_bots(self) -> None:
        """Bots that are about to move: unwatched, watched, and one that stands in for a player
        who left. All games begin when all tables are laid, in any order: a failure that comes now
        finds each kind before its move equally often."""
        host, guest = self.person("Host"), self.person("Milo")
        tables = [
            ("bot", host.table("novice", "open")),
            ("bot, other game", host.table("novice", "open", game="lumens")),
            ("bot, watched", host.table("novice", "open")),
            ("stand-in", host.table("me", "open")),
        ]
        self._watch(host, dict(tables)["bot, watched"])
        for kind, table in random.sample(tables, len(tables)):
            guest.join(table)
            if kind == "stand-in":
                left = host.command(table, "leave", seat=0)
                assert left.status_code == 200, left.text
        self._note(tables, running=0.0)

    def add_clocks(self, *, watched: bool = True) -> None:
        """Clocks that run out by themselves: one unwatched, one watched."""
        ada, milo = self.person("Ada"), self.person("Milo")
        tables = []
        for kind in ("clock", "clock, watched") if watched else ("clock",):
            table = ada.table(
                "me", "open", pace={"kind": "clock", "seconds": CLOCK_SECONDS, "increment": 0}
            )
            milo.join(table)
            for player in (ada, milo):
                player.ready(table)
            tables.append((kind, table))
            if kind != "clock":
                self._watch(milo, table)
        self._note(tables, running=float(CLOCK_SECONDS))

    def _watch(self, person: Person, table: Json) -> None:
        self._watching.enter_context(contextlib.suppress(*TROUBLE))
        self._watching.enter_context(Watcher(person, table))

    def _note(self, tables: list[tuple[str, Json]], running: float) -> None:
        self.open += [Duty(kind, table["id"], running) for kind, table in tables]

    def note_early(self) -> None:
        """Something is about to fail: what is done by now does not show that it goes on."""
        found = acted(self.database)
        for duty in self.open:
            duty.is_early = duty.table in found

    def ran(self, seconds: float) -> None:
        """The server was up that long since it was told last."""
        for duty in self.open:
            duty.running -= seconds

    def forgive(self, seconds: float) -> None:
        """Clocks may run that much longer: a killed server knows only when it was last heard of."""
        for duty in self.open:
            if duty.kind.startswith("clock"):
                duty.running += seconds

    def wait(self, seconds: float, *, only_due: bool = False) -> None:
        """Wait until every open duty is done, each at most that long after it is due."""
        began = time.monotonic()
        while left := [duty for duty in self.open if not (only_due and duty.running > 0)]:
            now = time.monotonic() - began
            self._look(now)
            late = [
                duty
                for duty in left
                if duty.done_after is None and now - max(0.0, duty.running) > seconds
            ]
            assert not late, (
                f"not going again after {seconds} s: {[(duty.kind, duty.table) for duty in late]}"
            )
            self.open = [duty for duty in self.open if duty.done_after is None]
            time.sleep(0.1)
        self.ran(time.monotonic() - began)

    def _look(self, now: float) -> None:
        with contextlib.suppress(psycopg.Error, sqlite3.Error):
            found = acted(self.database)
            for duty in self.open:
                if found.get(duty.table):
                    duty.done_after = max(0.0, now - max(0.0, duty.running))
                    self.delays.setdefault(duty.kind, []).append(duty.done_after)
                    self.early[duty.kind] = self.early.get(duty.kind, 0) + duty.is_early

    def wait_for_all(self, seconds: float = GOING_AGAIN) -> None:
        """The same, when there were bots, bots that stand in, and clocks."""
        self.wait(seconds)
        assert {"bot", "stand-in", "clock"} <= set(self.delays)

    def close(self) -> None:
        self._watching.close()


class Watcher:
    """A spectator who comes back whenever the line breaks, as a browser does."""

    def __init__(self, person: Person, table: Json) -> None:
        self.person, self.table, self.stop = person, table, threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self.stop.is_set():
            with contextlib.suppress(*TROUBLE), self.person.live(self.table, since=-1) as live:
                while not self.stop.is_set():
                    with contextlib.suppress(TimeoutError):
                        live.next(seconds=0.5)
            self.stop.wait(0.2)

    def __enter__(self) -> Watcher:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join(30)


# --- players ------------------------------------------------------------------------------------


class Load:
    """Plays hot-seat games as fast as it can, and remembers everything it was shown and promised."""

    def __init__(self, site: Site, seed: int) -> None:
        self.site, self.chooser = site, random.Random(seed)
        self.person: Person | None = None
        self.seen: dict[str, dict[int, str]] = {}
        self.promised: dict[str, dict[int, str]] = {}
        self.refused = 0
        self.connected_at = 0.0
        self.acted: list[float] = []
        """When moves were acknowledged."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        table: Json | None = None
        while not self._stop.is_set():
            with contextlib.suppress(*TROUBLE):
                person = self.person = self.person or Person(self.site, "Load")  # type: ignore[arg-type]
                game = self.chooser.choice(["lanterns", "lumens", "lanterns_dice"])
                table = table or person.table("local", "local", game=game)
                if self._play(person, table):
                    table = None
                continue
            self._stop.wait(0.05)

    def _play(self, person: Person, table: Json) -> bool:
        """Play on; True when the game is over."""
        seen = self.seen.setdefault(table["id"], {})
        with person.live(table, since=max(seen, default=-1) + 1) as live:
            self.connected_at = time.monotonic()
            return self._play_live(live, seen, self.promised.setdefault(table["id"], {}))

    def _play_live(self, live: Live, seen: dict[int, str], promised: dict[int, str]) -> bool:
        turn: Json | None = None
        last: Json | None = None
        asked: tuple[int, str] | None = None
        while not self._stop.is_set():
            message = live.next()
            if message["type"] == "info" and message["table"]["result"]:
                return True
            if message["type"] == "update":
                shown = {
                    step["ply"]: step["action"]
                    for step in message["steps"]
                    if "?" not in step["action"]
                }
                seen.update(shown)
                turn = message if message["legal"] else turn
            elif message["type"] in ("done", "problem"):
                promised.update([asked] if asked and message["type"] == "done" else [])
                self.refused += message["type"] == "problem"
                self.acted += [time.monotonic()] if message["type"] == "done" else []
                asked = None
                if message["type"] == "problem" and message["code"] != "stale":
                    self._stop.wait(0.1)
                    turn = (
                        turn or last
                    )  # refused for no fault of ours: try again, as a person would
            if turn and not asked:
                asked = turn["ply"], self.chooser.choice(turn["legal"])
                live.send("act", seat=turn["seat"], ply=asked[0], action=asked[1])
                turn, last = None, turn
        return False

    def acted_after(self, moment: float) -> float | None:
        """When the first move after that was acknowledged."""
        place = bisect.bisect_right(self.acted, moment)
        return self.acted[place] if place < len(self.acted) else None

    def finish(self) -> None:
        self._stop.set()
        self._thread.join(90)

    def check_nothing_lost(self) -> int:
        """Every action that was promised or shown is in the log, in its place. Returns how many
        there were."""
        count = 0
        for table, promised in self.promised.items():
            assert self.person
            log = {
                step["ply"]: step["action"]
                for update in self.person.updates({"id": table}, since=0)
                for step in update["steps"]
                if "?" not in step["action"]
            }
            for ply, action in [*promised.items(), *self.seen[table].items()]:
                assert log.get(ply) == action, f"{table} ply {ply}: {action} is not in the log"
            count += len(promised)
        return count


@contextlib.contextmanager
def loaded(
    site: Site, count: int = 3, check: Callable[[list[Load]], None] | None = None
) -> Iterator[list[Load]]:
    """Players in the background; at the end nothing that they were promised may be missing."""
    loads = [Load(site, seed) for seed in range(count)]
    try:
        wait_for(lambda: all(load.acted for load in loads))
        yield loads
    finally:
        for load in loads:
            load.finish()


def wait_until_playing(loads: list[Load], since: float, seconds: float = 120) -> float:
    """Until every player has had a move acknowledged since that moment; returns how many seconds
    after it the last of them had, however much later this is called."""

    def first_moves() -> list[float]:
        moves = [moment for load in loads if (moment := load.acted_after(since)) is not None]
        return moves if len(moves) == len(loads) else []

    return float(max(wait_for(first_moves, seconds)) - since)


# --- what a run measured ------------------------------------------------------------------------


@dataclass
class Report:
    failures: int = 0
    acknowledged: int = 0
    """Moves that were promised and found again."""
    delays: dict[str, list[float]] = field(default_factory=dict)
    early: dict[str, int] = field(default_factory=dict)
    playing_again: list[float] = field(default_factory=list)

    def tell(self, name: str) -> str:
        parts = [
            f"{name}: {self.failures} times, {self.acknowledged} acknowledged moves, none lost"
        ]
        if self.playing_again:
            parts.append(f"people play again after at most {max(self.playing_again):.1f} s")
        for kind, delays in sorted(self.delays.items()):
            early = self.early.get(kind, 0)
            parts.append(
                f"{kind}: {len(delays)} tables going again, slowest after {max(delays):.1f} s"
                + (f" ({early} were done before the failure)" if early else "")
            )
        return "\n    ".join(parts)
