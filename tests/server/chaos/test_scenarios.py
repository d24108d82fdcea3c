"""Failures of the network, the clock and the data that a server meets in a year, each with bots
and clocks in view."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import random
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

import lampion
from lampion.server.store import open_store
from lampion.server.tables.table import Table
from tests.server.attacks.support import dial, handshake
from tests.server.chaos.balancer import Balancer
from tests.server.chaos.failures import LimitedDisk, fragile, works
from tests.server.chaos.support import (
    BOT_PAUSE,
    CLOCK_SECONDS,
    GOING_AGAIN,
    HEARTBEAT,
    TROUBLE,
    Duties,
    acted,
    loaded,
    wait_until_playing,
)
from tests.server.store.postgres import Postgres
from tests.server.support import Json, Live, Person, Server, wait_for

STORM = int(os.environ.get("LAMPION_STORM", "200"))
HOUR = 3600


# --- the database -------------------------------------------------------------------------------


def test_sqlite_locked_by_a_backup(tmp_path: Path) -> None:
    """Another program holds the file for seven seconds; afterwards everything goes on, nothing is
    lost."""
    server = fragile(str(tmp_path / "lampion.db")).start()
    duties = Duties(server, server.database)
    try:
        with loaded(server) as loads:
            duties.add_clocks()
            duties.add_bots()
            with contextlib.closing(
                sqlite3.connect(server.database, timeout=60, isolation_level=None)
            ) as db:
                db.execute("BEGIN IMMEDIATE")
                time.sleep(7)
                db.execute("ROLLBACK")
            freed = time.monotonic()
            wait_for(lambda: works(server), 120)
            duties.wait_for_all()
            wait_until_playing(loads, freed)
        assert sum(load.check_nothing_lost() for load in loads) > 0
        assert server.process and server.process.poll() is None
    finally:
        duties.close()
        server.kill()


def test_a_short_outage_gives_a_clock_no_more_than_it_took(tmp_path: Path) -> None:
    """Two seconds without a disk during a turn of thirty: the turn still ends, by the server's
    own times."""
    server = fragile(str(tmp_path / "lampion.db")).start()
    disk = LimitedDisk(tmp_path, lambda: server)
    try:
        ada, milo = Person(server, "Ada"), Person(server, "Milo")
        table = ada.table(
            "me", "open", pace={"kind": "clock", "seconds": CLOCK_SECONDS, "increment": 0}
        )
        milo.join(table)
        for player in (ada, milo):
            player.ready(table)
        with loaded(server, 1):
            began = time.monotonic()
            disk.fill()
            wait_for(lambda: not works(server), 60)
            time.sleep(2)
            disk.free()
            wait_for(lambda: works(server), 60)
            outage = time.monotonic() - began
        wait_for(lambda: acted(server.database).get(table["id"]), 150)
        taken = turn_seconds(server, table)
        assert CLOCK_SECONDS - 1 <= taken <= CLOCK_SECONDS + outage + 20, f"the turn took {taken} s"
    finally:
        disk.free()
        server.kill()


@pytest.mark.parametrize(
    "pace",
    [{"kind": "clock", "seconds": 600, "increment": 0}, {"kind": "days", "days": 1}],
    ids=["clock", "days"],
)
def test_a_restart_gives_back_no_more_than_it_took(tmp_path: Path, pace: Json) -> None:
    """Otherwise a server that is updated every night never ends a turn of three days."""
    server = fragile(str(tmp_path / "lampion.db")).start()
    try:
        ada, milo = Person(server, "Ada"), Person(server, "Milo")
        table = ada.table("me", "open", pace=pace)
        milo.join(table)
        for player in (ada, milo):
            player.ready(table)
        full = left_ms(ada, table)
        time.sleep(2.5 * HEARTBEAT)
        before = left_ms(ada, table)
        server.kill()
        server.start()
        given_back = left_ms(ada, table) - before
        assert full - before >= 2000 * HEARTBEAT, "the clock runs"
        assert given_back <= 1000 * HEARTBEAT, (
            f"{given_back / 1000:.0f} s of the turn are forgotten"
        )
    finally:
        server.kill()


def turn_seconds(server: Server, table: Json) -> float:
    """From the start of the game to the first seat's running out of time, as the log tells it."""
    query = "SELECT min(at_ms) FROM event WHERE table_id = ? AND kind = ?"
    with contextlib.closing(sqlite3.connect(server.database, timeout=30)) as db:
        start, end = (
            db.execute(query, (table["id"], kind)).fetchone()[0] for kind in ("start", "timeout")
        )
    return float(end - start) / 1000


