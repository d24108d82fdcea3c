"""Games by notification alone: every player comes when called, moves, asks, invites to another game,
and leaves, while the server is killed again and again. What was due must have come, once, and soon:
a call of one kind does not stand for another. Some receivers answer late, so that more messages are
in doubt when the server dies. Others are called and never come: half a day passes for their tables
while the server is dead, so that an e-mail must follow, and a reminder of the time that is left.
"""

from __future__ import annotations

import contextlib
import json
import queue
import random
import re
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa
from websockets.exceptions import WebSocketException

from lampion.server.notify.notifier import PER_WAY_AND_HOUR
from lampion.server.notify.texts import say
from lampion.server.store import open_backend
from lampion.server.store.base import NoticeKind
from tests.server.notify.receivers import (
    Browser,
    Letter,
    Postbox,
    Received,
    Receiver,
    receiving_in_a_thread,
)
from tests.server.support import Json, Person, Server, wait_for

WAYS = ("push", "webhook", "mail")
PATIENCE = 180.0
TWICE = 60.0
"""Seconds in which no device may get the same notification twice."""
MOVES, ASKS = 12, 0.15
"""After so many moves a player gives up; before a move one asks for a pause with that probability."""
SLOW_SECONDS = 1.0
HALF_A_DAY_MS = 12 * 3_600_000 + 60_000
"""After that a player with a day for a move is reminded."""
_PAGE = re.compile(r"/t/([\w-]+)(?:\?ply=(\d+))?")
_KINDS = {say(kind, "en"): str(kind) for kind in NoticeKind if kind != NoticeKind.ASKED}


@dataclass
class Arrival:
    device: str
    what: tuple[str, str, str]
    """Table, kind and ply; of a message about several tables its id."""
    at: float
    kinds: frozenset[str] = frozenset()
    """All that it tells of: several notices of a table make one message."""

    @property
    def table(self) -> str:
        return self.what[0]


