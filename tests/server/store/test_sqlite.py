"""What only SQLite can get wrong: its file, its one writer, a full disk, bytes that stay behind."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lampion.server.store import default_database, open_store
from lampion.server.store.base import (
    Appended,
    SeatKind,
    SeatRow,
    StorageFailed,
    Store,
    TokenKind,
    TokenRow,
)
from lampion.server.store.scrub import unused_parts
from lampion.server.store.sqlite import SqliteBackend
from lampion.server.store.sqlstore import SqlStore
from tests.server.store.support import (
    events,
    opened,
    person_row,
    run,
    table_row,
    two_seats,
    with_tables,
)

SECRET_NAME = "Ottokar-Xanthippe"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of three megabytes."""
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "none", str(tmp_path)],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("only root can mount a small disk")
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_a_commit_is_synced_and_a_reader_cannot_write(tmp_path: Path) -> None:
    backend = SqliteBackend(tmp_path / "lampion.db")
    writer, reader = backend.connect(), backend.reader()
    assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert writer.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM event")
    reader.close()
    writer.close()
    backend.close()


def test_a_second_process_is_turned_away(sqlite_url: str) -> None:
    async def story() -> None:
        async with opened(sqlite_url):
            with pytest.raises(StorageFailed, match="database-in-use"):
                open_store(sqlite_url)
        async with opened(sqlite_url):
            pass

    asyncio.run(story())


def test_the_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "new" / "lampion.db")) as store:
            await with_tables(store, ["table1"])
            files = {
                path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").iterdir()
            }
            assert {files[name] for name in ("lampion.db", "lampion.db-wal", "lampion.db-shm")} == {
                0o600,
            }
            assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
        left = {path.name for path in (tmp_path / "new").iterdir()}
        assert left == {"lampion.db", "lampion.db.lock"}, "a closed store leaves no write-ahead log"

    asyncio.run(story())


def test_a_temporary_store_goes_when_it_is_closed() -> None:
    async def story() -> None:
        store = open_store(":memory:")
        assert isinstance(store, SqlStore) and isinstance(store._backend, SqliteBackend)
        path = store._backend.path
        assert path.exists()
        await store.close()
        assert not path.parent.exists()

    asyncio.run(story())


def test_a_file_that_is_no_database_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ada, " * 200)
    with pytest.raises(StorageFailed, match="not-a-database"):
        open_store(str(path))
    assert path.read_text() == "Dear Ada, " * 200


def test_unknown_kinds_of_database_are_refused() -> None:
    with pytest.raises(StorageFailed, match="unknown-database"):
        open_store("mysql://localhost/lampion")


