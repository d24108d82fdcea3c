"""Devices by name, ways back for a person who lost them, invitations to people one has played
with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

DROPPED_BY_DOWNGRADE = (
    "recovery phrases, passkeys, names of devices and when they were last used, invitations to "
    "people one has played with, whom players have blocked"
)
BEFORE = ("hidden", "removed", "muted")
AFTER = (*BEFORE, "invited")


def _text(*names: str, null: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=null) for name in names]


def _ms(*names: str, null: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=null) for name in names]


def _of_person(table: str, column: str = "person_id") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], ["person.id"], name=op.f(f"fk_{table}_{column}"))


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=op.f(f"pk_{table}"))


def upgrade() -> None:
    op.add_column("token", *_text("label", null=True))
    op.add_column("token", *_ms("seen_ms", null=True))
    op.create_table(
        "recovery",
        *_text("person_id", "name", "salt", "hash"),
        *_ms("created_ms"),
        *_ms("kept_ms", null=True),
        _key("recovery", "person_id"),
        _of_person("recovery"),
    )
    op.create_index(op.f("uq_recovery_name"), "recovery", ["name"], unique=True)
    op.create_table(
        "passkey",
        *_text("id", "person_id", "public_key"),
        *_ms("sign_count"),
        *_text("label"),
        *_ms("created_ms"),
        *_ms("used_ms", null=True),
        _key("passkey", "id"),
        _of_person("passkey"),
    )
    op.create_table(
        "challenge",
        *_text("hash", "purpose"),
        *_text("person_id", null=True),
        *_ms("expires_ms"),
        _key("challenge", "hash"),
        _of_person("challenge"),
    )
    _companions()
    for table, column in (
        ("passkey", "person_id"),
        ("challenge", "person_id"),
        ("block", "other_id"),
    ):
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column])
    _allow_marks(AFTER)


def _companions() -> None:
    """How games ended, and whom people do not want to hear from."""
    op.create_table(
        "outcome",
        *_text("table_id"),
        *_ms("ended_ms"),
        *_text("reason", "scores", "placements", "winners"),
        _key("outcome", "table_id"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_outcome_table_id")),
    )
    op.create_table(
        "block",
        *_text("person_id", "other_id"),
        _key("block", "person_id", "other_id"),
        _of_person("block"),
        _of_person("block", "other_id"),
    )


def _allow_marks(kinds: tuple[str, ...]) -> None:
    """SQLite cannot change a constraint, so the table is rebuilt."""
    allowed = f"kind IN ({', '.join(repr(kind) for kind in kinds)})"
    op.execute(sa.text(f"DELETE FROM mark WHERE NOT {allowed}"))
    if op.get_context().dialect.name == "postgresql":
        op.drop_constraint("ck_mark_kind", "mark", type_="check")
        op.create_check_constraint(op.f("ck_mark_kind"), "mark", allowed)
        return
    op.drop_index(op.f("ix_mark_person_id"), "mark")
    op.rename_table("mark", "old_mark")
    op.create_table(
        "mark",
        *_text("table_id", "person_id", "kind"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_mark_table_id")),
        _of_person("mark"),
        _key("mark", "table_id", "person_id", "kind"),
        sa.CheckConstraint(allowed, name=op.f("ck_mark_kind")),
    )
    op.execute("INSERT INTO mark SELECT table_id, person_id, kind FROM old_mark")
    op.drop_table("old_mark")
    op.create_index(op.f("ix_mark_person_id"), "mark", ["person_id"])


def downgrade() -> None:
    # The older version knows neither the kind nor where it belongs.
    op.execute("DELETE FROM token WHERE kind = 'merge'")
    _allow_marks(BEFORE)
    for table in ("block", "outcome", "challenge", "passkey", "recovery"):
        op.drop_table(table)
    op.drop_column("token", "seen_ms")
    op.drop_column("token", "label")
