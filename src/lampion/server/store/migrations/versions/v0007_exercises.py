"""Decisions that people practice, and when each comes back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

DROPPED_BY_DOWNGRADE = "positions that players practice, and when each of them is due"


def upgrade() -> None:
    op.create_table(
        "exercise",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("person_id", "id", "game")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("players", "seat", "ply")),
        sa.Column("judged", sa.Text, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("created_ms", "due_ms")),
        sa.Column("memory", sa.Text, nullable=True),
        sa.Column("suspended_ms", sa.BigInteger, nullable=True),
        sa.Column("record", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("person_id", "id", name=op.f("pk_exercise")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_exercise_person_id")),
    )
    op.create_index(op.f("ix_exercise_person_id_due_ms"), "exercise", ["person_id", "due_ms"])


def downgrade() -> None:
    # The version before would count these games in people's results. It cannot read their logs, and
    # this version learns the outcomes again.
    op.execute("DELETE FROM outcome WHERE reason = 'continued'")
    op.drop_table("exercise")
