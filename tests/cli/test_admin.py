"""`lampion admin` as operators type it: beside a server, without one, from elsewhere, wrongly."""

from __future__ import annotations

import asyncio
import json
import stat
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from lampion.cli.admin import admin
from lampion.server.clock import Clock
from lampion.server.store import open_store
from lampion.server.store.base import AdminKeyRow
from tests.server.admin import command, done, drains, lines, start, started, typed
from tests.server.store.postgres import Postgres, running_postgres
from tests.server.support import Person, Server, close_clients, wait_for

SUBCOMMANDS = (
    "announce", "audit", "ban", "chat", "close", "delete", "delete-person", "drain", "key",
    "key new", "key list", "key revoke", "lift", "mute", "notices", "people", "person",
    "processes", "prune", "retry", "retry-notices", "sanctions", "status", "table", "tables",
)  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("admin")
    with started(str(folder / "lampion.db")) as running:
        yield running
    close_clients()


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_has_an_example(name: str) -> None:
    found = CliRunner().invoke(admin, [*name.split(), "--help"])
    assert found.exit_code == 0
    assert "Example" in found.stdout
    assert f"lampion admin {name}" in found.stdout


def test_every_subcommand_is_tested_here() -> None:
    assert {name.split()[0] for name in SUBCOMMANDS} == set(admin.commands)


def test_beside_a_server_it_needs_no_set_up(server: Server) -> None:
    database, ada = server.database, Person(server, "Ada")
    mode = Path(f"{database}.admin").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    table = ada.table("me", "novice")["id"]
    person = ada.call("GET", "/api/me")["id"]
    assert "1 running" in done(database, "status")
    assert typed(database, "table", table).stdout == done(database, "table", table)
    assert server.base in done(database, "processes")
    assert [each["id"] for each in lines(database, "tables", "ada", "--status", "running")] == [
        table
    ]
    assert "Ada" in done(database, "table", table)
    assert [each["id"] for each in lines(database, "people", "ada")] == [person]
    assert "127.0.0.1" in done(database, "person", person)
    ada.command({"id": table}, "say", text="hello \x1b[31myou")
    assert "hello  [31myou" in done(database, "chat", table, "--reason", "a complaint")
    assert f"Table {table} is closed." in done(database, "close", table, "--reason", "asked for it")
    assert "is deleted" in done(database, "delete", table, "--reason", "a test", "--yes")
    assert "Removed: 0 codes" in done(database, "prune")
    assert "is deleted" in done(
        database, "delete-person", person, "--reason", "asked for it", "--yes"
    )
    actions = [entry["action"] for entry in lines(database, "audit")]
    assert actions[:4] == ["delete-person", "prune", "delete", "close"]
    assert {entry["actor"] for entry in lines(database, "audit")} == {"local"}


def test_bans_mutes_and_announcements(server: Server) -> None:
    database, ada = server.database, Person(server, "Ada")
    person = ada.call("GET", "/api/me")["id"]
    (banned,) = lines(database, "ban", person, "--reason", "insults", "--for", "7d")
    assert banned["until_ms"] - banned["created_ms"] == 7 * 24 * 3600 * 1000
    assert ada.problem("GET", "/api/me")["code"] == "ban-in-force"
    assert "is muted until 2099-12-31" in done(
        database, "mute", "203.0.113.7", "--reason", "spam", "--until", "2099-12-31"
    )
    assert "insults" in done(database, "sanctions", person)
    done(database, "lift", banned["id"])
    assert done(database, "sanctions", person) == "No bans or mutes.\n"
    assert "lifted" in done(database, "sanctions", person, "--all")
    assert ada.call("GET", "/api/me")["id"] == person
    done(database, "announce", "Back soon", "--for", "2h")
    assert ada.call("GET", "/api/catalogue")["announcement"]["text"] == "Back soon"
    done(database, "announce", "--clear")
    assert ada.call("GET", "/api/catalogue")["announcement"] is None
    assert "yes" in done(database, "drain")
    assert drains(server)
    done(database, "drain", "--undo")
    assert not drains(server)


def test_a_key_reaches_a_server_from_elsewhere(server: Server) -> None:
    key = done(server.database, "key", "new", "--label", "laptop", "--for", "30d").strip()
    (listed,) = [
        each for each in lines(server.database, "key", "list") if each["label"] == "laptop"
    ]
    assert command("", "status", "--server", server.base, key=key).returncode == 0
    by_variable = command("", "status", key=key, LAMPION_ADMIN_SERVER=server.base)
    assert by_variable.returncode == 0, by_variable.stderr
    assert "revoked" in done(server.database, "key", "revoke", listed["id"])
    _check_refused(command("", "status", "--server", server.base, key=key), "not-an-admin")


