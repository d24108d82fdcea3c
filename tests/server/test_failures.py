"""What must survive: kill -9 under load, a deploy in mid-game, two processes at one table, damaged logs, bots that hang."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import threading
import time
from pathlib import Path

import httpx
from websockets.exceptions import WebSocketException

from tests.server.store.postgres import Postgres
from tests.server.support import Json, Person, Server, play_live, wait_for

BACK_SECONDS = 60.0
"""By then everybody is back, on the slowest machine."""
KILLS = int(os.environ.get("LAMPION_KILLS", "1"))


class Load:
    """A person who plays hot-seat games as fast as possible and remembers everything that was shown and promised."""

    def __init__(self, server: Server, seed: int) -> None:
        self.person, self.chooser = Person(server, f"Load {seed}"), random.Random(seed)
        self.seen: dict[str, dict[int, str]] = {}
        self.promised: dict[str, dict[int, str]] = {}
        self.stop = False
        self.connected_at = 0.0
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        table: Json | None = None
        while not self.stop:
            with contextlib.suppress(
                OSError, TimeoutError, WebSocketException, httpx.HTTPError, AssertionError
            ):
                table = table or self.person.table(
                    "local", "local", game=self.chooser.choice(["lanterns", "lumens"])
                )
                if self._play(table):
                    table = None
                continue
            time.sleep(0.02)

    def _play(self, table: Json) -> bool:
        """Play on; True when the game is over."""
        seen = self.seen.setdefault(table["id"], {})
        promised = self.promised.setdefault(table["id"], {})
        with self.person.live(table, since=len(seen)) as live:
            self.connected_at = time.monotonic()
            turn: Json | None = None
            asked: tuple[int, str] | None = None
            while not self.stop:
                message = live.next()
                if message["type"] == "info" and message["table"]["result"]:
                    return True
                if message["type"] == "update":
                    seen.update(
                        {
                            step["ply"]: step["action"]
                            for step in message["steps"]
                            if "?" not in step["action"]
                        }
                    )
                    turn = message if message["legal"] else turn
                elif message["type"] in ("done", "problem"):
                    promised.update([asked] if asked and message["type"] == "done" else [])
                    asked = None
                if turn and not asked:
                    asked = turn["ply"], self.chooser.choice(turn["legal"])
                    live.send("act", seat=turn["seat"], ply=asked[0], action=asked[1])
                    turn = None
        return False

    def finish(self) -> None:
        self.stop = True
        self._thread.join(60)


def wait_until_back(loads: list[Load], since: float) -> None:
    wait_for(lambda: all(load.connected_at > since for load in loads), BACK_SECONDS)


def check_nothing_lost(load: Load) -> int:
    """Every action that was promised or shown is in the log, in its place. Returns how many there were."""
    count = 0
    for table, promised in load.promised.items():
        log = {step["ply"]: step["action"] for update in load.person.updates({"id": table}, since=0) for step in update["steps"]
               if "?" not in step["action"]}  # fmt: skip
        for ply, action in [*promised.items(), *load.seen[table].items()]:
            assert log.get(ply) == action, f"{table} ply {ply}: {action} is not in the log"
            count += 1
    return count


def test_kill_9_under_load_loses_nothing_and_shows_nothing_that_is_not_stored(
    fresh_database: str,
) -> None:
    server = Server(fresh_database).start()
    loads = [Load(server, seed) for seed in range(3)]
    try:
        for _ in range(KILLS):
            time.sleep(1.5)
            killed_at = time.monotonic()
            server.kill()
            server.start()
            wait_until_back(loads, killed_at)
    finally:
        time.sleep(0.5)
        for load in loads:
            load.finish()
    assert sum(check_nothing_lost(load) for load in loads) > 50 * KILLS
    server.stop()


def test_two_processes_play_one_table(postgres: Postgres) -> None:
    url = postgres.create("two_processes")
    with Server(url) as left, Server(url) as right:
        ada, milo = Person(left, "Ada"), Person(right, "Milo")
        table = ada.table("me", "open", "novice")
        milo.join(table)
        ends: list[Json] = []
        players = [
            threading.Thread(
                target=lambda p=person: ends.append(play_live(p, table, random.Random(1)))
            )
            for person in (ada, milo)
        ]
        for player in players:
            player.start()
        for player in players:
            player.join(120)
        assert [end["result"]["reason"] for end in ends] == ["played", "played"]
        assert ends[0]["result"] == ends[1]["result"]
        logs = [person.update(table, since=0)["steps"] for person in (Person(left), Person(right))]
        assert logs[0] == logs[1]


def test_a_deploy_in_mid_game_closes_politely_and_goes_on(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "lampion.db")).start()
    ada = Person(server, "Ada")
    table = ada.table("me", "novice", pace={"kind": "clock", "seconds": 60, "increment": 0})
    with ada.live(table) as live:
        before = live.turn()
        server.stop(signal.SIGTERM)
        assert live.close_code() == 1012
    server.start()
    with ada.live(table, since=before["ply"]) as live:
        after = live.turn()
        assert after["legal"] == before["legal"]
        # How much time that gives back is tested with a given clock, in test_duties.
        assert last_kinds(tmp_path / "lampion.db", table)[-1] == "resume"
        live.send("act", seat=0, ply=after["ply"], action=after["legal"][-1])
        live.next("done")
    server.stop()


def last_kinds(database: Path, table: Json) -> list[str]:
    """The kinds of the events in the log of a table."""
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        query = "SELECT kind FROM event WHERE table_id = ? ORDER BY seq"
        return [kind for (kind,) in db.execute(query, (table["id"],))]


def test_bots_go_on_after_a_restart(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "lampion.db"), "--bot-pause", "3").start()
    ada = Person(server, "Ada")
    table = ada.table("novice", "me")
    server.kill()
    server.start()
    assert wait_for(lambda: Person(server).update(table)["view"]["actors"] == [1], 30), (
        "the bot has played after the restart"
    )
    server.stop()


def test_a_damaged_log_sets_its_own_table_apart(tmp_path: Path) -> None:
    file = tmp_path / "lampion.db"
    server = Server(str(file)).start()
    ada = Person(server, "Ada")
    broken, sound = ada.table("me", "novice"), ada.table("me", "novice")
    server.stop()
    with contextlib.closing(sqlite3.connect(file)) as db, db:
        db.execute(
            "UPDATE event SET payload = '+99' WHERE table_id = ? AND seq = 4", (broken["id"],)
        )
    server.start()
    assert ada.problem("GET", f"/api/tables/{broken['id']}")["code"] == "quarantined"
    update = ada.update(sound)
    assert ada.act(sound, update).status_code == 200
    assert [table["id"] for table in ada.call("GET", "/api/me/tables")["tables"]] == [sound["id"]]
    server.stop()
