"""Tables, seats, persons and chat in portable SQL. Each function works on a connection; writing ones run inside a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from lampion.server.store.backend import Connection
from lampion.server.store.base import FINISHED, RUNNING, ChatLine, PersonRow, RunningTable, SeatRow, TableRow, TokenRow
from lampion.server.store.log import chunks, marks

FORGOTTEN_MS = 24 * 3600 * 1000
"""A process that has not beaten for a day will not do so again."""


def _columns(row: type[msgspec.Struct], table: str = "") -> str:
    """The fields of a row are named as the columns are."""
    return ", ".join(f"{table}.{name}" if table else name for name in row.__struct_fields__)


TABLE, SEAT, PERSON, TOKEN = _columns(TableRow), _columns(SeatRow), _columns(PersonRow), _columns(TokenRow)
CHAT = _columns(ChatLine)


def _insert(db: Connection, into: str, row: msgspec.Struct) -> int:
    values = [int(value) if isinstance(value, bool) else value for value in msgspec.structs.astuple(row)]
    return db.execute(f"INSERT INTO {into} ({_columns(type(row))}) VALUES ({marks(values)})", values).rowcount


def _table(row: Sequence[Any]) -> TableRow:
    found = TableRow(*row)
    return msgspec.structs.replace(found, public=bool(found.public))


def _tables(db: Connection, rest: str, values: Sequence[object]) -> list[TableRow]:
    return [_table(row) for row in db.execute(f"SELECT {TABLE} FROM game_table {rest}", values).fetchall()]


# Tables and seats


def create_table(db: Connection, row: TableRow, seats: Sequence[SeatRow]) -> None:
    _insert(db, "game_table", row)
    for seat in seats:
        _insert(db, "seat", seat)


def table(db: Connection, table_id: str) -> TableRow | None:
    return next(iter(_tables(db, "WHERE id = ?", (table_id,))), None)


def update_table(db: Connection, table_id: str, expect_status: str | None, columns: dict[str, Any]) -> bool:
    assert columns and columns.keys() <= set(TableRow.__struct_fields__), "columns of a table, please"
    values = [int(value) if isinstance(value, bool) else value for value in columns.values()]
    sql = f"UPDATE game_table SET {', '.join(f'{name} = ?' for name in columns)} WHERE id = ?"
    if expect_status is None:
        return db.execute(sql, [*values, table_id]).rowcount == 1
    return db.execute(f"{sql} AND status = ?", [*values, table_id, expect_status]).rowcount == 1


def seats_of(db: Connection, tables: Sequence[str]) -> dict[str, list[SeatRow]]:
    found: dict[str, list[SeatRow]] = {table_id: [] for table_id in tables}
    for some in chunks(tables):
        sql = f"SELECT {SEAT} FROM seat WHERE table_id IN ({marks(some)}) ORDER BY table_id, seat"
        for row in db.execute(sql, some).fetchall():
            found[row[0]].append(SeatRow(*row))
    return found


def set_seat(db: Connection, row: SeatRow, expect_kind: str, expect_person: str | None) -> bool:
    sql = """UPDATE seat SET kind = ?, person_id = ?, level = ?, name = ?
             WHERE table_id = ? AND seat = ? AND kind = ? AND coalesce(person_id, '') = ?"""
    new = (row.kind, row.person_id, row.level, row.name)
    return db.execute(sql, (*new, row.table_id, row.seat, expect_kind, expect_person or "")).rowcount == 1


def public_tables(db: Connection, limit: int, status: str) -> list[TableRow]:
    return _tables(db, "WHERE status = ? AND public = 1 ORDER BY changed_ms DESC, id LIMIT ?", (status, limit))


def tables_of(db: Connection, person_id: str, limit: int) -> list[TableRow]:
    where = "id IN (SELECT table_id FROM seat WHERE person_id = ?) OR host = ?"
    return _tables(db, f"WHERE {where} ORDER BY changed_ms DESC, id LIMIT ?", (person_id, person_id, limit))


def running_tables(db: Connection) -> list[RunningTable]:
    sql = """SELECT t.id, t.game, t.pace, coalesce(e.seq, 0), coalesce(e.at_ms, t.changed_ms) FROM game_table AS t
             LEFT JOIN event AS e ON e.table_id = t.id AND e.seq = (SELECT max(seq) FROM event WHERE table_id = t.id)
             WHERE t.status = ? ORDER BY t.id"""
    return [RunningTable(*row) for row in db.execute(sql, (RUNNING,)).fetchall()]


def finished_tables(db: Connection, limit: int, after: str) -> list[TableRow]:
    return _tables(db, "WHERE status = ? AND id > ? ORDER BY id LIMIT ?", (FINISHED, after, limit))


# Persons


def add_person(db: Connection, row: PersonRow) -> None:
    _insert(db, "person", row)


def person(db: Connection, person_id: str) -> PersonRow | None:
    row = db.execute(f"SELECT {PERSON} FROM person WHERE id = ?", (person_id,)).fetchone()
    return PersonRow(*row) if row else None


def rename(db: Connection, person_id: str, name: str) -> None:
    db.execute("UPDATE person SET name = ? WHERE id = ?", (name, person_id))
    db.execute("UPDATE seat SET name = ? WHERE person_id = ?", (name, person_id))


def saw_person(db: Connection, person_id: str, at_ms: int) -> None:
    db.execute("UPDATE person SET seen_ms = ? WHERE id = ?", (at_ms, person_id))


def delete_person(db: Connection, person_id: str) -> None:
    db.execute("UPDATE seat SET person_id = NULL, name = NULL WHERE person_id = ?", (person_id,))
    db.execute("UPDATE game_table SET host = NULL WHERE host = ?", (person_id,))
    db.execute("DELETE FROM chat WHERE person_id = ?", (person_id,))
    db.execute("DELETE FROM token WHERE person_id = ?", (person_id,))
    db.execute("DELETE FROM person WHERE id = ?", (person_id,))


def add_token(db: Connection, row: TokenRow) -> None:
    _insert(db, "token", row)


def person_of_token(db: Connection, token_hash: str) -> PersonRow | None:
    sql = f"SELECT {_columns(PersonRow, 'person')} FROM token JOIN person ON person.id = token.person_id WHERE token.hash = ?"
    row = db.execute(sql, (token_hash,)).fetchone()
    return PersonRow(*row) if row else None


def tokens(db: Connection, person_id: str) -> list[TokenRow]:
    sql = f"SELECT {TOKEN} FROM token WHERE person_id = ? ORDER BY created_ms, hash"
    return [TokenRow(*row) for row in db.execute(sql, (person_id,)).fetchall()]


def drop_token(db: Connection, token_hash: str) -> None:
    db.execute("DELETE FROM token WHERE hash = ?", (token_hash,))


def take_token(db: Connection, token_hash: str, kind: str) -> TokenRow | None:
    sql = "DELETE FROM token WHERE hash = ? AND kind = ? RETURNING hash, person_id, kind, created_ms"
    row = db.execute(sql, (token_hash, kind)).fetchone()
    return TokenRow(*row) if row else None


def drop_tokens(db: Connection, person_id: str, keep: str) -> None:
    db.execute("DELETE FROM token WHERE person_id = ? AND hash <> ?", (person_id, keep))


# Chat and processes


def add_chat(db: Connection, table_id: str, at_ms: int, person_id: str, seat: int | None, text: str) -> ChatLine:
    while True:
        number = db.execute("SELECT coalesce(max(number), 0) + 1 FROM chat WHERE table_id = ?", (table_id,)).fetchone()[0]
        line = ChatLine(number, at_ms, person_id, seat, text)
        sql = f"INSERT INTO chat (table_id, {CHAT}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        if db.execute(sql, (table_id, *msgspec.structs.astuple(line))).rowcount == 1:
            return line


def chat(db: Connection, table_id: str, since: int, limit: int) -> list[ChatLine]:
    sql = f"SELECT {CHAT} FROM chat WHERE table_id = ? AND number > ? ORDER BY number DESC LIMIT ?"
    return [ChatLine(*row) for row in reversed(db.execute(sql, (table_id, since, limit)).fetchall())]


def beat(db: Connection, process_id: str, now_ms: int) -> None:
    sql = "INSERT INTO process (id, seen_ms) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET seen_ms = excluded.seen_ms"
    db.execute(sql, (process_id, now_ms))
    db.execute("DELETE FROM process WHERE seen_ms < ?", (now_ms - FORGOTTEN_MS,))


def other_processes(db: Connection, process_id: str, since_ms: int) -> list[str]:
    sql = "SELECT id FROM process WHERE id <> ? AND seen_ms >= ? ORDER BY id"
    return [row[0] for row in db.execute(sql, (process_id, since_ms)).fetchall()]
