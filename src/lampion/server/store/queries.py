"""Tables, persons and chat in portable SQL. Each function works on a connection; writing ones run
inside a transaction."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from lampion.server.store import outbox
from lampion.server.store.backend import Connection
from lampion.server.store.base import (
    Calls,
    ChatLine,
    Mark,
    PersonRow,
    ProcessRow,
    RunningTable,
    SeatRow,
    SpokenLine,
    StorageFailed,
    TableRow,
    TableStatus,
    TokenKind,
    TokenRow,
)
from lampion.server.store.seats import add_seats
from lampion.server.store.sql import columns, insert, marks, plain

FORGOTTEN_MS = 24 * 3600 * 1000
"""A process that has not beaten for a day will not do so again."""

SCRUB = "scrub"
"""The setting that says that bytes of what was deleted may be left; another value each time."""

TABLE, PERSON, TOKEN = columns(TableRow), columns(PersonRow), columns(TokenRow)
CHAT, PROCESS = columns(ChatLine), columns(ProcessRow)


def _table(row: Sequence[Any]) -> TableRow:
    found = TableRow(*row)
    return msgspec.structs.replace(
        found,
        public=bool(found.public),
        status=TableStatus(found.status),
    )


def select_tables(db: Connection, rest: str, values: Sequence[object]) -> list[TableRow]:
    rows = db.execute(f"SELECT {TABLE} FROM game_table {rest}", values).fetchall()
    return [_table(row) for row in rows]


# Tables


def create_table(
    db: Connection,
    row: TableRow,
    seats: Sequence[SeatRow],
    after: str | None,
    calls: Calls | None = None,
    invited: Collection[str] = (),
) -> str:
    if after is not None:
        row = msgspec.structs.replace(row, previous_table=after)
        sql = "UPDATE game_table SET next_table = ? WHERE id = ? AND next_table IS NULL"
        if db.execute(sql, (row.id, after)).rowcount == 0:
            return _next_table(db, after)
    insert(db, "game_table", row)
    add_seats(db, seats)
    for person_id in sorted(invited):
        mark(db, row.id, person_id, Mark.INVITED)
    if calls is not None:
        outbox.write(db, row.id, 0, row.created_ms, calls)
    return row.id


def _next_table(db: Connection, table_id: str) -> str:
    found = table(db, table_id)
    if found is None or found.next_table is None:
        raise StorageFailed("there is no such table", code="storage-inconsistent", where=table_id)
    return found.next_table


def table(db: Connection, table_id: str) -> TableRow | None:
    return next(iter(select_tables(db, "WHERE id = ?", (table_id,))), None)


def update_table(
    db: Connection,
    table_id: str,
    expect_status: TableStatus | None,
    changes: dict[str, Any],
) -> bool:
    assert changes and changes.keys() <= set(TableRow.__struct_fields__), "columns of a table"
    values = [plain(value) for value in changes.values()]
    sql = f"UPDATE game_table SET {', '.join(f'{name} = ?' for name in changes)} WHERE id = ?"
    if expect_status is None:
        return db.execute(sql, [*values, table_id]).rowcount == 1
    expected = [*values, table_id, plain(expect_status)]
    return db.execute(f"{sql} AND status = ?", expected).rowcount == 1


def public_tables(db: Connection, limit: int, status: TableStatus) -> list[TableRow]:
    rest = "WHERE status = ? AND public = 1 ORDER BY changed_ms DESC, id LIMIT ?"
    return select_tables(db, rest, (plain(status), limit))


def tables_of(db: Connection, person_id: str, limit: int) -> list[TableRow]:
    asked = "SELECT table_id FROM mark WHERE person_id = ? AND kind = ?"
    where = f"""id IN (SELECT table_id FROM seat WHERE person_id = ?) OR host = ?
                OR (status = ? AND id IN ({asked}))"""
    rest = f"WHERE {where} ORDER BY changed_ms DESC, id LIMIT ?"
    invited = (TableStatus.OPEN.value, person_id, Mark.INVITED.value)
    return select_tables(db, rest, (person_id, person_id, *invited, limit))


def ended_tables_of(
    db: Connection, person_id: str, limit: int, game: str, before: tuple[int, str] | None
) -> list[TableRow]:
    """Walks the person's own seats, so that a long history costs no more than the person played."""
    clauses = [
        "id IN (SELECT table_id FROM seat WHERE person_id = ?)",
        "id NOT IN (SELECT table_id FROM mark WHERE person_id = ? AND kind = ?)",
        "status IN (?, ?)",
    ]
    ended = TableStatus.FINISHED, TableStatus.STOPPED
    values: list[object] = [person_id, person_id, plain(Mark.HIDDEN), *map(plain, ended)]
    if game:
        clauses.append("game = ?")
        values.append(game)
    if before:
        clauses.append("(changed_ms < ? OR changed_ms = ? AND id > ?)")
        values += [before[0], *before]
    rest = f"WHERE {' AND '.join(clauses)} ORDER BY changed_ms DESC, id LIMIT ?"
    return select_tables(db, rest, (*values, limit))


