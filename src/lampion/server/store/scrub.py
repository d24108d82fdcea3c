"""Leave no byte of deleted rows in a SQLite file, in short steps while the server goes on.

SQLite overwrites what is deleted (`secure_delete`), but not the copies of a row that stay in the
unused part of a page after its rows were spread over other pages. `VACUUM` removes them; it also
blocks every move while it rewrites the whole file. So we overwrite the unused parts ourselves:

    page  [header | pointers to cells | gap ........ | cell | free block | cell | cell]
                                        ^^^^^^^^^^^^           ^^^^^^^^^^   no row is in these

That is safe only while the file is all there is and nothing can change it. Each step, on the
connection that writes:

 1. notes which pages the write-ahead log holds: they changed since they were looked at;
 2. checkpoints and truncates the log, so every page is in the file as it is now;
 3. takes the lock for writing and makes sure that the log is still empty;
 4. overwrites the unused parts of the noted pages and of the next pages of the file.

Readers see nothing of it, since they never look at unused parts. The caller must then drop the
cache of the connection, which could write old copies back. When a step finds no page left to look
at, each page of the file was overwritten after its last change.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from lampion.server.store.backend import Connection

STEP_SECONDS = 0.010
"""How long a step goes through the file. The changed pages come on top of it."""
CHECKPOINT_AT = 20_000
"""Pages in the write-ahead log at which SQLite would start it over, and we would lose track."""
MOST_PAGES = 2**25
"""In larger files (128 GiB), a page with a page number in front could look like a page of rows."""

INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE = 2, 5, 10, 13
HEADER_SIZES = {INTERIOR_INDEX: 12, INTERIOR_TABLE: 12, LEAF_INDEX: 8, LEAF_TABLE: 8}
FILE_HEADER = 100
"""Bytes at the beginning of the first page."""
WAL_HEADER, FRAME_HEADER = 32, 24


class Scrubber:
    """For one file, whose only writer calls it."""

    def __init__(self, path: Path) -> None:
        self._wal = Path(f"{path}-wal")
        self._path = path
        self._file: IO[bytes] | None = None
        self._next = 0
        """The first page that this pass has not looked at; 0 between two passes."""
        self._changed: set[int] = set()

    @property
    def checkpoint_at(self) -> int:
        """For `wal_autocheckpoint`. 1000 is the default of SQLite."""
        return CHECKPOINT_AT if self._next else 1000

    @property
    def file(self) -> IO[bytes]:
        """Stays open until the database is closed: closing any handle of a file makes the system
        forget all locks that this process has on it, those of SQLite, too."""
        if self._file is None:
            self._file = open(self._path, "r+b", buffering=0)  # noqa: SIM115
        return self._file

    def close(self) -> None:
        """After all connections of this process."""
        if self._file is not None:
            self._file.close()

    def step(self, db: Connection) -> bool:
        """True at the end of a pass. That holds also for what was deleted during the pass: old
        copies are gone with the pages looked at before, and the deletion itself changed pages."""
        if self._next == 0:
            # The first checkpoint may have much to copy: that is a step of its own.
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self._next, self._changed = 1, set()
            return False
        self._note_changes()
        if not self._checkpoint(db):
            return False
        db.execute("BEGIN IMMEDIATE")
        try:
            if self._wal_size() > 0:
                # Another program wrote in between. Its pages are noted in the next step.
                return False
            return self._overwrite()
        finally:
            db.execute("ROLLBACK")

    def _note_changes(self) -> None:
        page_size = self._page_size()
        frames = max(0, self._wal_size() - WAL_HEADER) // (FRAME_HEADER + page_size)
        if frames >= CHECKPOINT_AT:
            self._next, self._changed = 1, set()
        if self._next == 1:
            # Every page will be looked at anyway.
            return
        with open(self._wal, "rb") as wal:
            for frame in range(frames):
                wal.seek(WAL_HEADER + frame * (FRAME_HEADER + page_size))
                self._changed.add(int.from_bytes(wal.read(4)))

    def _checkpoint(self, db: Connection) -> bool:
        """False if a reader still needs the write-ahead log; does not wait for it."""
        timeout = db.execute("PRAGMA busy_timeout").fetchone()[0]
        db.execute("PRAGMA busy_timeout=5")
        try:
            busy, *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            db.execute(f"PRAGMA busy_timeout={timeout}")
        return not busy

    def _overwrite(self) -> bool:
        page_size = self._page_size()
        last = self._path.stat().st_size // page_size
        usable = page_size - self._read(20, 1)[0]
        if last < MOST_PAGES:
            self._overwrite_pages(self._changed, page_size, usable)
            self._changed = set()
            until = time.monotonic() + STEP_SECONDS
            while self._next <= last:
                some = range(self._next, min(self._next + 50, last + 1))
                self._overwrite_pages(some, page_size, usable)
                self._next = some.stop
                if time.monotonic() > until:
                    return False
        self._next = 0
        return True

    def _overwrite_pages(self, numbers: Iterable[int], page_size: int, usable: int) -> None:
        for number in numbers:
            start = (number - 1) * page_size
            page = self._read(start, page_size)
            for begin, end in unused_parts(page, usable, FILE_HEADER if number == 1 else 0):
                if page.count(0, begin, end) < end - begin:
                    self.file.seek(start + begin)
                    self.file.write(bytes(end - begin))

    def _page_size(self) -> int:
        size = int.from_bytes(self._read(16, 2))
        return 65536 if size == 1 else size

    def _read(self, start: int, length: int) -> bytes:
        self.file.seek(start)
        return self.file.read(length)

    def _wal_size(self) -> int:
        return self._wal.stat().st_size if self._wal.exists() else 0


def unused_parts(page: bytes, usable: int, header: int) -> Iterator[tuple[int, int]]:
    """The parts of a page in which there is no row, if it is a page of rows or keys; see
    sqlite.org/fileformat2.html#b_tree_pages. The four bytes that head a free block stay."""
    size = HEADER_SIZES.get(page[header]) if len(page) > header else None
    if size is None:
        return
    block, cells, content = (
        int.from_bytes(page[header + at : header + at + 2])
        for at in (1, 3, 5)
    )  # fmt: skip
    content = content or 65536
    pointers_end = header + size + 2 * cells
    if not pointers_end <= content <= usable:
        return
    yield pointers_end, content
    while content <= block <= usable - 4:
        following, length = (int.from_bytes(page[at : at + 2]) for at in (block, block + 2))
        if length < 4 or block + length > usable:
            return
        yield block + 4, block + length
        if following <= block:
            # The last one has a zero here; they are sorted.
            return
        block = following