def test_notifications_are_lost(postgres: Postgres) -> None:
    """All connections of both processes to the database are cut, LISTEN included, again and
    again."""
    url = postgres.create("no_notify")
    with fragile(url).start() as left, fragile(url).start() as right:
        ada, milo = Person(left, "Ada"), Person(right, "Milo")
        table = ada.table("me", "open")
        milo.join(table)
        duties = Duties(left, url)
        duties.add_clocks()
        for _ in range(3):
            duties.add_bots()
            with milo.live(table) as live:
                known = live.next("update")["ply"]
                cut_connections(url)
                wait_for(partial(move, ada, milo, table), 60)
                while live.next("update", seconds=60)["ply"] <= known:
                    pass
        duties.wait_for_all()
        duties.close()


def move(ada: Person, milo: Person, table: Json) -> bool:
    """One move by the player whose turn it is; False if the server cannot do it just now."""
    with contextlib.suppress(*TROUBLE):
        for person in (ada, milo):
            for update in person.updates(table):
                if update["legal"]:
                    return person.act(table, update).status_code == 200
    return False


def cut_connections(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_command_whose_answer_was_lost_is_done_once(tmp_path: Path) -> None:
    """The server dies between the command and its answer; the browser sends it again. Bots and
    clocks live through all of these deaths."""
    server = fragile(str(tmp_path / "lampion.db")).start()
    ada = Person(server, "Ada")
    table = ada.table("me", "local", game="lumens")
    duties = Duties(server, server.database)
    try:
        duties.add_clocks()
        duties.add_bots()
        for number in range(5):
            update = next(one for one in ada.updates(table) if one["legal"])
            command = {
                "do": "act",
                "id": f"again{number}",
                "seat": update["seat"],
                "ply": update["ply"],
                "action": update["legal"][0],
            }
            path = f"/api/tables/{table['id']}/commands"
            thread = threading.Thread(target=send_and_forget, args=(ada, path, command))
            thread.start()
            time.sleep(random.uniform(0, 0.01))
            server.kill()
            thread.join(60)
            server.start()
            duties.forgive(HEARTBEAT)
            assert ada.call("POST", path, command)["messages"][0] == {
                "type": "done",
                "id": f"again{number}",
            }
            steps = ada.update(table, since=update["ply"])["steps"]
            assert (
                sum(
                    step["action"] == command["action"] and step["ply"] == update["ply"]
                    for step in steps
                )
                == 1
            )
        duties.wait_for_all()
    finally:
        duties.close()
        server.kill()


def send_and_forget(person: Person, path: str, command: Json) -> None:
    with contextlib.suppress(Exception):
        person.ask("POST", path, command)


def test_two_processes_that_serve_one_game(postgres: Postgres) -> None:
    """Both have every table in memory; each bot moves, and each clock runs out once."""
    url = postgres.create("two_owners")
    with fragile(url).start() as left, fragile(url).start() as right:
        duties = Duties(left, url)
        with contextlib.closing(duties):
            duties.add_clocks()
            duties.add_bots()
            tables = {duty.kind: duty.table for duty in duties.open}
            for table in tables.values():
                Person(right).info({"id": table})
            duties.wait_for_all()
        found = acted(url)
        assert [found[tables[kind]] for kind in ("clock", "clock, watched")] == [1, 1]


def test_two_tabs_of_one_seat_beside_bots_and_clocks(tmp_path: Path) -> None:
    """Both tabs send every action: it is done once, and the bot answers as ever."""
    server = fragile(str(tmp_path / "lampion.db")).start()
    duties = Duties(server, server.database)
    with server, contextlib.closing(duties):
        duties.add_clocks()
        duties.add_bots()
        ada = Person(server, "Ada")
        table = ada.table("me", "novice")
        with ada.live(table) as left, ada.live(table) as right:
            for _ in range(4):
                update = wait_for(partial(own_turn, ada, table), 60)
                action = {"seat": 0, "ply": update["ply"], "action": update["legal"][-1]}
                sent = [(tab, tab.send("act", **action)) for tab in (left, right)]
                answers = sorted(answer_to(tab, command) for tab, command in sent)
                assert answers == ["done", "problem"]
            plies = [s["ply"] for s in ada.update(table, since=0)["steps"] if s["actor"] == 0]
            assert len(plies) == 4
        duties.wait_for_all()


def own_turn(person: Person, table: Json) -> Json | None:
    update = person.update(table)
    return update if update["legal"] else None


def answer_to(tab: Live, command: str) -> str:
    while (message := tab.next()).get("id") != command:
        pass
    kind: str = message["type"]
    return kind


# --- the network --------------------------------------------------------------------------------


def test_a_line_that_swallows_everything(tmp_path: Path) -> None:
    """A socket black-holed both ways is noticed, the player counts as away, and comes back on
    another line; bots and clocks need no line."""
    server = fragile(str(tmp_path / "lampion.db")).start()
    duties = Duties(server, server.database)
    with server, Balancer([server.port]) as line, contextlib.closing(duties):
        ada, milo = Person(line, "Ada"), Person(server, "Milo")  # type: ignore[arg-type]
        table = ada.table("me", "open")
        milo.join(table)
        with ada.live(table) as live:
            live.next("update")
            wait_for(lambda: milo.info(table)["seats"][0]["connected"], 30)
            line.swallow = True
            duties.add_clocks()
            duties.add_bots()
            wait_for(lambda: not milo.info(table)["seats"][0]["connected"], 120)
        line.swallow = False
        with ada.live(table) as live:
            live.next("update")
            wait_for(lambda: milo.info(table)["seats"][0]["connected"], 30)
        duties.wait_for_all()


def test_resets_in_mid_message(tmp_path: Path) -> None:
    """Two hundred sockets cut off in the middle of a frame, a header or a body: nothing is left
    of them, and no bot or clock has noticed."""
    log = tmp_path / "log"
    server = fragile(str(tmp_path / "lampion.db"), log).start()
    duties = Duties(server, server.database)
    with server, contextlib.closing(duties):
        duties.add_clocks()
        duties.add_bots()
        ada = Person(server, "Ada")
        table = ada.table("me", "local", public=True)
        beginnings = [
            handshake(f"/api/tables/{table['id']}/live?since=0") + b"\x81\xfe\x10\x00\0\0\0\0{",
            handshake(f"/api/tables/{table['id']}/live?since=0")[:-30],
            b"POST /api/claim HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{",
        ]
        for number in range(200):
            plain = dial(server)
            plain.sendall(beginnings[number % 3])
            time.sleep(0.002)
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            plain.close()
        wait_for(lambda: ada.info(table)["watching"] == 0, 60)
        update = next(one for one in ada.updates(table) if one["legal"])
        assert ada.act(table, update).status_code == 200
        duties.wait_for_all()
        assert b"Traceback" not in log.read_bytes()


def test_one_slow_reader_in_a_room_of_fifty(tmp_path: Path) -> None:
    """Forty-nine are told of every move and every bot's move; the one who does not read holds up
    nobody, and no clock."""
    server = Server(str(tmp_path / "lampion.db")).start()
    duties = Duties(server, server.database)
    with server, contextlib.closing(duties):
        duties.add_clocks()
        duties.add_bots()
        ada = Person(server, "Ada")
        table = ada.table("me", "novice", public=True)
        with contextlib.ExitStack() as room:
            slow = room.enter_context(socket.socket())
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            slow.connect(("127.0.0.1", server.port))
            slow.sendall(handshake(f"/api/tables/{table['id']}/live?since=0"))
            lives = [room.enter_context(Person(server).live(table)) for _ in range(48)]
            mine = room.enter_context(ada.live(table))
            for _ in range(15):
                if (turn := mine.turn())["type"] != "update":
                    break
                # The bot's answer may come before `done`, so nobody waits for that.
                mine.send("act", seat=0, ply=turn["ply"], action=turn["legal"][-1])
            final = ada.info(table)["ply"]
            for live in lives:
                while live.next("update", seconds=60)["ply"] < final:
                    pass
            duties.wait_for_all()


def test_a_storm_of_reconnects_beside_bots_and_clocks(tmp_path: Path) -> None:
    """Everybody comes back at once after a hard kill; meanwhile the bots move and a clock runs out."""
    server = fragile(str(tmp_path / "lampion.db")).start()
    duties = Duties(server, server.database)
    try:
        ada = Person(server, "Ada")
        table = ada.table("me", "local", public=True)
        duties.add_clocks()
        duties.add_bots()
        server.kill()
        server.start()
        duties.forgive(HEARTBEAT)
        told = storm(server, table)
        assert told == STORM
        duties.wait_for_all()
    finally:
        duties.close()
        server.kill()


def storm(server: Server, table: Json) -> int:
    """That many sockets, ten at a time; returns how many were told the table."""
    told: list[Json] = []

    def come() -> None:
        for _ in range(STORM // 10):
            with Person(server).live(table) as live:
                told.append(live.next("update", seconds=120))

    threads = [threading.Thread(target=come) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(300, STORM))
    return len(told)


# --- the clock of the machine -------------------------------------------------------------------


@pytest.fixture
def jumping(tmp_path: Path) -> Iterator[tuple[Server, Path]]:
    """A server whose wall clock we can move; the monotonic clock goes on as ever."""
    clock = tmp_path / "clock"
    clock.write_text("0")
    folder = Path(__file__).parent / "clockjump"
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    env = {"LAMPION_TEST_CLOCK": str(clock), "PYTHONPATH": path}
    server = Server(str(tmp_path / "lampion.db"), "--bot-pause", str(BOT_PAUSE), env=env).start()
    yield server, clock
    server.kill()


def left_ms(person: Person, table: Json) -> int:
    found: int = person.update(table)["clocks"][0]["left_ms"]
    return found


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_the_clock_of_the_machine_jumps(jumping: tuple[Server, Path], jump: int) -> None:
    """Nobody gains or loses time, clocks still run out, and bots still move."""
    server, clock = jumping
    ada, milo = Person(server, "Ada"), Person(server, "Milo")
    table = ada.table("me", "open", pace={"kind": "clock", "seconds": 600, "increment": 0})
    milo.join(table)
    for player in (ada, milo):
        player.ready(table)
    before = left_ms(ada, table)
    duties = Duties(server, server.database)
    duties.add_clocks()
    began = time.monotonic()
    clock.write_text(str(jump))
    duties.add_bots()
    assert 0 <= before - left_ms(ada, table) < 120_000, "as little as passed in truth"
    assert ada.act(table, ada.update(table)).status_code == 200
    assert 0 <= 600_000 - left_ms(ada, table) < 120_000
    assert ada.info(table)["status"] == "running"
    duties.ran(time.monotonic() - began)
    try:
        duties.wait_for_all()
        assert time.monotonic() - began > CLOCK_SECONDS - 1, "no clock ran out early"
    finally:
        duties.close()


def test_the_clock_jumps_while_the_server_is_down(jumping: tuple[Server, Path]) -> None:
    server, clock = jumping
    ada, milo = Person(server, "Ada"), Person(server, "Milo")
    table = ada.table("me", "open", pace={"kind": "clock", "seconds": 600, "increment": 0})
    milo.join(table)
    for player in (ada, milo):
        player.ready(table)
    duties = Duties(server, server.database)
    duties.add_clocks()
    duties.add_bots()
    server.kill()
    clock.write_text(str(-HOUR))
    server.start()
    assert 480_000 < left_ms(ada, table) <= 600_000
    assert ada.act(table, ada.update(table)).status_code == 200
    duties.forgive(HEARTBEAT)
    duties.wait_for_all()
    duties.close()


# --- the data -----------------------------------------------------------------------------------


def edit(server: Server, statement: str, *values: object) -> None:
    with contextlib.closing(sqlite3.connect(server.database, timeout=30)) as db, db:
        assert db.execute(statement, values).rowcount > 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE game_table SET rules_version = 99 WHERE id = ?",
        "UPDATE event SET kind = 'teleport' WHERE table_id = ? AND seq = 4",
    ],
    ids=["rules of tomorrow", "an event of tomorrow"],
)
def test_what_a_newer_server_wrote_waits_for_it(tmp_path: Path, statement: str) -> None:
    """The table says "update the server", is not quarantined, and all others continue, with bots and
    clocks."""
    server = fragile(str(tmp_path / "lampion.db")).start()
    try:
        ada = Person(server, "Ada")
        newer = ada.table("novice", "me")
        wait_for(lambda: ada.update(newer)["legal"], 60)
        duties = Duties(server, server.database)
        duties.add_clocks()
        duties.add_bots()
        server.stop()
        edit(server, statement, newer["id"])
        server.start()
        problem = ada.problem("GET", f"/api/tables/{newer['id']}")
        assert problem["code"] not in ("quarantined", "internal")
        assert "update" in problem["message"].lower()
        duties.wait_for_all()
        with contextlib.closing(sqlite3.connect(server.database, timeout=30)) as db:
            row = db.execute(
                "SELECT status FROM game_table WHERE id = ?", (newer["id"],)
            ).fetchone()
        assert row == ("running",)
        duties.close()
    finally:
        server.kill()


