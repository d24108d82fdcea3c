"""`lampion data` as people type it."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lampion.cli.main import main
from lampion.core.fairness import commitment
from lampion.core.game import find_game
from lampion.server.store import migrate
from lampion.server.store.base import Appended, SeatKind, SeatRow, TableRow, TableStatus
from lampion.server.tables import commands
from lampion.server.tables.table import Table
from tests.server.store.support import events, opened, table_row, two_seats
from tests.support import GAMES

SEED = bytes(range(32))


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["data", *words])


def played(game: str) -> tuple[Table, list[SeatRow]]:
    """A whole game at a table of two bots, each taking the first legal action."""
    rules = find_game(game)
    row = TableRow(
        f"table-{game}", game, 2, rules.RULES_VERSION, "{}", True, '{"kind":"none"}', TableStatus.OPEN, SEED.hex(), commitment(SEED), 1, 1,
    )  # fmt: skip
    seats = [SeatRow(row.id, seat, SeatKind.BOT, None, "easy", "Bot") for seat in range(2)]
    table = Table(row, seats)
    commands.start(table, 1)
    while table.status == "running":
        assert table.match is not None
        seat = table.actors[0]
        commands.play_bot(table, seat, int(table.match.legal_ids(seat)[0]), 2)
    return table, seats


@pytest.fixture
def database(tmp_path: Path) -> str:
    """One finished game of each kind, one with a damaged log, one that is still open."""

    async def fill() -> None:
        async with opened(str(tmp_path / "lampion.db")) as store:
            for game in GAMES:
                table, seats = played(game)
                new = table.take_new()
                await store.create_table(table.row, seats)
                assert await store.append(
                    table.id, 0, new, status=TableStatus.FINISHED
                ) == Appended(len(new))
            for name, status in (("damaged", TableStatus.FINISHED), ("waiting", TableStatus.OPEN)):
                await store.create_table(table_row(name, status=status), two_seats(name))
            await store.append("damaged", 0, events("nonsense"))

    asyncio.run(fill())
    return str(tmp_path / "lampion.db")


def test_backup_restore_and_export_keep_every_game(database: str, tmp_path: Path) -> None:
    backup, copy, out = (str(tmp_path / name) for name in ("backup.db", "copy.db", "games.jsonl"))
    assert run("backup", backup, "--database", database).exit_code == 0
    restored = run("restore", backup, "--database", f"sqlite:///{copy}")
    assert restored.exit_code == 0 and f"{len(GAMES) + 2} tables" in restored.stderr
    exported = run("export", "--out", out, "--database", copy)
    assert exported.exit_code == 0 and f"{len(GAMES)} game" in exported.stderr, exported.output
    records = Path(out).read_text().splitlines()
    assert sorted(json.loads(line)["game"] for line in records) == sorted(GAMES)
    assert run("export", "--database", database).stdout.splitlines() == records
    checked = CliRunner().invoke(main, ["verify", out])
    assert checked.exit_code == 0 and all(
        json.loads(line)["fair"] for line in checked.stdout.splitlines()
    )


def test_mistakes_end_with_one_line(database: str, tmp_path: Path) -> None:
    backup = str(tmp_path / "backup.db")
    for words, code in (
        (["backup", backup, "--database", str(tmp_path / "none.db")], "no-database"),
        (["backup", database, "--database", database], "file-exists"),
        (["restore", backup], "no such file"),
        (["restore", database, "--database", database], "database-in-use|database-not-empty"),
        (["export", "--database", "mysql://x"], "unknown-database|no-database"),
    ):
        result = CliRunner(env={"LAMPION_DATABASE": str(tmp_path / "new.db")}).invoke(
            main, ["data", *words]
        )
        assert result.exit_code == 1 and result.stderr.count("\n") == 1, result.output
        assert any(part in result.stderr.lower() for part in code.split("|")), result.stderr


def test_the_environment_names_the_database(database: str, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    result = CliRunner(env={**os.environ, "LAMPION_DATABASE": database}).invoke(
        main, ["data", "backup", str(backup)]
    )
    assert result.exit_code == 0 and backup.exists()


def _revision(database: str) -> str:
    db = sqlite3.connect(database)
    found: str = db.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    db.close()
    return found


def test_a_rollback_says_what_it_drops_and_asks(database: str, tmp_path: Path) -> None:
    asked = run("rollback", "--to", "0001", "--database", database)
    assert asked.exit_code == 1 and "would drop: positions that players practice" in asked.stderr
    assert "e-mail addresses" in asked.stderr
    assert "recovery phrases" in asked.stderr
    assert "which games players have hidden" in asked.stderr
    assert "Nothing has changed" in asked.stderr and _revision(database) == migrate.revisions()[-1]
    done = run("rollback", "--to", "0001", "--yes", "--database", database)
    assert done.exit_code == 0 and "bans and mutes, the audit log" in done.stderr, done.output
    assert _revision(database) == "0001"
    again = run("rollback", "--to", "0001", "--yes", "--database", database)
    assert again.exit_code == 1 and "rolled back to: none" in again.stderr
    out = tmp_path / "games.jsonl"
    assert run("export", "--out", str(out), "--database", database).exit_code == 0
    assert len(out.read_text().splitlines()) == len(GAMES), "no game is lost"


def test_a_database_is_compacted(database: str) -> None:
    async def shrink() -> None:
        async with opened(database) as store:
            await store.create_table(table_row("large"), two_seats("large"))
            await store.append("large", 0, events("x" * 500_000))
            await store.delete_table("large")

    asyncio.run(shrink())
    before = Path(database).stat().st_size
    assert run("compact", "--database", database).exit_code == 0
    assert Path(database).stat().st_size < before - 400_000


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.db")
    for command in (
        ["rollback", "--to", "0001"],
        ["rollback", "--to", "0001", "--yes"],
        ["compact"],
    ):
        refused = run(*command, "--database", missing)
        assert refused.exit_code == 1 and "no database yet" in refused.stderr
    assert list(tmp_path.iterdir()) == []
