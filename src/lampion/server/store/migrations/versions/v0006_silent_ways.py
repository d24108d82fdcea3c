"""E-mail addresses that get no notifications and still lead back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

DROPPED_BY_DOWNGRADE = "e-mail addresses that were kept as a way back without notifications"


def upgrade() -> None:
    op.add_column("way", sa.Column("silent_ms", sa.BigInteger, nullable=True))


def downgrade() -> None:
    # The older version would send to them.
    silent = "SELECT id FROM way WHERE silent_ms IS NOT NULL"
    op.execute(f"DELETE FROM outbox WHERE way_id IN ({silent})")
    op.execute("DELETE FROM way WHERE silent_ms IS NOT NULL")
    op.drop_column("way", "silent_ms")
