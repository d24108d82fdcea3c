"""Keys that expire, links between rematches, sanctions, an audit log, keys of operators, settings.

Deletes the codes for linking a device: until now they never expired.
"""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

DROPPED_BY_DOWNGRADE = (
    "bans and mutes, the audit log, keys of operators, settings, links to previous tables, reasons "
    "for quarantine, codes for linking a device, bot keys with an expiry, expired keys"
)
"""What the older version has no place for, or would take for keys that never expire."""


def _text(*names: str, null: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=null) for name in names]


def _ms(*names: str, null: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=null) for name in names]


def _key(table: str, column: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(column, name=op.f(f"pk_{table}"))


def upgrade() -> None:
    op.execute("DELETE FROM token WHERE kind = 'link'")
    op.add_column("token", *_ms("expires_ms", null=True))
    op.add_column("process", *_text("url", null=True))
    _link_tables()
    op.create_table(
        "sanction",
        *_text("id", "what", "kind", "subject", "reason"),
        *_ms("created_ms"),
        *_ms("until_ms", "lifted_ms", null=True),
        _key("sanction", "id"),
        sa.CheckConstraint("what IN ('ban', 'mute')", name=op.f("ck_sanction_what")),
        sa.CheckConstraint("kind IN ('person', 'address')", name=op.f("ck_sanction_kind")),
    )
    op.create_index(op.f("ix_sanction_subject"), "sanction", ["subject"])
    op.create_table(
        "admin_key",
        *_text("hash", "label"),
        *_ms("created_ms"),
        *_ms("expires_ms", null=True),
        _key("admin_key", "hash"),
    )
    op.create_table("setting", *_text("name", "value"), _key("setting", "name"))
    _audit()


def _link_tables() -> None:
    op.add_column("game_table", *_text("previous_table", null=True))
    op.add_column("game_table", *_text("problem", null=True))
    op.execute(
        """UPDATE game_table SET previous_table = before.id FROM game_table AS before
           WHERE before.next_table = game_table.id"""
    )
    for link in ("next_table", "previous_table"):
        named = sa.text(f"{link} IS NOT NULL")
        op.create_index(
            op.f(f"ix_game_table_{link}"),
            "game_table",
            [link],
            sqlite_where=named,
            postgresql_where=named,
        )


def _audit() -> None:
    op.create_table(
        "audit",
        *_text("id"),
        *_ms("at_ms"),
        *_text("actor", "action", "subject", "details"),
        _key("audit", "id"),
    )
    op.create_index(op.f("ix_audit_at_ms"), "audit", ["at_ms"])
    if op.get_context().dialect.name == "sqlite":
        for change in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER audit_no_{change} BEFORE {change.upper()} ON audit "
                "BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the audit log is append-only' "
        "USING ERRCODE = 'integrity_constraint_violation'; END $$"
    )
    # For each statement: that covers TRUNCATE, too, and a change that would touch no row.
    op.execute(
        "CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()"
    )


def downgrade() -> None:
    expired = sa.text(
        """DELETE FROM token WHERE kind = 'link' OR expires_ms <= :now
           OR (kind = 'bot' AND expires_ms IS NOT NULL)"""
    )
    op.execute(expired.bindparams(now=int(time.time() * 1000)))
    for table in ("sanction", "admin_key", "setting", "audit"):
        op.drop_table(table)
    if op.get_context().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_is_append_only()")
    for link in ("next_table", "previous_table"):
        op.drop_index(op.f(f"ix_game_table_{link}"), "game_table")
    op.drop_column("game_table", "problem")
    op.drop_column("game_table", "previous_table")
    op.drop_column("process", "url")
    op.drop_column("token", "expires_ms")