def _check_refused(found: object, code: str) -> None:
    """One line that says why, and exit code 1."""
    assert found.returncode == 1, found  # type: ignore[attr-defined]
    assert found.stdout == ""  # type: ignore[attr-defined]
    (line,) = found.stderr.splitlines()  # type: ignore[attr-defined]
    assert line.startswith("lampion: ")
    assert line.endswith(f"[{code}]")


def test_what_cannot_be_done_is_said_in_one_line(server: Server, tmp_path: Path) -> None:
    database = server.database
    _check_refused(command("", "status", "--server", server.base), "no-key")
    _check_refused(command("", "status", "--server", server.base, key="wrong"), "not-an-admin")
    _check_refused(command("", "status", "--server", "http://127.0.0.1:9", key="any"), "no-server")
    _check_refused(command("", "status", "--server", "lampion.example", key="any"), "bad-server")
    _check_refused(command(str(tmp_path / "none.db"), "status"), "no-database")
    _check_refused(command(database, "table", "nothing-here"), "no-table")
    _check_refused(command(database, "table", "x"), "invalid-message")
    _check_refused(typed(database, "retry", "nothing-here"), "no-table")
    _check_refused(command(database, "ban", "nobody", "--reason", "x"), "no-person")
    _check_refused(command(database, "drain", "--process", "elsewhere"), "no-process")
    text = tmp_path / "text.db"
    text.write_text("not a database " * 100)
    _check_refused(command(str(text), "status"), "not-a-database")


@pytest.mark.parametrize(
    "words",
    ["ban x --reason y --for soon", "ban x --reason y --until never", "ban x", "announce",
     "announce hello --clear", "close x", "tables --status odd", "key new", "nonsense"],
)  # fmt: skip
def test_a_wrong_command_line_ends_with_two(words: str) -> None:
    found = CliRunner().invoke(admin, words.split())
    assert found.exit_code == 2


def test_an_id_that_begins_with_a_dash_is_not_an_option(server: Server) -> None:
    """Ids are random: one in 64 does."""
    for name in ("-0abcdefghij", "--abcdefghij"):
        _check_refused(command(server.database, "table", name), "no-table")
        _check_refused(command(server.database, "ban", name, "--reason", "x"), "no-person")
    assert CliRunner().invoke(admin, ["close", "x", "--resaon", "y"]).exit_code == 2


def test_deleting_asks_first(server: Server) -> None:
    table = Person(server, "Ada").table("me", "open")["id"]
    refused = command(server.database, "delete", table, "--reason", "x")
    assert refused.returncode == 1
    assert "Aborted" in refused.stderr
    assert done(server.database, "table", table)


def test_without_a_server_it_works_on_the_database(tmp_path: Path) -> None:
    database = str(tmp_path / "lampion.db")
    with started(database) as server:
        ada, milo = Person(server, "Ada"), Person(server, "Milovan")
        table = ada.table("me", "open")
        milo.join(table)
        other = ada.table("me", "novice")["id"]
        person = milo.call("GET", "/api/me")["id"]
    assert not Path(f"{database}.admin").exists(), "removed when the server stops"
    found = command(database, "status")
    assert "2 running" in found.stdout
    assert "No server is running" in found.stderr
    done(database, "close", other, "--reason", "asked for it")
    done(database, "delete-person", person, "--reason", "asked for it", "--yes")
    done(database, "ban", "203.0.113.7", "--reason", "floods", "--for", "7d")
    done(database, "announce", "Back soon")
    key = done(database, "key", "new", "--label", "later").strip()
    assert command(database, "drain").returncode == 1
    assert [entry["action"] for entry in lines(database, "audit")][-5:][0] == "new-key"
    assert all("(no server)" in entry["actor"] for entry in lines(database, "audit"))
    files = [path for path in tmp_path.iterdir() if path.name.startswith("lampion.db")]
    assert not any(b"Milovan" in path.read_bytes() for path in files), "no byte of the name is left"
    with start(server):
        assert ada.info({"id": other})["result"]["reason"] == "stopped"
        assert ada.info(table)["seats"][1]["stand_in"], "a bot took the seat"
        assert ada.call("GET", "/api/catalogue")["announcement"]["text"] == "Back soon"
        assert (
            command("", "sanctions", "--server", server.base, key=key).stdout.count("floods") == 1
        )
    close_clients()


def test_a_file_that_a_killed_server_left_does_no_harm(tmp_path: Path) -> None:
    database = str(tmp_path / "lampion.db")
    with started(database) as server:
        server.kill()
    assert Path(f"{database}.admin").exists()
    assert "No server is running" in command(database, "status").stderr
    wait_for(lambda: "none: no server" in done(database, "status"))  # its last beat is forgotten


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as running:
        yield running