def test_tables_of_older_rules_wait_for_an_older_server(tmp_path: Path) -> None:
    """A bot that is to move and a clock that is to run out there do nothing, and nothing about
    them changes, while others go on. When the older server is back, they go on, too. A record of
    older rules is refused, and says why."""
    server = fragile(str(tmp_path / "lampion.db")).start()
    duties, old = Duties(server, server.database), Duties(server, server.database)
    try:
        ada = Person(server, "Ada")
        bots = ada.table("novice", "me")
        old.add_clocks(watched=False)
        (clock,) = old.open
        tables = [bots["id"], clock.table]
        server.stop()
        turn_rules(server, tables, by=-1)
        before = log_of(server, tables)
        server.start()
        duties.add_clocks()
        duties.add_bots()
        for table in tables:
            assert ada.problem("GET", f"/api/tables/{table}")["code"] in ("old-rules", "no-table")
        assert ada.problem("GET", f"/api/tables/{bots['id']}")["code"] == "old-rules"
        record = json.loads(lampion.dump(lampion.new("lanterns", 2, seed=1), reveal_seed=True))
        record["rules"] -= 1
        refused = ada.problem("POST", "/api/replay", {"record": record})
        assert "rules" in refused["message"], refused
        duties.wait_for_all()
        assert log_of(server, tables) == before
        server.stop()
        turn_rules(server, tables, by=1)
        server.start()
        assert wait_for(lambda: ada.update(bots)["legal"], 60), "its bot has moved"
        old.wait(GOING_AGAIN)
    finally:
        duties.close()
        server.kill()


