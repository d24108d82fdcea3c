"""Ways back for a person without keys, merging two people, and who has played with whom; in
portable SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.server.store.backend import Connection
from lampion.server.store.base import (
    ChallengeRow,
    Companion,
    Mark,
    OutcomeRow,
    PasskeyRow,
    RecoveryRow,
    SeatKind,
    TableRow,
    TableStatus,
)
from lampion.server.store.exercises import drop_exercises, merge_exercises
from lampion.server.store.outbox import PARTS_OF_PERSON
from lampion.server.store.queries import person, select_tables, want_scrub
from lampion.server.store.seats import rename as rename_seats
from lampion.server.store.sql import chunks, columns, insert, marks

RECOVERY, PASSKEY = columns(RecoveryRow), columns(PasskeyRow)
CHALLENGE, OUTCOME = columns(ChallengeRow), columns(OutcomeRow)
UNDER_WAY = (TableStatus.OPEN.value, TableStatus.RUNNING.value)
OVER = (TableStatus.FINISHED.value, TableStatus.STOPPED.value)

# Recovery


def set_recovery(db: Connection, row: RecoveryRow) -> None:
    db.execute("DELETE FROM recovery WHERE person_id = ?", (row.person_id,))
    insert(db, "recovery", row)


def recovery(db: Connection, by: str, value: str) -> RecoveryRow | None:
    assert by in ("person_id", "name"), "columns with an index"
    row = db.execute(f"SELECT {RECOVERY} FROM recovery WHERE {by} = ?", (value,)).fetchone()
    return RecoveryRow(*row) if row else None


def keep_recovery(db: Connection, person_id: str, at_ms: int) -> bool:
    sql = "UPDATE recovery SET kept_ms = ? WHERE person_id = ?"
    return db.execute(sql, (at_ms, person_id)).rowcount == 1


def take_recovery(db: Connection, row: RecoveryRow) -> bool:
    sql = "DELETE FROM recovery WHERE person_id = ? AND hash = ?"
    return db.execute(sql, (row.person_id, row.hash)).rowcount == 1


# Passkeys


def add_challenge(db: Connection, row: ChallengeRow) -> None:
    insert(db, "challenge", row)


def take_challenge(
    db: Connection, challenge_hash: str, purpose: str, now_ms: int
) -> ChallengeRow | None:
    sql = f"DELETE FROM challenge WHERE hash = ? AND purpose = ? RETURNING {CHALLENGE}"
    row = db.execute(sql, (challenge_hash, purpose)).fetchone()
    found = ChallengeRow(*row) if row else None
    return found if found and found.expires_ms > now_ms else None


def add_passkey(db: Connection, row: PasskeyRow) -> bool:
    if passkey(db, row.id) is not None:
        return False
    return insert(db, "passkey", row) == 1


def passkey(db: Connection, passkey_id: str) -> PasskeyRow | None:
    row = db.execute(f"SELECT {PASSKEY} FROM passkey WHERE id = ?", (passkey_id,)).fetchone()
    return PasskeyRow(*row) if row else None


def passkeys(db: Connection, person_id: str) -> list[PasskeyRow]:
    sql = f"SELECT {PASSKEY} FROM passkey WHERE person_id = ? ORDER BY created_ms, id"
    return [PasskeyRow(*row) for row in db.execute(sql, (person_id,)).fetchall()]


def use_passkey(db: Connection, row: PasskeyRow, sign_count: int, at_ms: int) -> bool:
    """Compare and set: of two uses with the same counter, one is a copy."""
    sql = "UPDATE passkey SET sign_count = ?, used_ms = ? WHERE id = ? AND sign_count = ?"
    return db.execute(sql, (sign_count, at_ms, row.id, row.sign_count)).rowcount == 1


def drop_passkey(db: Connection, person_id: str, passkey_id: str) -> bool:
    sql = "DELETE FROM passkey WHERE id = ? AND person_id = ?"
    return db.execute(sql, (passkey_id, person_id)).rowcount == 1


# Two people who are one


def merge(db: Connection, guest: str, into: str) -> bool:
    """The caller has locked both people and their tables."""
    found = person(db, into)
    if guest == into or found is None or person(db, guest) is None:
        return False
    if _meet(db, guest, into):
        return False
    want_scrub(db)
    merge_exercises(db, guest, into)
    for change in _MOVES:
        db.execute(change, (into, guest))
    for change in _DROPS:
        db.execute(change, (guest,))
    # A person cannot block themselves: what the guest thought of the person is pointless now.
    db.execute("DELETE FROM block WHERE person_id = other_id")
    rename_seats(db, into, found.name)
    return True


_MOVES = (
    "UPDATE seat SET person_id = ? WHERE person_id = ?",
    "UPDATE game_table SET host = ? WHERE host = ?",
    "UPDATE chat SET person_id = ? WHERE person_id = ?",
    """INSERT INTO mark (table_id, person_id, kind)
       SELECT table_id, ?, kind FROM mark WHERE person_id = ? ON CONFLICT DO NOTHING""",
    """INSERT INTO block (person_id, other_id)
       SELECT ?, other_id FROM block WHERE person_id = ? ON CONFLICT DO NOTHING""",
    """INSERT INTO block (person_id, other_id)
       SELECT person_id, CAST(? AS TEXT) FROM block WHERE other_id = ? ON CONFLICT DO NOTHING""",
    # Becoming another person must not shed a mute.
    "UPDATE sanction SET subject = ? WHERE subject = ? AND kind = 'person'",
)
# Keys are not moved: any other holder of the guest's keys would become the person. Nor are ways to
# be notified: they lead to devices that are signed out.
_DROPS = (
    *(f"DELETE FROM {part} WHERE person_id = ?" for part in PARTS_OF_PERSON),
    "DELETE FROM mark WHERE person_id = ?",
    "DELETE FROM block WHERE person_id = ?",
    "DELETE FROM block WHERE other_id = ?",
    "DELETE FROM token WHERE person_id = ?",
    "DELETE FROM recovery WHERE person_id = ?",
    "DELETE FROM passkey WHERE person_id = ?",
    "DELETE FROM challenge WHERE person_id = ?",
    "DELETE FROM person WHERE id = ?",
)


def _meet(db: Connection, one: str, other: str) -> bool:
    """Whether both sit at a table that is not over: nobody plays against themselves unawares."""
    sql = """SELECT 1 FROM seat AS a JOIN seat AS b ON b.table_id = a.table_id
             JOIN game_table ON game_table.id = a.table_id
             WHERE a.person_id = ? AND b.person_id = ? AND game_table.status IN (?, ?) LIMIT 1"""
    return db.execute(sql, (one, other, *UNDER_WAY)).fetchone() is not None


def forget_history(db: Connection, person_id: str) -> int:
    want_scrub(db)
    over = "SELECT id FROM game_table WHERE status IN (?, ?)"
    sql = f"""UPDATE seat SET person_id = NULL, name = NULL
              WHERE person_id = ? AND table_id IN ({over})"""
    hosted = f"UPDATE game_table SET host = NULL WHERE host = ? AND id IN ({over})"
    db.execute(hosted, (person_id, *OVER))
    drop_exercises(db, person_id)
    return db.execute(sql, (person_id, *OVER)).rowcount


def words_of(db: Connection, person_id: str, limit: int) -> list[tuple[str, int, str]]:
    sql = """SELECT table_id, at_ms, text FROM chat WHERE person_id = ?
             ORDER BY at_ms DESC, number DESC LIMIT ?"""
    return [(row[0], row[1], row[2]) for row in db.execute(sql, (person_id, limit)).fetchall()]


# How games ended


def played_tables(db: Connection, person_id: str, limit: int) -> list[TableRow]:
    mine = "SELECT table_id FROM seat WHERE person_id = ? AND kind = ?"
    rest = f"WHERE id IN ({mine}) AND status = ? ORDER BY changed_ms DESC, id LIMIT ?"
    values = (person_id, SeatKind.PERSON.value, TableStatus.FINISHED.value, limit)
    return select_tables(db, rest, values)


def outcomes(db: Connection, tables: Sequence[str]) -> dict[str, OutcomeRow]:
    found: dict[str, OutcomeRow] = {}
    for some in chunks(tables):
        sql = f"SELECT {OUTCOME} FROM outcome WHERE table_id IN ({marks(some)})"
        found |= {row[0]: OutcomeRow(*row) for row in db.execute(sql, some).fetchall()}
    return found


def add_outcomes(db: Connection, rows: Sequence[OutcomeRow]) -> None:
    for row in rows:
        # The table may have been deleted while its log was read.
        sql = "SELECT 1 FROM game_table WHERE id = ? AND id NOT IN (SELECT table_id FROM outcome)"
        if db.execute(sql, (row.table_id,)).fetchone():
            insert(db, "outcome", row)


# People who have played together


def companions(db: Connection, person_id: str, limit: int) -> list[Companion]:
    sql = """SELECT other.table_id, other.seat, other.person_id, other.name, t.game, t.changed_ms
             FROM seat AS mine JOIN seat AS other ON other.table_id = mine.table_id
             JOIN game_table AS t ON t.id = mine.table_id
             WHERE mine.person_id = ? AND mine.kind = ? AND other.kind = ?
             AND other.person_id <> mine.person_id AND t.status IN (?, ?)
             AND NOT EXISTS (SELECT 1 FROM block WHERE block.person_id = mine.person_id
                             AND block.other_id = other.person_id)
             ORDER BY t.changed_ms DESC, other.table_id, other.seat LIMIT ?"""
    kinds = (SeatKind.PERSON.value, SeatKind.PERSON.value)
    begun = (TableStatus.RUNNING.value, TableStatus.FINISHED.value)
    rows = db.execute(sql, (person_id, *kinds, *begun, limit)).fetchall()
    return _first_of_each([Companion(*row) for row in rows])


def _first_of_each(found: Sequence[Companion]) -> list[Companion]:
    each: dict[str, Companion] = {}
    for one in found:
        each.setdefault(one.person_id, one)
    return list(each.values())


def companion(db: Connection, person_id: str, table_id: str, number: int) -> str | None:
    sql = """SELECT other.person_id FROM seat AS other
             JOIN seat AS mine ON mine.table_id = other.table_id
             JOIN game_table AS t ON t.id = other.table_id
             WHERE other.table_id = ? AND other.seat = ? AND other.kind = ? AND mine.person_id = ?
             AND other.person_id <> mine.person_id AND t.status IN (?, ?) LIMIT 1"""
    begun = (TableStatus.RUNNING.value, TableStatus.FINISHED.value)
    values: tuple[Any, ...] = (table_id, number, SeatKind.PERSON.value, person_id, *begun)
    row = db.execute(sql, values).fetchone()
    return str(row[0]) if row else None


def block(db: Connection, person_id: str, other_id: str) -> None:
    sql = "INSERT INTO block (person_id, other_id) VALUES (?, ?) ON CONFLICT DO NOTHING"
    db.execute(sql, (person_id, other_id))


def blocked(db: Connection, person_id: str, limit: int) -> list[str]:
    sql = """SELECT person.name FROM block JOIN person ON person.id = block.other_id
             WHERE block.person_id = ? ORDER BY person.name, person.id LIMIT ?"""
    return [str(row[0]) for row in db.execute(sql, (person_id, limit)).fetchall()]


def unanswered_invitations(db: Connection, host: str, guest: str, since_ms: int) -> int:
    sql = """SELECT count(*) FROM mark JOIN game_table AS t ON t.id = mark.table_id
             WHERE mark.person_id = ? AND mark.kind = ? AND t.host = ?
             AND (t.status = ? OR t.created_ms > ?) AND NOT EXISTS (SELECT 1 FROM seat
             WHERE seat.table_id = t.id AND seat.person_id = mark.person_id)"""
    values = (guest, Mark.INVITED.value, host, TableStatus.OPEN.value, since_ms)
    return int(db.execute(sql, values).fetchone()[0])


def is_blocked(db: Connection, person_id: str, by: str) -> bool:
    sql = "SELECT 1 FROM block WHERE person_id = ? AND other_id = ?"
    return db.execute(sql, (by, person_id)).fetchone() is not None
