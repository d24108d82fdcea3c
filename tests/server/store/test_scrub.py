"""Overwriting unused parts of a SQLite file must never damage it, whatever the file is like."""

from __future__ import annotations

import io
import logging
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lampion.server.store import open_store, scrub
from lampion.server.store.base import StorageFailed
from lampion.server.store.scrub import FILE_HEADER, Scrubber, layout_of, unused_parts
from lampion.server.store.sqlite import without_server
from tests.server.store.support import opened, person_row, run

SECRET = "Ottokar-Xanthippe"
SCHEMA = """
    CREATE TABLE person (id TEXT PRIMARY KEY, name TEXT);
    CREATE INDEX ix_name ON person (name);
    CREATE TABLE event (t TEXT, seq INT, payload TEXT, PRIMARY KEY (t, seq)) WITHOUT ROWID;
    CREATE TABLE number (a INTEGER PRIMARY KEY, b BLOB);"""


class RecordedFile(io.FileIO):
    """Shows the file as it would be left by a process killed in the middle of each write."""

    def __init__(self, path: Path, random_: random.Random, *, garbage: bool = False) -> None:
        super().__init__(path, "r+")
        self.left: list[Path] = []
        self._path = path
        self._random = random_
        self._garbage = garbage

    def write(self, data: Any, /) -> int:
        if self._garbage:
            data = self._random.randbytes(len(data))
        elif len(self.left) < 5 and self._random.random() < 0.2:
            at = self.tell()
            super().write(data[: self._random.randrange(len(data))])
            self.seek(at)
            self.left.append(self._path.with_suffix(f".{len(self.left)}"))
            shutil.copyfile(self._path, self.left[-1])
        return super().write(data)


@pytest.fixture(autouse=True)
def short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrub, "STEP_SECONDS", 0.0)


def _create(path: Path, page_size: int = 4096, auto_vacuum: int = 0) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA page_size={page_size}")
        db.execute(f"PRAGMA auto_vacuum={auto_vacuum}")
        db.executescript(f"PRAGMA journal_mode=WAL; {SCHEMA}")


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA secure_delete=ON")
    db.execute("PRAGMA wal_autocheckpoint=20000")
    return db