def turn_rules(server: Server, tables: list[str], by: int) -> None:
    for table in tables:
        change = "UPDATE game_table SET rules_version = rules_version + ? WHERE id = ?"
        edit(server, change, by, table)


def log_of(server: Server, tables: list[str]) -> list[tuple[object, ...]]:
    """Their status and all that happened there."""
    marks = ",".join("?" * len(tables))
    query = f"""SELECT t.id, t.status, t.problem, e.seq, e.kind, e.payload
        FROM game_table AS t LEFT JOIN event AS e ON e.table_id = t.id
        WHERE t.id IN ({marks}) ORDER BY t.id, e.seq"""
    with contextlib.closing(sqlite3.connect(server.database, timeout=30)) as db:
        return db.execute(query, tables).fetchall()


def test_the_table_goes_on_once_the_server_is_updated(tmp_path: Path) -> None:
    server = fragile(str(tmp_path / "lampion.db")).start()
    try:
        ada = Person(server, "Ada")
        table = ada.table("novice", "me")
        server.stop()
        edit(
            server,
            "UPDATE game_table SET rules_version = rules_version + 98 WHERE id = ?",
            table["id"],
        )
        server.start()
        ada.problem("GET", f"/api/tables/{table['id']}")
        server.stop()
        edit(
            server,
            "UPDATE game_table SET rules_version = rules_version - 98 WHERE id = ?",
            table["id"],
        )
        server.start()
        assert wait_for(lambda: ada.update(table)["legal"], 60), "and its bot has moved"
    finally:
        server.kill()


