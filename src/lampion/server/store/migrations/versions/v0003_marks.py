"""Tables that a person has hidden, and people whom a host has removed from a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

DROPPED_BY_DOWNGRADE = "which games players have hidden, whom hosts have removed from open tables"


def upgrade() -> None:
    op.create_table(
        "mark",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("table_id", "person_id", "kind")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_mark_table_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_mark_person_id")),
        sa.PrimaryKeyConstraint("table_id", "person_id", "kind", name=op.f("pk_mark")),
        sa.CheckConstraint("kind IN ('hidden', 'removed')", name=op.f("ck_mark_kind")),
    )
    op.create_index(op.f("ix_mark_person_id"), "mark", ["person_id"])


def downgrade() -> None:
    op.drop_table("mark")