def running_tables(db: Connection) -> list[RunningTable]:
    sql = """SELECT t.id, t.game, t.pace, coalesce(e.seq, 0), coalesce(e.at_ms, t.changed_ms)
             FROM game_table AS t LEFT JOIN event AS e ON e.table_id = t.id
             AND e.seq = (SELECT max(seq) FROM event WHERE table_id = t.id)
             WHERE t.status = ? ORDER BY t.id"""
    rows = db.execute(sql, (TableStatus.RUNNING.value,)).fetchall()
    return [RunningTable(*row) for row in rows]


def finished_tables(db: Connection, limit: int, after: str) -> list[TableRow]:
    rest = "WHERE status = ? AND id > ? ORDER BY id LIMIT ?"
    return select_tables(db, rest, (TableStatus.FINISHED.value, after, limit))


def tables_unchanged_since(
    db: Connection,
    status: TableStatus,
    before_ms: int,
    limit: int,
    skip: int = 0,
) -> list[str]:
    """Both values of `public` are named so that the index serves; one step into the log of each
    table that is left."""
    last = "SELECT at_ms FROM event WHERE table_id = game_table.id ORDER BY seq DESC LIMIT 1"
    sql = f"""SELECT id FROM game_table
              WHERE status = ? AND public IN (0, 1) AND changed_ms < ?
              AND coalesce(({last}), 0) < ? ORDER BY changed_ms, id LIMIT ? OFFSET ?"""
    rows = db.execute(sql, (plain(status), before_ms, before_ms, limit, skip)).fetchall()
    return [row[0] for row in rows]


def delete_table(db: Connection, table_id: str) -> bool:
    want_scrub(db)
    for link in ("next_table", "previous_table"):
        db.execute(f"UPDATE game_table SET {link} = NULL WHERE {link} = ?", (table_id,))
    for part in ("outbox", "event", "chat", "mark", "outcome", "seat"):
        db.execute(f"DELETE FROM {part} WHERE table_id = ?", (table_id,))
    return db.execute("DELETE FROM game_table WHERE id = ?", (table_id,)).rowcount == 1


def mark(db: Connection, table_id: str, person_id: str, kind: Mark) -> None:
    sql = """INSERT INTO mark (table_id, person_id, kind) VALUES (?, ?, ?)
             ON CONFLICT DO NOTHING"""
    db.execute(sql, (table_id, person_id, plain(kind)))


def unmark(db: Connection, table_id: str, person_id: str, kind: Mark) -> None:
    sql = "DELETE FROM mark WHERE table_id = ? AND person_id = ? AND kind = ?"
    db.execute(sql, (table_id, person_id, plain(kind)))


def marked_people(db: Connection, table_id: str, kind: Mark) -> set[str]:
    sql = "SELECT person_id FROM mark WHERE table_id = ? AND kind = ?"
    return {row[0] for row in db.execute(sql, (table_id, plain(kind))).fetchall()}


def marked_tables(db: Connection, person_id: str, kind: Mark) -> set[str]:
    sql = "SELECT table_id FROM mark WHERE person_id = ? AND kind = ?"
    return {row[0] for row in db.execute(sql, (person_id, plain(kind))).fetchall()}