def test_on_postgres_it_finds_a_process_through_the_database(postgres: Postgres) -> None:
    database = postgres.create("lampion_admin")
    with started(database) as one, started(database) as two:
        wait_for(lambda: len(lines(database, "processes")) == 2)
        table = Person(two, "Ada").table("me", "novice")["id"]
        done(database, "close", table, "--reason", "asked for it")
        assert [each["draining"] for each in lines(database, "drain")] == [True, True]
        actors = {entry["actor"] for entry in lines(database, "audit")}
        assert all(actor.startswith("command of ") for actor in actors)
        assert lines(database, "key", "list")[0]["label"].startswith("command of "), (
            "its own, for this moment"
        )
        one.stop()
        two.stop()
    found = wait_for(lambda: json.loads(done(database, "status", "--json")))
    assert (found["processes"], found["tables"]["stopped"]) == (0, 1)
    close_clients()


def test_a_postgres_that_is_away_is_one_line() -> None:
    _check_refused(command("postgresql://nobody@127.0.0.1:9/none", "status"), "storage-unreachable")


def test_a_server_whose_admin_api_is_off_is_named(tmp_path: Path) -> None:
    database = str(tmp_path / "lampion.db")
    with started(database, "--no-admin") as server:
        _check_refused(command(database, "status"), "admin-off")
        _check_refused(command("", "status", "--server", server.base, key="any"), "admin-off")
        Path(f"{database}.admin").write_text("{}")
        _check_refused(command(database, "status"), "no-server")
        Path(f"{database}.admin").unlink()


def test_two_keys_of_one_label_are_distinguished_by_their_ids(server: Server) -> None:
    database = server.database
    for _ in range(2):
        done(database, "key", "new", "--label", "twin")
    _check_refused(command(database, "key", "revoke", "twin"), "ambiguous-key")
    twins = [each["id"] for each in lines(database, "key", "list") if each["label"] == "twin"]
    for one in twins:
        done(database, "key", "revoke", one)
    _check_refused(command(database, "key", "revoke", "twin"), "no-key")
    assert command(database, "key", "new", "--label", "two\nlines").returncode == 1


def test_notices_are_listed_and_only_failed_ones_tried_again(server: Server) -> None:
    database = server.database
    assert lines(database, "notices") == []
    _check_refused(command(database, "retry-notices", "nothing"), "no-notice")
    assert "0 notices" in done(database, "retry-notices")


class Strange(BaseHTTPRequestHandler):
    """A site that is no Lampion: it redirects, fails, or says something else."""

    answers: Iterator[tuple[int, bytes]] = iter(())

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        status, body = next(type(self).answers)
        self.send_response(status)
        self.send_header("Location", "http://127.0.0.1:9/")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_site_that_is_no_lampion_never_gets_a_second_request() -> None:
    """A redirect would carry the key to another machine."""
    with HTTPServer(("127.0.0.1", 0), Strange) as site:
        Strange.answers = iter([(302, b""), (500, b"oh"), (200, b"<html>"), (200, b'{"x":1}')])
        url = f"http://localhost:{site.server_port}"
        for _ in range(4):
            thread = threading.Thread(target=site.handle_request)
            thread.start()
            found = command("", "status", "--server", url, key="any")
            thread.join()
            _check_refused(found, "not-lampion")


def test_on_postgres_a_key_may_be_given_and_processes_elsewhere_are_named(
    postgres: Postgres,
) -> None:
    database = postgres.create("lampion_far")
    with started(database) as server:
        key = done(database, "key", "new", "--label", "mine").strip()
        assert command(database, "status", key=key).returncode == 0
        _check_refused(command(database, "status", key="wrong"), "not-an-admin")
        assert server.base in done(database, "processes")

    async def far_away() -> None:
        """Two processes on another machine: one tells its own loopback, nobody answers for the other."""
        store = open_store(database)
        now_ms = Clock().now_ms()
        for number, url in enumerate(("http://127.0.0.1:9", "http://localhost.invalid:9")):
            await store.beat(f"elsewhere/{number}/x", now_ms + 60_000, url)
        await store.add_admin_key(AdminKeyRow("old", "command of ada@lake", 1, 2))
        await store.add_admin_key(AdminKeyRow("kept", "a key of its own", 1, None))
        await store.close()

    asyncio.run(far_away())
    found = command(database, "status")
    _check_refused(found, "no-server")
    assert "elsewhere/0/x, elsewhere/1/x" in found.stderr

    async def labels() -> set[str]:
        store = open_store(database)
        rows = await store.admin_keys()
        await store.close()
        return {row.label for row in rows}

    assert asyncio.run(labels()) == {"mine", "a key of its own"}, "none of a command is left"
