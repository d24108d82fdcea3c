"""Files of JSON lines that only grow: whatever was added is on the disk, and a line that a crash cut
off is dropped."""

from __future__ import annotations

import os
from pathlib import Path


def whole_lines(path: Path) -> list[bytes]:
    """The lines of a file; none if it is not there. What comes after the last end of a line is cut
    away, so that the next line begins on its own."""
    data = path.read_bytes() if path.exists() else b""
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        os.truncate(path, len(whole))
    return whole.splitlines()


def add_line(path: Path, line: bytes) -> None:
    """On the disk when this returns."""
    with path.open("ab") as file:
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())
