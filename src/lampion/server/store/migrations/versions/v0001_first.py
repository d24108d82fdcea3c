"""Persons, tables, seats, logs, chat, processes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _text(*names: str, null: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=null) for name in names]


def _int(*names: str, null: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer, nullable=null, autoincrement=False) for name in names]


def _ms(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=False) for name in names]


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=op.f(f"pk_{table}"))


def _refers(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=op.f(f"fk_{table}_{column}"))


def _index(table: str, *columns: str) -> None:
    op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, list(columns))


def upgrade() -> None:
    op.create_table("process", *_text("id"), *_ms("seen_ms"), _key("process", "id"))
    _persons()
    _tables()
    op.create_table(
        "event",
        *_text("table_id"), *_int("seq"), *_ms("at_ms"), *_int("actor"), *_text("kind", "payload"), *_text("command_id", null=True),
        _key("event", "table_id", "seq"), sqlite_with_rowid=False,
    )  # fmt: skip
    named = sa.text("command_id IS NOT NULL")
    name = "uq_event_table_id_command_id"
    op.create_index(
        name,
        "event",
        ["table_id", "command_id"],
        unique=True,
        sqlite_where=named,
        postgresql_where=named,
    )


def _persons() -> None:
    op.create_table(
        "person", *_text("id", "name"), *_ms("created_ms", "seen_ms"), _key("person", "id")
    )
    op.create_table(
        "token",
        *_text("hash", "person_id", "kind"), *_ms("created_ms"),
        _key("token", "hash"), _refers("token", "person_id", "person.id"),
    )  # fmt: skip
    _index("token", "person_id")


def _tables() -> None:
    op.create_table(
        "game_table",
        *_text("id", "game"), *_int("players", "rules_version"), *_text("options"), *_int("public"), *_text("pace", "status"),
        *_text("seed", "commitment"), *_ms("created_ms", "changed_ms"), *_text("next_table", "host", null=True),
        _key("game_table", "id"), _refers("game_table", "host", "person.id"),
    )  # fmt: skip
    _index("game_table", "status", "public", "changed_ms")
    _index("game_table", "host")
    op.create_table(
        "seat",
        *_text("table_id"), *_int("seat"), *_text("kind"), *_text("person_id", "level", "name", null=True),
        _key("seat", "table_id", "seat"), _refers("seat", "table_id", "game_table.id"), _refers("seat", "person_id", "person.id"),
    )  # fmt: skip
    _index("seat", "person_id")
    op.create_table(
        "chat",
        *_text("table_id"), *_int("number"), *_ms("at_ms"), *_text("person_id"), *_int("seat", null=True), *_text("text"),
        _key("chat", "table_id", "number"), _refers("chat", "table_id", "game_table.id"), _refers("chat", "person_id", "person.id"),
    )  # fmt: skip
    _index("chat", "person_id")
