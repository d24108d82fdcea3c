"""Notices to people who are not here: their ways out, wishes and vacations, and the outbox.

A table can be muted: the marks get a kind more.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

DROPPED_BY_DOWNGRADE = (
    "notifications and how players want to get them, vacations, muted tables, "
    "the keys for push messages and unsubscribe links"
)
SECRETS = ("vapid_key", "notify_secret")


def _text(*names: str, null: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=null) for name in names]


def _ms(*names: str, null: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=null) for name in names]


def _int(*names: str, null: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer, nullable=null) for name in names]


def _key(table: str, *names: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*names, name=op.f(f"pk_{table}"))


def _link(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=op.f(f"fk_{table}_{column}"))


def _index(table: str, *names: str) -> None:
    op.create_index(op.f(f"ix_{table}_{'_'.join(names)}"), table, list(names))


def upgrade() -> None:
    _remake_marks("'hidden', 'removed', 'muted'")
    op.create_table(
        "way",
        *_text("id", "person_id", "kind", "address", "details"),
        *_ms("created_ms"),
        *_ms("confirmed_ms", null=True),
        *_text("problem", null=True),
        _key("way", "id"),
        _link("way", "person_id", "person.id"),
        sa.UniqueConstraint(
            "person_id", "kind", "address", name=op.f("uq_way_person_id_kind_address")
        ),
        sa.CheckConstraint("kind IN ('push', 'mail', 'webhook')", name=op.f("ck_way_kind")),
    )
    _index("way", "kind", "address")
    op.create_table(
        "reach",
        *_text("person_id", "language", "zone"),
        *_int("quiet_from", "quiet_to", null=True),
        *_ms("escalate_ms"),
        *_text("off"),
        _key("reach", "person_id"),
        _link("reach", "person_id", "person.id"),
    )
    op.create_table(
        "vacation",
        *_text("person_id"),
        *_ms("from_ms", "to_ms"),
        _key("vacation", "person_id", "from_ms"),
        _link("vacation", "person_id", "person.id"),
    )
    _outbox()


def _outbox() -> None:
    states = "'waiting', 'sent', 'seen', 'settled', 'failed'"
    op.create_table(
        "outbox",
        *_text("id", "person_id", "way_id", "table_id", "kind"),
        *_int("ply"),
        *_ms("created_ms", "due_ms"),
        *_text("state"),
        *_int("attempts"),
        *_ms("lease_ms"),
        *_ms("sent_ms", null=True),
        *_text("problem", null=True),
        _key("outbox", "id"),
        _link("outbox", "person_id", "person.id"),
        _link("outbox", "way_id", "way.id"),
        _link("outbox", "table_id", "game_table.id"),
        sa.CheckConstraint(f"state IN ({states})", name=op.f("ck_outbox_state")),
    )
    _index("outbox", "person_id", "table_id")
    _index("outbox", "table_id")
    _index("outbox", "way_id", "sent_ms")
    waits = sa.text("state = 'waiting'")
    op.create_index(
        op.f("ix_outbox_due_ms"), "outbox", ["due_ms"], sqlite_where=waits, postgresql_where=waits
    )


def _remake_marks(kinds: str) -> None:
    """SQLite cannot change a constraint: the rows move into a new table."""
    if op.get_context().dialect.name == "postgresql":
        op.drop_constraint(op.f("ck_mark_kind"), "mark")
        op.create_check_constraint(op.f("ck_mark_kind"), "mark", f"kind IN ({kinds})")
        return
    op.drop_index(op.f("ix_mark_person_id"), "mark")
    op.rename_table("mark", "mark_before")
    op.create_table(
        "mark",
        *_text("table_id", "person_id", "kind"),
        _link("mark", "table_id", "game_table.id"),
        _link("mark", "person_id", "person.id"),
        _key("mark", "table_id", "person_id", "kind"),
        sa.CheckConstraint(f"kind IN ({kinds})", name=op.f("ck_mark_kind")),
    )
    op.execute("INSERT INTO mark SELECT table_id, person_id, kind FROM mark_before")
    op.drop_table("mark_before")
    _index("mark", "person_id")


def downgrade() -> None:
    for table in ("outbox", "vacation", "reach", "way"):
        op.drop_table(table)
    op.execute("DELETE FROM mark WHERE kind = 'muted'")
    _remake_marks("'hidden', 'removed'")
    for name in SECRETS:
        op.execute(sa.text("DELETE FROM setting WHERE name = :name").bindparams(name=name))
