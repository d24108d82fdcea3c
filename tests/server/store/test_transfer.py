"""Backup while the game goes on, restore into either store, export of finished games."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from lampion.server.store import open_backend
from lampion.server.store.base import (
    AdminKeyRow,
    Appended,
    AuditRow,
    Calls,
    ChallengeRow,
    Event,
    ExerciseRow,
    Mark,
    Notice,
    NoticeKind,
    OutcomeRow,
    PasskeyRow,
    ReachRow,
    RecoveryRow,
    SanctionRow,
    SeatKind,
    SeatRow,
    StorageFailed,
    Store,
    TableRow,
    TableStatus,
    TokenKind,
    TokenRow,
    VacationRow,
    WayKind,
    WayRow,
)
from lampion.server.store.care import back_up, export, restore
from lampion.server.store.schema import metadata
from lampion.server.store.transfer import records
from tests.server.store.postgres import Postgres
from tests.server.store.support import (
    events,
    opened,
    person_row,
    run,
    table_row,
    two_seats,
    with_tables,
)


async def _full(store: Store) -> None:
    """Some of everything."""
    await store.add_person(person_row("Ada"))
    await store.add_token(TokenRow("hash", "id-Ada", TokenKind.BOT, 2))
    for number in range(30):
        name = f"table{number:02d}"
        await store.create_table(
            table_row(name, host="id-Ada" if number % 2 else None), two_seats(name)
        )
        await store.append(
            name,
            0,
            [*events("é" * number, command="c"), *events(*"xyz")],
            status=TableStatus.FINISHED if number % 3 else None,
        )
    await store.mark("table01", "id-Ada", Mark.HIDDEN)
    await store.set_seat(
        SeatRow("table03", 0, SeatKind.PERSON, "id-Ada", None, "Ada"), expect_kind=SeatKind.OPEN
    )
    await store.add_chat("table03", 7, "id-Ada", None, "good luck")
    await store.beat("me", 5, "http://127.0.0.1:1")
    await store.create_table(table_row("rematch"), two_seats("rematch"), after="table03")
    await store.update_table("table05", problem="a damaged event")
    await store.add_sanction(
        SanctionRow("s1", "ban", "address", "10.0.0.0/8", "rude", 5, until_ms=9)
    )
    await store.add_audit(AuditRow("a1", 6, "operator", "ban", "10.0.0.0/8", "{}"))
    await store.add_admin_key(AdminKeyRow("hash", "laptop", 7, 2**40))
    await store.set_setting("announcement", "Café")
    await store.set_recovery(RecoveryRow("id-Ada", "amber", "salt", "hash", 8))
    await store.add_passkey(PasskeyRow("key", "id-Ada", "public", 2**33, "phone", 9))
    await store.add_challenge(ChallengeRow("hash", "add", "id-Ada", 2**40))
    await store.add_outcomes([OutcomeRow("table01", 10, "end", "[3, 2]", "[1, 2]", "[0]")])
    await store.add_person(person_row("Ben"))
    await store.block("id-Ada", "id-Ben")
    row = ExerciseRow("id-Ada", "e1", "lanterns", 2, 0, 30, "{}", 11, 12, '{"é": 1}', 13)
    await store.keep_exercises("id-Ada", [(row, '{"game": "é"}')])
    await store.set_reach(ReachRow("id-Ada", "fr", "Europe/Rome", 60, 120, 5, "over"))
    await store.set_vacations("id-Ada", [VacationRow("id-Ada", 11, 12)])
    await store.add_way(WayRow("way", "id-Ada", WayKind.PUSH, "https://push", "{}", 13, 14))
    notice = Notice("id-Ada", NoticeKind.TURN, due_ms=15, ply=4)
    await store.append("table09", 4, events("told"), calls=Calls([notice]))


def _refuses_changes_of_audit(url: str) -> None:
    """Also after a restore."""
    backend = open_backend(url)
    db = backend.connect()
    for change in ("UPDATE audit SET details = ''", "DELETE FROM audit"):
        with pytest.raises(Exception, match="append-only"):
            db.execute(change)
    assert db.execute("SELECT id FROM audit").fetchall() == [("a1",)]
    db.close()
    backend.close()


def _everything(path: Path) -> dict[str, list[Any]]:
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    found = {
        name: sorted(map(repr, db.execute(f"SELECT * FROM {name}"))) for name in metadata.tables
    }
    db.close()
    return found


@pytest.mark.parametrize("target", ["sqlite", "postgres"])
def test_a_backup_of_either_store_restores_into_either(
    url: str, target: str, tmp_path: Path, postgres: Postgres
) -> None:
    async def story() -> None:
        first, second = tmp_path / "first.db", tmp_path / "second.db"
        async with opened(url) as store:
            await _full(store)
            await store.backup(first)
        other = str(tmp_path / "other.db") if target == "sqlite" else postgres.create("other")
        assert restore(other, first) == 31
        async with opened(other) as store:
            await store.backup(second)
            assert await store.append("table00", 4, events("on")) == Appended(5)
        _refuses_changes_of_audit(other)
        assert _everything(first) == _everything(second)
        assert all(_everything(first).values()), "nothing was left out"
        assert first.stat().st_mode & 0o777 == 0o600
        assert {path.name for path in tmp_path.glob("first*")} == {"first.db"}, "one file"

    asyncio.run(story())


def test_a_backup_is_of_one_moment_while_play_goes_on(url: str, tmp_path: Path) -> None:
    async def play(store: Store, name: str) -> None:
        for seen in range(0, 400, 2):
            assert await store.append(name, seen, events("a", "b")) == Appended(seen + 2)

    async def story() -> None:
        names = [f"table{number}" for number in range(5)]
        async with opened(url) as store:
            await with_tables(store, names)
            players = asyncio.gather(*(play(store, name) for name in names))
            for number in range(3):
                await asyncio.sleep(0.02)
                await store.backup(tmp_path / f"{number}.db")
            await players
        for number in range(3):
            db = sqlite3.connect(tmp_path / f"{number}.db")
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            counts = db.execute("SELECT count(*), max(seq) FROM event GROUP BY table_id").fetchall()
            assert all(count == last and count % 2 == 0 for count, last in counts)
            db.close()

    run(story())


def test_nothing_is_overwritten(url: str, tmp_path: Path) -> None:
    async def story() -> None:
        path = tmp_path / "backup.db"
        async with opened(url) as store:
            await with_tables(store, ["table1"])
            await store.backup(path)
            before = path.read_bytes()
            with pytest.raises(StorageFailed, match="file-exists"):
                await store.backup(path)
            assert path.read_bytes() == before
        with pytest.raises(StorageFailed, match="database-not-empty"):
            restore(url, path)

    asyncio.run(story())


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    letter, other, cut = tmp_path / "letter.db", tmp_path / "other.db", tmp_path / "cut.db"
    letter.write_text("Dear Ada, " * 100)
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE something (x INTEGER)")
    db.close()

    async def story() -> None:
        async with opened(":memory:") as store:
            await _full(store)
            await store.backup(tmp_path / "whole.db")

    asyncio.run(story())
    cut.write_bytes((tmp_path / "whole.db").read_bytes()[:20_000])
    for path in (letter, other, cut):
        with pytest.raises(StorageFailed, match="not-a-database"):
            restore(str(tmp_path / "new.db"), path)


def test_all_finished_games_are_exported(url: str) -> None:
    def record_of(row: TableRow, seats: list[SeatRow], log: list[Event]) -> str:
        return json.dumps([row.id, len(seats), [event.payload for event in log]])

    async def story() -> list[Any]:
        async with opened(url) as store:
            await _full(store)
            return [json.loads(line) async for line in records(store, record_of, page_size=7)]

    assert asyncio.run(story()) == [
        [f"table{n:02d}", 2, ["é" * n, *"xyz"]] for n in range(30) if n % 3
    ]


def test_a_database_in_use_is_backed_up_and_exported_from_outside(url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(url) as store:
            await _full(store)
            back_up(url, tmp_path / "backup.db")
            exported = [line async for line in export(url, lambda row, seats, log: row.id)]
            assert len(exported) == 20
            assert await store.append("table00", 4, events("on")) == Appended(5)
        assert len(_everything(tmp_path / "backup.db")["game_table"]) == 31

    asyncio.run(story())


def test_a_backup_makes_no_database(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="no-database"):
        back_up(str(tmp_path / "lampion.db"), tmp_path / "backup.db")
    assert list(tmp_path.iterdir()) == []