def test_the_database_is_named_by_the_environment_or_lies_with_the_data(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LAMPION_DATABASE", "postgresql://somewhere/lampion")
    assert default_database() == "postgresql://somewhere/lampion"
    monkeypatch.delenv("LAMPION_DATABASE")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setattr("sys.platform", "linux")
    assert default_database() == "/data/lampion/lampion.db"
    monkeypatch.setattr("sys.platform", "darwin")
    assert default_database().endswith("/Library/Application Support/Lampion/lampion.db")


def test_no_byte_of_a_deleted_person_is_left(tmp_path: Path) -> None:
    """With enough rows that the name was on pages which were split, moved and freed."""

    async def story() -> None:
        async with opened(str(tmp_path / "lampion.db")) as store:
            await store.add_person(person_row(SECRET_NAME))
            await store.add_token(TokenRow("hash", f"id-{SECRET_NAME}", TokenKind.COOKIE, 1))
            for number in range(40):
                name = f"table{number * 7919 % 40}"
                await store.create_table(table_row(name, host=f"id-{SECRET_NAME}"), two_seats(name))
                seat = SeatRow(name, 0, SeatKind.PERSON, f"id-{SECRET_NAME}", None, SECRET_NAME)
                assert await store.set_seat(seat, expect_kind=SeatKind.OPEN)
                for at in range(5):
                    await store.add_chat(
                        name,
                        at,
                        f"id-{SECRET_NAME}",
                        0,
                        f"{SECRET_NAME} says {at}" * 20,
                    )
            await store.rename(f"id-{SECRET_NAME}", f"Baron {SECRET_NAME}")
            assert _found(tmp_path), "the search finds what is there"
            await store.delete_person(f"id-{SECRET_NAME}")
            while not await store.scrub():
                pass
            assert not _found(tmp_path)
            assert len(await store.public_tables(100)) == 40
        assert not _found(tmp_path)

    asyncio.run(story())


def test_copies_of_deleted_rows_are_overwritten_wherever_they_are(tmp_path: Path) -> None:
    """SQLite leaves such copies in the unused parts of pages; here, all of them are full of it."""
    path = tmp_path / "lampion.db"

    async def fill() -> None:
        async with opened(str(path)) as store:
            await store.add_person(person_row("Ada"))
            for number in range(60):
                await with_tables(store, [f"table{number}"])
                await store.append(f"table{number}", 0, events(*"x" * 20, "y" * 9000))
                for at in range(6):
                    await store.add_chat(f"table{number}", at, "id-Ada", 0, "hello " * 40)
            for number in range(0, 60, 2):
                await store.delete_table(f"table{number}")

    async def scrub() -> None:
        async with opened(str(path)) as store:
            before = await _everything(store)
            while not await store.scrub():
                pass
            assert not _found(tmp_path)
            assert await _everything(store) == before
            await store.append("table1", 21, events("on"))
        assert not _found(tmp_path)

    asyncio.run(fill())
    assert _put_into_unused_parts(path, SECRET_NAME.encode()) > 50
    assert _found(tmp_path)
    asyncio.run(scrub())
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


def _put_into_unused_parts(path: Path, secret: bytes) -> int:
    """How often it found room for it."""
    content = bytearray(path.read_bytes())
    size = int.from_bytes(content[16:18])
    count = 0
    for start in range(0, len(content), size):
        page = bytes(content[start : start + size])
        for begin, end in unused_parts(page, size, 0 if start else 100):
            if end - begin >= len(secret):
                content[start + begin : start + begin + len(secret)] = secret
                content[start + end - len(secret) : start + end] = secret
                count += 1
    path.write_bytes(content)
    return count


async def _everything(store: Store) -> list[object]:
    tables = [row.id for row in await store.search_tables(limit=100)]
    logs = [await store.read(table) for table in tables]
    return [tables, logs, [await store.chat(table) for table in tables]]


def test_nothing_comes_back_while_others_write(tmp_path: Path) -> None:
    """Deletions that are still to come are scrubbed, too, by the same pass or by the next."""

    async def write(store: Store, table: str, stop: asyncio.Event) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            await store.add_person(person_row(f"{table}-{number}"))
            line = "noise " * (number % 50)
            await store.add_chat(table, 1, f"id-{table}-{number}", 0, line)
            if number % 7 == 0:
                await store.delete_person(f"id-{table}-{number}")

    async def story() -> None:
        random_ = random.Random(1)
        async with opened(str(tmp_path / "lampion.db")) as store:
            names = [f"table{number}" for number in range(4)]
            await with_tables(store, names)
            doomed = [person_row(f"{random_.random()} {SECRET_NAME} {n}") for n in range(40)]
            for person in doomed:
                await store.add_person(person)
                key = f"{random_.getrandbits(40):x}{SECRET_NAME}"
                await store.add_token(TokenRow(key, person.id, TokenKind.COOKIE, 1))
            stop = asyncio.Event()
            writers = [asyncio.ensure_future(write(store, name, stop)) for name in names]
            for _ in range(150):
                person, line = random_.choice(doomed), f"{SECRET_NAME} " * random_.randrange(60)
                await store.add_chat(random_.choice(names), 1, person.id, 0, line)
            await store.delete_people([person.id for person in doomed])
            for _ in range(2):
                await store.scrub()
            stop.set()
            await asyncio.gather(*writers)
            while not await store.scrub():
                pass
            assert not _found(tmp_path)

    run(story())


def test_a_reader_who_takes_long_holds_up_the_scrubbing_only(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "lampion.db")) as store:
            await with_tables(store, ["table1"])
            await store.add_person(person_row(SECRET_NAME))
            reader = sqlite3.connect(f"file:{tmp_path}/lampion.db?mode=ro", uri=True)
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM person").fetchone() == (1,)
            await store.delete_person(f"id-{SECRET_NAME}")
            assert not await store.scrub(), "the write-ahead log is in use"
            assert await store.append("table1", 0, events("on")) == Appended(1)
            reader.close()
            while not await store.scrub():
                pass
            assert not _found(tmp_path)

    run(story())