# Persons


def add_person(db: Connection, row: PersonRow) -> None:
    insert(db, "person", row)


def person(db: Connection, person_id: str) -> PersonRow | None:
    row = db.execute(f"SELECT {PERSON} FROM person WHERE id = ?", (person_id,)).fetchone()
    return PersonRow(*row) if row else None


def rename(db: Connection, person_id: str, name: str) -> None:
    db.execute("UPDATE person SET name = ? WHERE id = ?", (name, person_id))


def saw_person(db: Connection, person_id: str, at_ms: int) -> None:
    db.execute("UPDATE person SET seen_ms = ? WHERE id = ?", (at_ms, person_id))


def people_unseen_since(db: Connection, before_ms: int, limit: int) -> list[str]:
    playing = """SELECT 1 FROM seat JOIN game_table ON game_table.id = seat.table_id
                 WHERE seat.person_id = person.id AND game_table.status IN (?, ?)"""
    way_back = " ".join(f"AND NOT EXISTS ({sql})" for sql in _WAYS_BACK)
    sql = f"""SELECT id FROM person WHERE seen_ms < ? AND NOT EXISTS ({playing}) {way_back}
              ORDER BY seen_ms, id LIMIT ?"""
    active = (TableStatus.OPEN.value, TableStatus.RUNNING.value)
    return [row[0] for row in db.execute(sql, (before_ms, *active, limit)).fetchall()]


_WAYS_BACK = (
    "SELECT 1 FROM recovery WHERE recovery.person_id = person.id AND kept_ms IS NOT NULL",
    "SELECT 1 FROM passkey WHERE passkey.person_id = person.id",
    """SELECT 1 FROM way WHERE way.person_id = person.id AND way.kind = 'mail'
       AND confirmed_ms IS NOT NULL""",
)
"""What a person has kept in order to come back, however much later."""


def delete_some_chat(db: Connection, person_id: str, limit: int) -> int:
    """Returns how many lines it deleted: fewer than the limit when none is left."""
    want_scrub(db)
    sql = "SELECT table_id, number FROM chat WHERE person_id = ? LIMIT ?"
    lines = db.execute(sql, (person_id, limit)).fetchall()
    for line in lines:
        db.execute("DELETE FROM chat WHERE table_id = ? AND number = ?", line)
    return len(lines)


def delete_people(db: Connection, people: Sequence[str]) -> None:
    want_scrub(db)
    for person_id in people:
        for change in (
            "UPDATE seat SET person_id = NULL, name = NULL WHERE person_id = ?",
            "UPDATE game_table SET host = NULL WHERE host = ?",
            "DELETE FROM chat WHERE person_id = ?",
            "DELETE FROM token WHERE person_id = ?",
            "DELETE FROM mark WHERE person_id = ?",
            *(f"DELETE FROM {part} WHERE person_id = ?" for part in outbox.PARTS_OF_PERSON),
            "DELETE FROM recovery WHERE person_id = ?",
            "DELETE FROM passkey WHERE person_id = ?",
            "DELETE FROM challenge WHERE person_id = ?",
            "DELETE FROM exercise WHERE person_id = ?",
            "DELETE FROM block WHERE person_id = ?",
            "DELETE FROM block WHERE other_id = ?",
            "DELETE FROM person WHERE id = ?",
        ):
            db.execute(change, (person_id,))


def want_scrub(db: Connection) -> None:
    """In the transaction that deletes, so that it is not forgotten whatever happens next."""
    sql = """INSERT INTO setting (name, value) VALUES (?, ?)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value"""
    db.execute(sql, (SCRUB, secrets.token_hex(8)))


def add_token(db: Connection, row: TokenRow) -> None:
    insert(db, "token", row)


def person_of_token(
    db: Connection,
    token_hash: str,
    kinds: Collection[TokenKind],
    now_ms: int,
) -> PersonRow | None:
    wanted = [kind.value for kind in kinds]
    sql = f"""SELECT {columns(PersonRow, "person")}
              FROM token JOIN person ON person.id = token.person_id
              WHERE token.hash = ? AND token.kind IN ({marks(wanted)})
              AND (token.expires_ms IS NULL OR token.expires_ms > ?)"""
    row = db.execute(sql, (token_hash, *wanted, now_ms)).fetchone() if wanted else None
    return PersonRow(*row) if row else None


