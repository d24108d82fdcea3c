"""What operators ask for, in portable SQL: search, sanctions, the audit log, keys, settings."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from lampion.server.store.backend import Connection
from lampion.server.store.base import (
    AdminKeyRow,
    AuditRow,
    PersonRow,
    SanctionRow,
    TableRow,
    TableStatus,
)
from lampion.server.store.queries import PERSON, select_tables
from lampion.server.store.sql import columns, containing, insert, marks

SANCTION, AUDIT, ADMIN_KEY = columns(SanctionRow), columns(AuditRow), columns(AdminKeyRow)


def search_tables(
    db: Connection, status: TableStatus | None, game: str | None, text: str, limit: int, after: str
) -> list[TableRow]:
    where, values = ["id > ?"], [after]
    if status is not None:
        where.append("status = ?")
        values.append(status.value)
    if game is not None:
        where.append("game = ?")
        values.append(game)
    if text:
        named = "SELECT table_id FROM seat WHERE lower(name) LIKE ? ESCAPE '!'"
        where.append(f"(substr(id, 1, length(?)) = ? OR id IN ({named}))")
        values += [text, text, containing(text)]
    rest = f"WHERE {' AND '.join(where)} ORDER BY id LIMIT ?"
    return select_tables(db, rest, [*values, limit])


def search_people(db: Connection, text: str, limit: int, after: str) -> list[PersonRow]:
    sql = f"""SELECT {PERSON} FROM person
              WHERE id > ? AND (substr(id, 1, length(?)) = ? OR lower(name) LIKE ? ESCAPE '!')
              ORDER BY id LIMIT ?"""
    rows = db.execute(sql, (after, text, text, containing(text), limit)).fetchall()
    return [PersonRow(*row) for row in rows]


def count_tables(db: Connection) -> dict[TableStatus, int]:
    found = dict.fromkeys(TableStatus, 0)
    for status, number in db.execute(
        "SELECT status, count(*) FROM game_table GROUP BY status",
    ).fetchall():
        found[TableStatus(status)] = number
    return found


def count_tables_of(db: Connection, person_id: str, statuses: Collection[TableStatus]) -> int:
    wanted = [status.value for status in statuses]
    sql = f"SELECT count(*) FROM game_table WHERE host = ? AND status IN ({marks(wanted)})"
    return int(db.execute(sql, (person_id, *wanted)).fetchone()[0]) if wanted else 0


# Sanctions


def add_sanction(db: Connection, row: SanctionRow) -> None:
    insert(db, "sanction", row)


def lift_sanction(db: Connection, sanction_id: str, at_ms: int) -> bool:
    sql = "UPDATE sanction SET lifted_ms = ? WHERE id = ? AND lifted_ms IS NULL"
    return db.execute(sql, (at_ms, sanction_id)).rowcount == 1


def active_sanctions(db: Connection, now_ms: int) -> list[SanctionRow]:
    where = "lifted_ms IS NULL AND (until_ms IS NULL OR until_ms > ?)"
    return _sanctions(db, f"WHERE {where} ORDER BY created_ms, id", (now_ms,))


def sanctions(db: Connection, limit: int, subject: str | None) -> list[SanctionRow]:
    newest = "ORDER BY created_ms DESC, id LIMIT ?"
    if subject is None:
        return _sanctions(db, newest, (limit,))
    return _sanctions(db, f"WHERE subject = ? {newest}", (subject, limit))


def _sanctions(db: Connection, rest: str, values: tuple[Any, ...]) -> list[SanctionRow]:
    rows = db.execute(f"SELECT {SANCTION} FROM sanction {rest}", values).fetchall()
    return [SanctionRow(*row) for row in rows]


# The audit log


def add_audit(db: Connection, row: AuditRow) -> None:
    insert(db, "audit", row)


def audit_log(db: Connection, limit: int, before_ms: int | None) -> list[AuditRow]:
    before = 2**62 if before_ms is None else before_ms
    sql = f"SELECT {AUDIT} FROM audit WHERE at_ms < ? ORDER BY at_ms DESC, id DESC LIMIT ?"
    return [AuditRow(*row) for row in db.execute(sql, (before, limit)).fetchall()]


# Keys and settings


def add_admin_key(db: Connection, row: AdminKeyRow) -> None:
    insert(db, "admin_key", row)


def admin_key(db: Connection, key_hash: str, now_ms: int) -> AdminKeyRow | None:
    sql = f"""SELECT {ADMIN_KEY} FROM admin_key
              WHERE hash = ? AND (expires_ms IS NULL OR expires_ms > ?)"""
    row = db.execute(sql, (key_hash, now_ms)).fetchone()
    return AdminKeyRow(*row) if row else None


def admin_keys(db: Connection) -> list[AdminKeyRow]:
    sql = f"SELECT {ADMIN_KEY} FROM admin_key ORDER BY created_ms, hash"
    return [AdminKeyRow(*row) for row in db.execute(sql).fetchall()]


def drop_admin_key(db: Connection, key_hash: str) -> bool:
    return db.execute("DELETE FROM admin_key WHERE hash = ?", (key_hash,)).rowcount == 1


def setting(db: Connection, name: str) -> str | None:
    row = db.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
    return row[0] if row else None


def set_setting(db: Connection, name: str, value: str | None) -> None:
    if value is None:
        db.execute("DELETE FROM setting WHERE name = ?", (name,))
        return
    sql = """INSERT INTO setting (name, value) VALUES (?, ?)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value"""
    db.execute(sql, (name, value))


def setting_or(db: Connection, name: str, value: str) -> str:
    sql = "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING"
    db.execute(sql, (name, value))
    stored = setting(db, name)
    assert stored is not None, "it was there, or is now"
    return stored


def drop_setting(db: Connection, name: str, value: str) -> None:
    """Only if it still has this value."""
    db.execute("DELETE FROM setting WHERE name = ? AND value = ?", (name, value))
