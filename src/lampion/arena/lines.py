"""Files of JSON lines that only grow: whatever was added is on the disk, and a line that a crash cut
off is dropped when the next one is added."""

from __future__ import annotations

import os
from pathlib import Path

from lampion.core.errors import InvalidRecord


def whole_lines(path: Path) -> list[bytes]:
    """The lines of a file up to its last end of a line; none if it is not there. Reads only: it
    may be a file of something else."""
    data = path.read_bytes() if path.exists() else b""
    whole = data[: data.rfind(b"\n") + 1]
    if data and not whole:
        raise InvalidRecord("there is no whole line in this file", where=str(path))
    return whole.splitlines()


def add_line(path: Path, line: bytes) -> None:
    """On the disk when this returns."""
    with path.open("a+b") as file:
        size = file.tell()
        file.seek(max(size - 1, 0))
        if size and file.read(1) != b"\n":
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())