def test_a_corrupt_log_stops_no_bot_and_no_clock_of_another_table(tmp_path: Path) -> None:
    server = fragile(str(tmp_path / "lampion.db")).start()
    try:
        ada = Person(server, "Ada")
        broken = ada.table("novice", "me")
        duties = Duties(server, server.database)
        duties.add_clocks()
        duties.add_bots()
        server.stop()
        edit(
            server, "UPDATE event SET payload = '+99' WHERE table_id = ? AND seq = 4", broken["id"]
        )
        server.start()
        assert ada.problem("GET", f"/api/tables/{broken['id']}")["code"] == "quarantined"
        duties.wait_for_all()
        duties.close()
    finally:
        server.kill()


def test_a_deploy_in_mid_game_finds_bots_and_clocks_going(fresh_database: str) -> None:
    """SIGTERM as a deploy sends it, then the new server: bots move on, watched or not."""
    server = fragile(fresh_database).start()
    duties = Duties(server, server.database)
    try:
        duties.add_clocks()
        began = time.monotonic()
        duties.add_bots()
        server.stop()
        down = time.monotonic()
        server.start()
        duties.ran(down - began)
        duties.wait_for_all()
    finally:
        duties.close()
        server.kill()


def test_last_night_s_backup_is_restored_with_every_game_as_it_was(tmp_path: Path) -> None:
    """Backed up while people play, restored elsewhere: every game as it was, and its bots and
    clocks go on."""
    server = fragile(str(tmp_path / "lampion.db")).start()
    duties = Duties(server, server.database)
    ada = Person(server, "Ada")
    table = ada.table("me", "local")
    try:
        duties.add_clocks(watched=False)
        duties.add_bots()
        with loaded(server, 2) as loads:
            run_data(server.database, "backup", tmp_path / "backup.db")
        before = ada.updates(table, since=0)
    finally:
        duties.close()
        server.kill()
    restored = fragile(str(tmp_path / "restored.db"))
    run_data(restored.database, "restore", tmp_path / "backup.db")
    compare_logs(tmp_path / "backup.db", tmp_path / "restored.db")
    states = states_in(tmp_path / "backup.db")
    assert len(states) > len(duties.open) and states == states_in(tmp_path / "restored.db")
    lengths = {table: state.seq for table, state in states.items()}
    assert states_in(Path(server.database), lengths) == states, "as the server had them that night"
    restored.start()
    try:
        again = Person(restored)
        again.web.cookies.set("lampion", ada.web.cookies["lampion"])
        assert again.updates(table, since=0) == before
        duties.database = restored.database
        duties.forgive(HEARTBEAT)
        duties.wait_for_all()
        assert loads
    finally:
        restored.kill()


