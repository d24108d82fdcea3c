"""Bring a database to the newest schema. The same steps for SQLite and PostgreSQL, all of them or none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from lampion.server.store.base import StorageFailed

MIGRATION_LOCK = 0x1A3910
"""Any number that other users of the same PostgreSQL database do not lock."""


def config() -> Config:
    made = Config()
    made.set_main_option("script_location", "lampion.server.store:migrations")
    made.set_main_option("path_separator", "os")
    return made


def upgrade(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            # Of several processes that start at once, one migrates.
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        settings = config()
        steps = ScriptDirectory.from_config(settings)
        current = MigrationContext.configure(connection).get_current_revision()
        if current == steps.get_current_head():
            return
        if current is not None and current not in {step.revision for step in steps.walk_revisions()}:
            raise StorageFailed(f"the database is of a newer Lampion (schema {current})", code="database-too-new")
        settings.attributes["connection"] = connection
        command.upgrade(settings, "head")
