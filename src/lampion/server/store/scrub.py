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

Nobody can write pages to the file during step 4: commits go to the log and need the lock, and
checkpoints copy from the log, which is empty. A process killed in the middle leaves some unused
parts overwritten and others not; either is a sound file, and so is any mix of sectors after a power
failure, since the bytes in use are written back as they were.

Readers see nothing of it, since they never look at unused parts. The caller must then drop the
cache of the connection, which could write old copies back. When a step finds no page left to look
at, each page of the file was overwritten after its last change.
"""

from __future__ import annotations

import logging
import struct
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

import msgspec

from lampion.server.store.backend import Connection

log = logging.getLogger("lampion.store")

STEP_SECONDS = 0.010
"""How long a step goes through the file. The changed pages come on top of it."""
CHECKPOINT_AT = 20_000
"""Pages in the write-ahead log at which SQLite would start it over, and we would lose track."""
MOST_PAGES = 2**25
"""In larger files (128 GiB), a page with a page number in front could look like a page of rows."""

INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE = 2, 5, 10, 13
HEADER_SIZES = {INTERIOR_INDEX: 12, INTERIOR_TABLE: 12, LEAF_INDEX: 8, LEAF_TABLE: 8}
MAGIC = b"SQLite format 3\0"
FILE_HEADER = 100
"""Bytes at the beginning of the first page."""
LOCK_BYTE = 2**30
"""The page around this offset holds no data: the locks of SQLite are there."""
MAP_ENTRY = 5
WAL_HEADER, FRAME_HEADER = 32, 24


class Layout(msgspec.Struct, frozen=True):
    """What the pages of a file are, as the header of the file tells; see
    sqlite.org/fileformat2.html."""

    is_sqlite: bool
    page_size: int
    reserved: int
    """Bytes at the end of each page."""
    has_maps: bool
    """Whether `auto_vacuum` is on: some pages then say what refers to which page."""

    @property
    def usable(self) -> int:
        return self.page_size - self.reserved

    def is_known(self, pages: int) -> bool:
        """Whether the pages of rows can be told from others and changed one by one. Reserved bytes
        are for extensions, such as a checksum of the page or a key to it."""
        return self.is_sqlite and not self.reserved and pages < MOST_PAGES

    def may_hold_rows(self, number: int) -> bool:
        """A map must be told by its number: its first byte may be that of a page of rows."""
        lock_page = LOCK_BYTE // self.page_size + 1
        if number == lock_page:
            return False
        if number == 1 or not self.has_maps:
            return True
        group = self.usable // MAP_ENTRY + 1  # A map, and the pages that it tells of.
        map_page = (number - 2) // group * group + 2
        return number != (map_page + 1 if map_page == lock_page else map_page)


def layout_of(header: bytes) -> Layout:
    size = int.from_bytes(header[16:18])
    return Layout(
        is_sqlite=header.startswith(MAGIC) and len(header) == FILE_HEADER,
        page_size=65536 if size == 1 else size,
        reserved=int.from_bytes(header[20:21]),
        has_maps=any(header[52:56]),
    )


def _open_unbuffered(path: Path) -> IO[bytes]:
    return open(path, "r+b", buffering=0)


class Scrubber:
    """For one file, whose only writer calls it."""

    def __init__(
        self, path: Path, open_file: Callable[[Path], IO[bytes]] = _open_unbuffered
    ) -> None:
        """`path` is not a symbolic link: SQLite puts its log beside the file itself."""
        self._wal = Path(f"{path}-wal")
        self._path, self._open_file = path, open_file
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
            self._file = self._open_file(self._path)
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
        page_size = self._layout().page_size
        frames = max(0, self._wal_size() - WAL_HEADER) // (FRAME_HEADER + page_size)
        if frames >= CHECKPOINT_AT:
            self._next, self._changed = 1, set()
        if self._next == 1 or not frames:
            # At 1, every page will be looked at anyway.
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
        layout = self._layout()
        last = self._path.stat().st_size // layout.page_size if layout.is_sqlite else 0
        if not layout.is_known(last):
            log.warning("deleted rows may leave bytes in this file until `lampion data compact`")
            self._next = 0
            return True
        self._overwrite_pages((number for number in self._changed if 0 < number <= last), layout)
        self._changed = set()
        until = time.monotonic() + STEP_SECONDS
        while self._next <= last:
            some = range(self._next, min(self._next + 50, last + 1))
            self._overwrite_pages(some, layout)
            self._next = some.stop
            if time.monotonic() > until:
                return False
        self._next = 0
        return True

    def _overwrite_pages(self, numbers: Iterable[int], layout: Layout) -> None:
        for number in filter(layout.may_hold_rows, numbers):
            start = (number - 1) * layout.page_size
            page = self._read(start, layout.page_size)
            header = FILE_HEADER if number == 1 else 0
            for begin, end in unused_parts(page, layout.usable, header):
                if page.count(0, begin, end) < end - begin:
                    self.file.seek(start + begin)
                    self.file.write(bytes(end - begin))

    def _layout(self) -> Layout:
        return layout_of(self._read(0, FILE_HEADER))

    def _read(self, start: int, length: int) -> bytes:
        self.file.seek(start)
        return self.file.read(length)

    def _wal_size(self) -> int:
        return self._wal.stat().st_size if self._wal.exists() else 0


def unused_parts(page: bytes, usable: int, header: int) -> list[tuple[int, int]]:
    """The parts of a page in which there is no row, if it is a page of rows or keys; see
    sqlite.org/fileformat2.html#b_tree_pages. The four bytes that head a free block stay. None if
    anything about the page is not as it should be: then it is something else, or damaged."""
    size = HEADER_SIZES.get(page[header]) if len(page) >= usable else None
    if size is None:
        return []
    block, cells, content = struct.unpack_from(">HHH", page, header + 1)
    content = content or 65536
    pointers_end = header + size + 2 * cells
    if not pointers_end <= content <= usable:
        return []
    pointers = sorted(struct.unpack_from(f">{cells}H", page, header + size))
    if pointers and not content <= pointers[0] <= pointers[-1] < usable:
        return []
    parts = [(pointers_end, content)]
    free_until = content
    while block:
        if not free_until <= block <= usable - 4:
            return []
        following, length = struct.unpack_from(">HH", page, block)
        free_until = block + length
        if length < 4 or free_until > usable:
            return []
        if bisect_left(pointers, block) < bisect_left(pointers, free_until):
            return []
        parts.append((block + 4, free_until))
        block = following
    return parts