def _write(db: sqlite3.Connection, random_: random.Random, times: int = 200) -> None:
    """Rows of all sizes come and go, in trees of all kinds."""
    db.execute("BEGIN")
    for _ in range(times):
        key = f"{random_.randrange(200)}"
        size = random_.choice((1, 5, 30, 100, 1000, 6000))
        what = random_.randrange(8)
        if what < 2:
            db.execute("REPLACE INTO person VALUES (?, ?)", (key, f"{SECRET} {key}" * (size // 9)))
        elif what < 5:
            event = (key[:1], random_.randrange(300), "e" * size)
            db.execute("REPLACE INTO event VALUES (?, ?, ?)", event)
        elif what < 6:
            number = (random_.randrange(2000), b"n" * (size % 99))
            db.execute("REPLACE INTO number VALUES (?, ?)", number)
        else:
            db.execute("DELETE FROM person WHERE id = ?", (key,))
            db.execute("DELETE FROM event WHERE t = ? AND seq < 150", (key[:1],))
            db.execute("DELETE FROM number WHERE a % 50 = ?", (random_.randrange(50),))
    db.execute("COMMIT")


def _rows(path: Path) -> list[list[Any]]:
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        tables = ("person", "event", "number")
        return [db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables]


def _steps(scrubber: Scrubber, path: Path) -> Iterator[None]:
    """A pass, each step on a new connection."""
    done = False
    while not done:
        with closing(_connect(path)) as db:
            done = scrubber.step(db)
        yield


@pytest.mark.parametrize("auto_vacuum", [0, 1, 2])
@pytest.mark.parametrize("page_size", [512, 1024, 4096, 65536])
def test_a_kill_in_the_middle_of_a_step_does_no_harm(
    tmp_path: Path,
    page_size: int,
    auto_vacuum: int,
) -> None:
    path, random_ = tmp_path / "a.db", random.Random(page_size + auto_vacuum)
    _create(path, page_size, auto_vacuum)
    keep_log = _connect(path)
    for _ in range(3):
        with closing(_connect(path)) as db:
            _write(db, random_)
            db.execute("DELETE FROM person")
        before = _rows(path)
        file = RecordedFile(path, random_)
        scrubber = Scrubber(path, lambda path, file=file: file)  # type: ignore[misc]
        for _ in _steps(scrubber, path):
            assert [_rows(left) for left in file.left] == [before] * len(file.left)
            file.left.clear()
        assert _rows(path) == before
        assert SECRET.encode() not in path.read_bytes()
        keep_log.close()
        scrubber.close()
        keep_log = _connect(path)
    keep_log.close()


@pytest.mark.parametrize("auto_vacuum", [0, 1])
@pytest.mark.parametrize("page_size", [512, 4096, 65536])
def test_no_byte_of_unused_parts_matters(tmp_path: Path, page_size: int, auto_vacuum: int) -> None:
    """The same changes, with garbage in the unused parts after each, lead to the same rows."""
    path, clean = tmp_path / "a.db", tmp_path / "clean.db"
    seeds = random.Random(page_size + auto_vacuum)
    for one in (path, clean):
        _create(one, page_size, auto_vacuum)
    for _ in range(3):
        seed = seeds.random()
        for one in (path, clean):
            with closing(_connect(one)) as db:
                _write(db, random.Random(seed))
        scrubber = Scrubber(path, lambda path: RecordedFile(path, seeds, garbage=True))
        for _ in _steps(scrubber, path):
            pass
        scrubber.close()
        assert _rows(path) == _rows(clean)


def test_the_locks_of_sqlite_outlive_a_step(tmp_path: Path) -> None:
    """POSIX forgets the locks of a process when it closes any handle of the file."""
    path = tmp_path / "a.db"
    _create(path)
    program = """if True:
        import sqlite3, sys
        try:
            print(sqlite3.connect(sys.argv[1], timeout=0).execute("PRAGMA journal_mode=DELETE")
                .fetchone()[0])
        except sqlite3.OperationalError as problem:
            print(problem)"""
    scrubber = Scrubber(path)
    with closing(_connect(path)) as writer:
        _write(writer, random.Random(1))
        while not scrubber.step(writer):
            pass
        other = subprocess.run(
            [sys.executable, "-c", program, str(path)],
            capture_output=True,
            text=True,
            check=True,
        )
        assert other.stdout == "database is locked\n"
    scrubber.close()


class Interrupted:
    """A connection; another program writes just before it takes the lock."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self._path = path

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> sqlite3.Cursor:
        if sql == "BEGIN IMMEDIATE":
            with closing(_connect(self._path)) as other:
                _write(other, random.Random(2))
        return self._db.execute(sql, values)

    def close(self) -> None:
        self._db.close()


def test_nothing_is_overwritten_while_the_log_holds_pages(tmp_path: Path) -> None:
    """A checkpoint could copy them to the file at the same time."""
    path = tmp_path / "a.db"
    _create(path)
    scrubber = Scrubber(path)
    with closing(_connect(path)) as db:
        _write(db, random.Random(1))
        db.execute("DELETE FROM person")
        assert not scrubber.step(db), "the first one only copies the log"
        before = path.read_bytes()
        assert not scrubber.step(Interrupted(db, path))
        assert path.read_bytes() == before
        while not scrubber.step(db):
            pass
        assert path.read_bytes() != before
    scrubber.close()
    _rows(path)


def test_a_log_with_zeros_at_its_end_is_no_problem(tmp_path: Path) -> None:
    """A power failure can leave them, in place of what was not written."""
    path = tmp_path / "a.db"
    _create(path, 512)
    scrubber = Scrubber(path)
    with closing(_connect(path)) as db:
        _write(db, random.Random(1))
        assert not scrubber.step(db)
        assert not scrubber.step(db), "there are more pages"
        _write(db, random.Random(2))
        with open(f"{path}-wal", "ab") as log:
            log.write(bytes(10 * (24 + 512)))
        while not scrubber.step(db):
            pass
    scrubber.close()
    _rows(path)


def test_the_pages_of_an_extension_are_left_alone(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Reserved bytes may hold a checksum of the whole page: nothing in it may change then."""
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript("PRAGMA user_version=1")
    page = bytearray(path.read_bytes())
    page[20], page[105:107] = 12, (4096 - 12).to_bytes(2)
    path.write_bytes(page)
    _create(path)
    with closing(_connect(path)) as db:
        _write(db, random.Random(1))
    before = path.read_bytes()
    assert layout_of(before[:FILE_HEADER]).reserved == 12
    scrubber = Scrubber(path)
    with caplog.at_level(logging.WARNING):
        for _ in _steps(scrubber, path):
            pass
    scrubber.close()
    assert path.read_bytes() == before
    assert "lampion data compact" in caplog.text


def test_maps_of_pages_are_where_sqlite_has_them(tmp_path: Path) -> None:
    """`dbstat` lists all pages but those of maps, free ones and the one for locks."""
    path = tmp_path / "a.db"
    _create(path, 512, auto_vacuum=1)
    with closing(_connect(path)) as db:
        _write(db, random.Random(1))
        used = {page for (page,) in db.execute("SELECT pageno FROM dbstat")}
        (count,) = db.execute("PRAGMA page_count").fetchone()
        assert db.execute("PRAGMA freelist_count").fetchone() == (0,)
    layout = layout_of(path.read_bytes()[:FILE_HEADER])
    assert {page for page in range(1, count + 1) if layout.may_hold_rows(page)} == used
    lock_page = 2**30 // 512 + 1
    assert not layout.may_hold_rows(lock_page)
    assert (lock_page - 2) % (512 // 5 + 1), "no map is moved by it"


def test_a_page_that_contradicts_itself_has_no_unused_parts() -> None:
    page = bytearray(512)
    page[0:7] = bytes([13, 1, 0, 0, 2, 0, 200])  # A free block at 256, two cells, content from 200.
    page[8:12] = bytes([0, 200, 1, 44])  # Cells at 200 and 300.
    page[256:260] = bytes([0, 0, 0, 20])
    assert unused_parts(bytes(page), 512, 0) == [(12, 200), (260, 276)]
    for at, value in ((9, 199), (11, 2), (259, 80), (257, 100), (5, 3), (6, 255)):
        damaged = bytearray(page)
        damaged[at] = value
        assert unused_parts(bytes(damaged), 512, 0) == [], at
    assert unused_parts(bytes(page[:300]), 512, 0) == [], "half a page"
    short = bytearray(page)
    short[256:260] = bytes([0, 0, 0, 3])
    assert unused_parts(bytes(short), 512, 0) == [], "a free block has four bytes at least"
    page[1:3] = bytes([1, 44])  # A free block where a cell is, with its end beyond the page.
    page[300:304] = bytes([0, 0, 1, 0])
    assert unused_parts(bytes(page), 512, 0) == []


def test_a_link_to_a_database_means_the_database(tmp_path: Path) -> None:
    path, link = tmp_path / "lampion.db", tmp_path / "link.db"
    link.symlink_to(path)

    async def story() -> None:
        async with opened(str(link)) as store:
            people = [person_row(f"{SECRET}{number}" * 20) for number in range(300)]
            for person in people:
                await store.add_person(person)
            await store.delete_people([person.id for person in people])
            for _ in range(100):
                if await store.scrub():
                    break
            assert await store.setting("scrub") is None
            with pytest.raises(StorageFailed, match="another process"):
                open_store(str(path))
            for name in (path, link):
                with pytest.raises(StorageFailed, match="another process"), without_server(name):
                    pass
        assert SECRET.encode() not in path.read_bytes()

    run(story())