def _token(row: Sequence[Any]) -> TokenRow:
    found = TokenRow(*row)
    return msgspec.structs.replace(found, kind=TokenKind(found.kind))


def tokens(db: Connection, person_id: str) -> list[TokenRow]:
    sql = f"SELECT {TOKEN} FROM token WHERE person_id = ? ORDER BY created_ms, hash"
    return [_token(row) for row in db.execute(sql, (person_id,)).fetchall()]


def saw_token(db: Connection, token_hash: str, person_id: str, at_ms: int) -> None:
    db.execute("UPDATE token SET seen_ms = ? WHERE hash = ?", (at_ms, token_hash))
    saw_person(db, person_id, at_ms)


def drop_token(db: Connection, token_hash: str) -> None:
    db.execute("DELETE FROM token WHERE hash = ?", (token_hash,))


def take_token(db: Connection, token_hash: str, kind: TokenKind, now_ms: int) -> TokenRow | None:
    sql = f"DELETE FROM token WHERE hash = ? AND kind = ? RETURNING {TOKEN}"
    row = db.execute(sql, (token_hash, kind.value)).fetchone()
    found = _token(row) if row else None
    if found is None or (found.expires_ms is not None and found.expires_ms <= now_ms):
        return None
    return found


def drop_expired_tokens(db: Connection, now_ms: int) -> int:
    expired = [
        db.execute(f"DELETE FROM {kind} WHERE expires_ms <= ?", (now_ms,)).rowcount
        for kind in ("token", "challenge")
    ]
    return sum(expired)


def drop_tokens(db: Connection, person_id: str, keep: str) -> None:
    db.execute("DELETE FROM token WHERE person_id = ? AND hash <> ?", (person_id, keep))


# Chat and processes


def add_chat(
    db: Connection,
    table_id: str,
    at_ms: int,
    person_id: str,
    seat: int | None,
    text: str,
) -> ChatLine:
    last = "SELECT coalesce(max(number), 0) FROM chat WHERE table_id = ?"
    while True:
        number = db.execute(last, (table_id,)).fetchone()[0] + 1
        line = ChatLine(number, at_ms, person_id, seat, text)
        sql = f"""INSERT INTO chat (table_id, {CHAT}) VALUES (?, ?, ?, ?, ?, ?)
                  ON CONFLICT DO NOTHING"""
        if db.execute(sql, (table_id, *msgspec.structs.astuple(line))).rowcount == 1:
            return line


def chat(db: Connection, table_id: str, since: int, limit: int) -> list[SpokenLine]:
    sql = f"""SELECT person.name, {columns(ChatLine, "chat")}
              FROM chat JOIN person ON person.id = chat.person_id
              WHERE chat.table_id = ? AND chat.number > ? ORDER BY chat.number DESC LIMIT ?"""
    rows = db.execute(sql, (table_id, since, limit)).fetchall()
    return [SpokenLine(ChatLine(*line), name) for name, *line in reversed(rows)]


def beat(db: Connection, process_id: str, now_ms: int, url: str | None) -> None:
    sql = """INSERT INTO process (id, seen_ms, url) VALUES (?, ?, ?)
             ON CONFLICT (id) DO UPDATE SET seen_ms = excluded.seen_ms, url = excluded.url"""
    db.execute(sql, (process_id, now_ms, url))
    db.execute("DELETE FROM process WHERE seen_ms < ?", (now_ms - FORGOTTEN_MS,))


def processes(db: Connection, since_ms: int) -> list[ProcessRow]:
    sql = f"SELECT {PROCESS} FROM process WHERE seen_ms >= ? ORDER BY id"
    return [ProcessRow(*row) for row in db.execute(sql, (since_ms,)).fetchall()]


def ping(db: Connection) -> None:
    db.execute("SELECT 1").fetchone()
