"""Small helpers for portable SQL: the fields of a row are named as the columns of its table are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from lampion.server.store.backend import Connection


def columns(row: type[msgspec.Struct], table: str = "") -> str:
    return ", ".join(f"{table}.{name}" if table else name for name in row.__struct_fields__)


def plain(value: Any) -> Any:
    """As both drivers take it."""
    if isinstance(value, bool):
        return int(value)
    return value.value if isinstance(value, StrEnum) else value


def insert(db: Connection, into: str, row: msgspec.Struct, rest: str = "") -> int:
    values = [plain(value) for value in msgspec.structs.astuple(row)]
    sql = f"INSERT INTO {into} ({columns(type(row))}) VALUES ({marks(values)}){rest}"
    return db.execute(sql, values).rowcount


def chunks(ids: Sequence[str], size: int = 500) -> Iterator[Sequence[str]]:
    """Both databases limit the number of values in a statement."""
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def containing(text: str) -> str:
    """The pattern for `lower(column) LIKE ? ESCAPE '!'`."""
    escaped = text.lower()
    for sign in "!%_":
        escaped = escaped.replace(sign, "!" + sign)
    return f"%{escaped}%"