class Folded(NamedTuple):
    """A table as its log tells it, and the hash of the position of its game."""

    seq: int
    status: str
    position: str


def states_in(file: Path, lengths: dict[str, int] | None = None) -> dict[str, Folded]:
    """Every table in a database; with `lengths` only these, each after so many events."""

    async def read() -> dict[str, Folded]:
        store = open_store(str(file))
        try:
            rows = await store.search_tables(limit=1000)
            found = {}
            for row in rows:
                if lengths is None or row.id in lengths:
                    events = await store.read(row.id)
                    table = Table(row, await store.seats(row.id))
                    for event in events[: lengths[row.id]] if lengths else events:
                        table.fold(event)
                    found[row.id] = folded(table)
            return found
        finally:
            await store.close()

    return asyncio.run(read())


def folded(table: Table) -> Folded:
    position = table.match.state.tobytes() if table.match else b""
    return Folded(table.seq, table.status, hashlib.sha256(position).hexdigest())


def run_data(database: str, what: str, file: Path) -> None:
    command = [sys.executable, "-m", "lampion", "data", what, str(file), "--database", database]
    subprocess.run(command, check=True, timeout=120, capture_output=True)


def compare_logs(one: Path, two: Path) -> None:
    def read(file: Path) -> list[tuple[object, ...]]:
        with contextlib.closing(sqlite3.connect(file)) as db:
            return db.execute("SELECT * FROM event ORDER BY table_id, seq").fetchall()

    assert read(one) == read(two)
    assert read(one)