def test_a_scrubbing_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "lampion.db")) as store:
            await store.add_person(person_row(SECRET_NAME))
            await store.delete_person(f"id-{SECRET_NAME}")
        async with opened(str(tmp_path / "lampion.db")) as store:
            assert await store.setting("scrub") is not None
            while not await store.scrub():
                pass
            assert await store.setting("scrub") is None
            assert not _found(tmp_path)

    run(story())


def _found(folder: Path) -> list[str]:
    files = folder.iterdir()
    return [path.name for path in files if SECRET_NAME.encode() in path.read_bytes()]


async def _refused_when_full(store: Store) -> int:
    """Append until there is no space; returns the length of the log."""
    length = 0
    while True:
        try:
            assert await store.append("table1", length, events("x" * 2000)) == Appended(length + 1)
            length += 1
        except StorageFailed as problem:
            assert problem.code == "storage-full"
            break
    several = await asyncio.gather(
        *(store.append("table1", length, events("y" * 50_000)) for _ in range(5)),
        return_exceptions=True,
    )
    assert [isinstance(problem, StorageFailed) and problem.code for problem in several] == [
        "storage-full",
    ] * 5
    assert len(await store.read("table1")) == length, "nothing that was refused is there"
    assert await store.table("table1") == table_row(), "and reading goes on"
    return length


def test_a_full_database_refuses_and_goes_on_when_there_is_space(sqlite_url: str) -> None:
    async def story() -> None:
        store = open_store(sqlite_url)
        assert isinstance(store, SqlStore)
        await with_tables(store, ["table1"])
        await store._writer.do(
            lambda db: db.execute("PRAGMA max_page_count=100").fetchone(),
            alone=True,
        )
        length = await _refused_when_full(store)
        await store._writer.do(
            lambda db: db.execute("PRAGMA max_page_count=100000").fetchone(),
            alone=True,
        )
        assert await store.append("table1", length, events("y" * 50_000)) == Appended(length + 1)
        await store.close()

    run(story())


def test_a_full_disk_refuses_and_goes_on_when_there_is_space(small_disk: Path) -> None:
    async def story() -> None:
        ballast = small_disk / "ballast"
        ballast.write_bytes(bytes(2_000_000))
        async with opened(str(small_disk / "lampion.db")) as store:
            await with_tables(store, ["table1"])
            length = await _refused_when_full(store)
            ballast.unlink()
            assert await store.append("table1", length, events("y" * 50_000)) == Appended(
                length + 1,
            )
            await store.add_person(person_row("Ada"))
            await store.delete_person("id-Ada")
            while not await store.scrub():
                pass
        async with opened(str(small_disk / "lampion.db")) as store:
            assert len(await store.read("table1")) == length + 1

    run(story())


def test_a_transaction_of_a_stranger_is_waited_for(sqlite_url: str, tmp_path: Path) -> None:
    """An operator who opens the file with another tool delays the writer, nothing more."""

    async def story() -> None:
        async with opened(sqlite_url) as store:
            await with_tables(store, ["table1"])
            stranger = sqlite3.connect(tmp_path / "lampion.db", isolation_level=None)
            stranger.execute("BEGIN IMMEDIATE")
            waiting = asyncio.ensure_future(store.append("table1", 0, events("x")))
            await asyncio.sleep(0.2)
            assert not waiting.done() and await store.read("table1") == []
            stranger.execute("ROLLBACK")
            stranger.close()
            assert await waiting == Appended(1)

    run(story())