@dataclass
class Report:
    kills: int
    arrivals: list[Arrival]
    calls: list[tuple[str, float]]
    """What was due, and how many seconds it took."""
    lost: list[str]
    reminders: int = 0
    """People who did not come, and were told by e-mail and reminded."""

    @property
    def delays(self) -> list[float]:
        return [delay for _, delay in self.calls]

    @property
    def twice(self) -> list[str]:
        """Notifications that a device got again too soon."""
        found, last = [], dict[tuple[str, tuple[str, str, str]], float]()
        for one in sorted(self.arrivals, key=lambda each: each.at):
            before = last.get((one.device, one.what))
            if before is not None and one.at - before < TWICE:
                found.append(f"{one.device} {one.what} after {one.at - before:.1f} s")
            last[one.device, one.what] = one.at
        return found

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.delays, n=20)[-1]

    def tell(self) -> str:
        ordered = sorted(self.delays)
        middle = ordered[len(ordered) // 2]
        again = len(self.arrivals) - len({(one.device, one.what) for one in self.arrivals})
        kinds = Counter(kind for kind, _ in self.calls)
        listed = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        return (
            f"{self.kills} kills, {len(self.delays)} notifications due ({listed}): "
            f"{len(self.lost)} lost, "
            f"{len(self.twice)} twice within a minute ({again} later on); "
            f"{self.reminders} people reminded and told by e-mail; "
            f"median {middle:.2f} s, p95 {self.p95:.2f} s, longest {ordered[-1]:.1f} s"
        )


@dataclass
class Player:
    person: Person
    way: str
    device: str
    calls: queue.Queue[Arrival] = field(default_factory=queue.Queue)


class Pair:
    """Two people who play one game after the other, each coming only when called."""

    def __init__(self, players: list[Player], pause: float) -> None:
        self.players = players
        self._pause = pause
        self._last: Json | None = None
        """The game before."""
        self.calls: list[tuple[str, float]] = []
        self.lost: list[str] = []
        self._is_over = threading.Event()

    def stop(self) -> None:
        """After the call that is due now."""
        self._is_over.set()

    def play(self) -> None:
        while not self._is_over.is_set() and not self.lost:
            self._play_game()

    def _play_game(self) -> None:
        table = self._sit_down()
        if table is None:
            return
        for player in self.players:
            _emptied(player.calls)
        for _ in range(MOVES):
            if not self._play_move(table):
                return
            time.sleep(random.uniform(0.5, 1.5) * self._pause)
        self._give_up(table)

    def _sit_down(self) -> Json | None:
        """At a first table by its link, at the next ones by an invitation."""
        host, guest = self.players
        if self._last is None:
            pace = {"kind": "days", "days": 3}
            table: Json = _patiently(lambda: host.person.table("me", "open", pace=pace))
            _patiently(lambda: guest.person.join(table))
        else:
            path, begun = f"/api/tables/{self._last['id']}/rematch", time.time()
            table, sent_at = _timed(lambda: host.person.call("POST", path))
            if not self._came(guest, table["id"], "invited", begun, sent_at):
                return None
            _patiently(lambda: guest.person.call("POST", f"/api/tables/{table['id']}/join"))
        self._last = table
        return table

    def _play_move(self, table: Json) -> bool:
        """Whether the game goes on after the next move."""
        mover, other, seat = self._turn(table)
        if mover is None or self._is_over.is_set():
            return False
        if random.random() < ASKS and not self._ask(mover, other, table, seat):
            return False
        sent_at = _move(mover, table)
        return self._came(other, table["id"], "turn", sent_at, sent_at)

    def _turn(self, table: Json) -> tuple[Player | None, Player, int]:
        """Who is to act, and the other one; nobody if the game is over."""
        host, guest = self.players
        info = self._someone_acts(host, table)
        if info is None or info["result"]:
            return None, guest, 0
        seat = info["actors"][0]
        mine = next(each for each in info["seats"] if each["seat"] == seat)["mine"]
        return (host, guest, seat) if mine else (guest, host, seat)

    def _ask(self, mover: Player, other: Player, table: Json, seat: int) -> bool:
        """For a pause, which the other player refuses; whether the question arrived."""
        begun = time.time()
        _, sent_at = _timed(lambda: mover.person.command(table, "pause", seat=seat))
        if not self._request(mover, table):
            return True  # the server died before it heard the question
        if not self._came(other, table["id"], "asked", begun, sent_at):
            return False
        while number := self._request(mover, table):
            answer = {"seat": 1 - seat, "request": number, "yes": False}
            _patiently(lambda: other.person.command(table, "answer", **answer))  # noqa: B023
        return True

    def _request(self, player: Player, table: Json) -> int | None:
        request = _patiently(lambda: player.person.info(table))["request"]
        return request["number"] if request else None

    def _give_up(self, table: Json) -> None:
        mover, other, seat = self._turn(table)
        if mover is None or self._is_over.is_set():
            return
        begun, resigning = time.time(), mover
        sent_at = begun
        while not _patiently(lambda: resigning.person.info(table))["result"]:
            _, sent_at = _timed(lambda: resigning.person.command(table, "resign", seat=seat))
        self._came(other, table["id"], "over", begun, sent_at)

    def _someone_acts(self, host: Player, table: Json) -> Json | None:
        """The table when it waits for a player or is over. A server that was killed while it
        started the game continues with it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            info: Json = _patiently(lambda: host.person.info(table))
            if info["result"] or info["actors"]:
                return info
            time.sleep(0.2)
        self.lost.append(f"{table['id']} waits for nobody")
        return None

    def _came(self, other: Player, table: str, kind: str, begun: float, sent_at: float) -> bool:
        """Whether the other player was called so since the first attempt; counted from the last
        one. It may be the end of the game."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(queue.Empty):
                call = other.calls.get(timeout=1)
                is_due = call.kinds & {kind, "over"}
                if call.table in (table, "") and call.at >= begun and is_due:
                    self.calls.append((kind, max(0.0, call.at - sent_at)))
                    return True
        self.lost.append(f"{other.device} at {table}: {kind}")
        return False


@dataclass
class Sleeper:
    """A person who is called and never comes, at a table with a day for each move."""

    host: Player
    devices: list[Player]
    table: str = ""
    told: dict[str, set[str]] = field(default_factory=dict)

    def lie_down(self) -> None:
        """It is their turn from now on."""
        pace = {"kind": "days", "days": 1}
        table = self.host.person.table("me", "open", pace=pace)
        self.devices[0].person.join(table)
        if self.host.person.info(table)["actors"] == [0]:
            _move(self.host, table)
        self.table = table["id"]

    def sleep(self, database: str) -> None:
        """Half a day passes for their table, and nobody is there to notice."""
        backend = open_backend(database)
        with contextlib.closing(backend), backend.engine().begin() as db:
            given = {"ms": HALF_A_DAY_MS, "table": self.table}
            db.execute(
                sa.text("UPDATE event SET at_ms = at_ms - :ms WHERE table_id = :table"), given
            )
            db.execute(
                sa.text(
                    "UPDATE outbox SET created_ms = created_ms - :ms, due_ms = due_ms - :ms "
                    "WHERE table_id = :table"
                ),
                given,
            )

    def missing(self) -> list[str]:
        """What each of the devices has not been told yet."""
        for device in self.devices:
            for call in _emptied(device.calls):
                if call.table in (self.table, ""):
                    self.told.setdefault(device.device, set()).update(call.kinds)
        return [
            f"{device.device} at {self.table}: {kind}"
            for device in self.devices
            for kind in ("turn", "soon")
            if kind not in self.told.get(device.device, ())
        ]


def _move(mover: Player, table: Json) -> float:
    """Open the table, act until it is not one's turn any more, close it; gives when the last
    action was sent."""
    sent_at = time.time()
    while True:
        with (
            contextlib.suppress(OSError, WebSocketException, TimeoutError),
            mover.person.live(table, since=-1) as live,
        ):
            while True:
                update = live.next("update", 5)
                if not update["legal"]:
                    return sent_at
                sent_at = time.time()
                action = random.choice(update["legal"])
                live.send("act", seat=update["seat"], ply=update["ply"], action=action)
        time.sleep(0.2)


def _emptied(calls: queue.Queue[Arrival]) -> list[Arrival]:
    found = []
    with contextlib.suppress(queue.Empty):
        while True:
            found.append(calls.get_nowait())
    return found


def _patiently(ask: Callable[[], Any]) -> Any:
    """The server may be dead for a moment."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return ask()
        except (httpx.HTTPError, OSError):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def _timed(ask: Callable[[], Any]) -> tuple[Any, float]:
    """The reply, and when the last attempt began."""
    sent_at = time.time()

    def attempt() -> Any:
        nonlocal sent_at
        sent_at = time.time()
        return ask()

    return _patiently(attempt), sent_at


class Crashes:
    def __init__(self, server: Server, receiver: Receiver, postbox: Postbox) -> None:
        self._server, self._receiver, self._postbox = server, receiver, postbox
        self._browser = Browser()
        self._players: dict[str, Player] = {}
        self._arrivals: list[Arrival] = []
        self._read = (0, 0)
        """Posts and letters that were read already."""
        self._is_over = threading.Event()

    def player(self, number: int) -> Player:
        way, name = WAYS[number % len(WAYS)], f"p{number}"
        person = Person(self._server, f"P{number}")
        api = "/api/me/notifications"
        if way == "push":
            url = self._receiver.url(f"/push/{name}")
            person.call("POST", f"{api}/push", self._browser.subscription(url))
        elif way == "webhook":
            person.call("POST", f"{api}/webhook", {"url": self._receiver.url(f"/hook/{name}")})
        else:
            self._subscribe_mail(person, f"{name}@mail.example")
        player = self._players[name] = Player(person, way, name)
        return player

    def sleeper(self, number: int) -> Sleeper:
        """By push, and by e-mail if that stays unseen for a minute."""
        person, name = Person(self._server, f"S{number}"), f"s{number}"
        api = "/api/me/notifications"
        given = self._browser.subscription(self._receiver.url(f"/push/{name}"))
        person.call("POST", f"{api}/push", given)
        self._subscribe_mail(person, f"{name}m@mail.example")
        person.call("PUT", api, {"language": "en", "zone": "UTC", "escalate_minutes": 1})
        devices = [Player(person, "push", name), Player(person, "mail", f"{name}m")]
        self._players |= {device.device: device for device in devices}
        return Sleeper(Player(Person(self._server, f"H{number}"), "", ""), devices)

    def _subscribe_mail(self, person: Person, address: str) -> None:
        api = "/api/me/notifications/mail"
        way = person.call("POST", api, {"address": address})
        letters = self._postbox.letters
        wait_for(lambda: any(to == [address] for to, _, _ in letters))
        subject = next(letter["Subject"] for to, letter, _ in letters if to == [address])
        code = str(subject).rpartition(" ")[2]
        person.call("POST", f"{api}/confirm", {"way": way["id"], "code": code})

    def _fresh(self) -> list[Arrival]:
        """What has come since the last time. Each message is decrypted once: the machine is the
        server's."""
        posts, letters = self._receiver.got[self._read[0] :], self._postbox.letters[self._read[1] :]
        self._read = (self._read[0] + len(posts), self._read[1] + len(letters))
        fresh = [*self._of_posts(posts), *self._of_letters(letters)]
        self._arrivals += fresh
        return fresh

    def _of_posts(self, posts: Sequence[Received]) -> list[Arrival]:
        found = []
        for one in posts:
            device = one.path.rpartition("/")[2]
            if one.path.startswith("/push/"):
                note = self._browser.decrypt(one.body)["notification"]
                name, kind, url = note["data"]["id"], note["data"]["kind"], note["navigate"]
                text = f"{note['title']}\n{note['body']}"
            else:
                said = json.loads(one.body)
                name, kind, url = said["id"], said["kind"], said["url"]
                text = f"{said['title']}\n{said['body']}"
            found.append(Arrival(device, _what(name, kind, url), one.at, _kinds_in(text)))
        return found

    def _of_letters(self, letters: Sequence[Letter]) -> list[Arrival]:
        found = []
        for to, letter, at in letters:
            if letter["List-Unsubscribe"]:
                text = letter.get_body(("plain",)).get_content()  # type: ignore[union-attr]
                kind = _kind_of(letter["Subject"].removeprefix("Lampion: ")) or "several"
                what = _what(letter["Message-ID"], kind, text)
                found.append(Arrival(to[0].partition("@")[0], what, at, _kinds_in(text)))
        return found

    def _call_players(self) -> None:
        """Hand what arrives to the players, each the first time."""
        seen: set[tuple[str, tuple[str, str, str]]] = set()
        while not self._is_over.wait(0.05):
            for one in self._fresh():
                if (one.device, one.what) not in seen:
                    seen.add((one.device, one.what))
                    self._players[one.device].calls.put(one)

    def run(self, pairs: int, kills: int, seconds: float, sleepers: int) -> Report:
        """Kill the server so many times, about every so many seconds. After each kill half a day
        passes for a player who never comes."""
        # A device gets so many messages an hour: more moves would only wait for the next one.
        pause = max(0.25, 2.0 * kills * seconds / (2 * PER_WAY_AND_HOUR))
        couples = [
            Pair([self.player(2 * number), self.player(2 * number + 1)], pause)
            for number in range(pairs)
        ]
        caller = threading.Thread(target=self._call_players, daemon=True)
        threads = [threading.Thread(target=couple.play, daemon=True) for couple in couples]
        asleep = [self.sleeper(number) for number in range(sleepers)]
        for one in asleep:
            one.lie_down()
        for thread in (caller, *threads):
            thread.start()
        for number in range(kills):
            time.sleep(random.uniform(0.6, 1.4) * seconds)
            self._server.kill()
            if number < sleepers:
                asleep[number].sleep(self._server.database)
            self._server.start(ready=False)
        time.sleep(seconds)
        lost = self._lost_by(asleep[:kills])
        report = self._end(couples, threads, caller, kills)
        report.lost += lost
        report.reminders = len(asleep[:kills])
        return report

    def _lost_by(self, asleep: list[Sleeper]) -> list[str]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if not [one for sleeper in asleep for one in sleeper.missing()]:
                return []
            time.sleep(0.2)
        return [one for sleeper in asleep for one in sleeper.missing()]

    def _end(
        self,
        couples: list[Pair],
        threads: list[threading.Thread],
        caller: threading.Thread,
        kills: int,
    ) -> Report:
        """Every pair finishes the call that it waits for."""
        for couple in couples:
            couple.stop()
        for thread in threads:
            thread.join(2 * PATIENCE)
        self._is_over.set()
        caller.join()
        self._fresh()
        return Report(
            kills,
            self._arrivals,
            [call for couple in couples for call in couple.calls],
            [lost for couple in couples for lost in couple.lost],
        )


def _what(name: str, kind: str, text: str) -> tuple[str, str, str]:
    found = _PAGE.search(text)
    return (found[1], kind, found[2] or "") if found else ("", kind, name)


def _kinds_in(text: str) -> frozenset[str]:
    """By the lines of a message: a headline each, or one with its game behind it."""
    lines = (line.rpartition(": ")[0] or line for line in text.splitlines())
    return frozenset(kind for line in lines if (kind := _kind_of(line)))


def _kind_of(line: str) -> str | None:
    return _KINDS.get(line) or ("asked" if " asks to " in line else None)


def crash(
    database: str, folder: Path, *, pairs: int, kills: int, seconds: float, sleepers: int = 1
) -> Report:
    with receiving_in_a_thread() as receiver, Postbox() as postbox:
        receiver.slow = {"/push/p0": SLOW_SECONDS, "/hook/p1": SLOW_SECONDS}
        postbox.slow = {"p2@mail.example": SLOW_SECONDS}
        hosts = f"127.0.0.1:{receiver.port}"
        server = Server(database, log=folder / "log")
        server.flags = ("--notify-hosts", hosts, "--public-url", server.base, *postbox.flags,
                        "--mails-per-hour", "100000", "--mails-per-person", "100000")  # fmt: skip
        with server.start():
            return Crashes(server, receiver, postbox).run(pairs, kills, seconds, sleepers)
