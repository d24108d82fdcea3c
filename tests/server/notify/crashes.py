"""Games by notification alone: every player comes when called, moves, and leaves, while the server
is killed again and again. What was due must have come, once, and soon."""

from __future__ import annotations

import contextlib
import json
import queue
import random
import re
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from lampion.server.notify.notifier import PER_WAY_AND_HOUR
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
_TABLE = re.compile(r"/t/([\w-]+)")


@dataclass
class Arrival:
    device: str
    name: str
    """The same for the same notification."""
    table: str
    at: float


@dataclass
class Report:
    kills: int
    arrivals: list[Arrival]
    delays: list[float]
    lost: list[str]

    @property
    def twice(self) -> list[str]:
        """Notifications that a device got again too soon."""
        found, last = [], dict[tuple[str, str], float]()
        for one in sorted(self.arrivals, key=lambda each: each.at):
            before = last.get((one.device, one.name))
            if before is not None and one.at - before < TWICE:
                found.append(f"{one.device} {one.name} after {one.at - before:.1f} s")
            last[one.device, one.name] = one.at
        return found

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.delays, n=20)[-1]

    def tell(self) -> str:
        ordered = sorted(self.delays)
        middle = ordered[len(ordered) // 2]
        again = len(self.arrivals) - len({(one.device, one.name) for one in self.arrivals})
        return (
            f"{self.kills} kills, {len(self.delays)} notifications due: {len(self.lost)} lost, "
            f"{len(self.twice)} twice within a minute ({again} later on); "
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
        self.delays: list[float] = []
        self.lost: list[str] = []
        self._is_over = threading.Event()

    def stop(self) -> None:
        """After the call that is due now."""
        self._is_over.set()

    def play(self) -> None:
        while not self._is_over.is_set() and not self.lost:
            self._play_game()

    def _play_game(self) -> None:
        host, guest = self.players
        pace = {"kind": "days", "days": 3}
        table = _patiently(lambda: host.person.table("me", "open", pace=pace))
        _patiently(lambda: guest.person.join(table))
        for player in self.players:
            _emptied(player.calls)
        while not self._is_over.is_set():
            info = self._someone_acts(host, table)
            if info is None or info["result"]:
                return
            seat = info["actors"][0]
            mine = next(each for each in info["seats"] if each["seat"] == seat)["mine"]
            mover, other = (host, guest) if mine else (guest, host)
            sent_at = self._move(mover, table)
            if not self._came(other, table["id"], sent_at):
                return
            time.sleep(random.uniform(0.5, 1.5) * self._pause)

    def _someone_acts(self, host: Player, table: Json) -> Json | None:
        """The table when it waits for a player or is over. A server that was killed while it
        started the game goes on with it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            info: Json = _patiently(lambda: host.person.info(table))
            if info["result"] or info["actors"]:
                return info
            time.sleep(0.2)
        self.lost.append(f"{table['id']} waits for nobody")
        return None

    def _move(self, mover: Player, table: Json) -> float:
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

    def _came(self, other: Player, table: str, sent_at: float) -> bool:
        """Whether the other player was called. It may be the end of the game."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(queue.Empty):
                call = other.calls.get(timeout=1)
                if call.table == table and call.at >= sent_at:
                    self.delays.append(call.at - sent_at)
                    return True
        self.lost.append(f"{other.device} at {table}")
        return False


def _emptied(calls: queue.Queue[Arrival]) -> None:
    with contextlib.suppress(queue.Empty):
        while True:
            calls.get_nowait()


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
                name, url = note["data"]["id"], note["navigate"]
            else:
                said = json.loads(one.body)
                name, url = said["id"], said["url"]
            found.append(Arrival(device, name, _table_in(url), one.at))
        return found

    def _of_letters(self, letters: Sequence[Letter]) -> list[Arrival]:
        return [
            Arrival(
                to[0].partition("@")[0],
                letter["Message-ID"],
                _table_in(letter.get_body(("plain",)).get_content()),  # type: ignore[union-attr]
                at,
            )
            for to, letter, at in letters
            if letter["List-Unsubscribe"]
        ]

    def _call_players(self) -> None:
        """Hand what arrives to the players, each the first time."""
        seen: set[tuple[str, str]] = set()
        while not self._is_over.wait(0.05):
            for one in self._fresh():
                if (one.device, one.name) not in seen:
                    seen.add((one.device, one.name))
                    self._players[one.device].calls.put(one)

    def run(self, pairs: int, kills: int, seconds: float) -> Report:
        """Kill the server so many times, about every so many seconds."""
        # A device gets so many messages an hour: more moves would only wait for the next one.
        pause = max(0.25, 1.25 * kills * seconds / (2 * PER_WAY_AND_HOUR))
        couples = [
            Pair([self.player(2 * number), self.player(2 * number + 1)], pause)
            for number in range(pairs)
        ]
        caller = threading.Thread(target=self._call_players, daemon=True)
        threads = [threading.Thread(target=couple.play, daemon=True) for couple in couples]
        for thread in (caller, *threads):
            thread.start()
        for _ in range(kills):
            time.sleep(random.uniform(0.6, 1.4) * seconds)
            self._server.kill()
            self._server.start(ready=False)
        time.sleep(seconds)
        return self._end(couples, threads, caller, kills)

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
            [delay for couple in couples for delay in couple.delays],
            [lost for couple in couples for lost in couple.lost],
        )


def _table_in(text: str) -> str:
    found = _TABLE.search(text)
    assert found, text
    return found[1]


def crash(database: str, folder: Path, *, pairs: int, kills: int, seconds: float) -> Report:
    with receiving_in_a_thread() as receiver, Postbox() as postbox:
        hosts = f"127.0.0.1:{receiver.port}"
        server = Server(database, log=folder / "log")
        server.flags = ("--notify-hosts", hosts, "--public-url", server.base, *postbox.flags,
                        "--mails-per-hour", "100000")  # fmt: skip
        with server.start():
            return Crashes(server, receiver, postbox).run(pairs, kills, seconds)
