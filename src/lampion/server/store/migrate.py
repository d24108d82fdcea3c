"""Bring a database to the newest schema, or back to an older one. The same steps for SQLite and
PostgreSQL, all of them or none."""

from __future__ import annotations

from typing import NamedTuple

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


def upgrade(engine: sa.Engine) -> str:
    """Returns the revision, which is the newest."""
    with engine.begin() as connection:
        _lock(connection)
        settings = config()
        steps = ScriptDirectory.from_config(settings)
        current = _current(connection, steps)
        newest = steps.get_current_head()
        assert newest is not None, "there is a first step"
        if current != newest:
            settings.attributes["connection"] = connection
            command.upgrade(settings, "head")
        return newest


def check_current(engine: sa.Engine) -> None:
    """For a command that must not change the schema under a running server of another version."""
    with engine.connect() as connection:
        steps = ScriptDirectory.from_config(config())
        current, newest = _current(connection, steps), steps.get_current_head()
    if current != newest:
        message = f"the database has schema {current}, this version of Lampion needs {newest}"
        raise StorageFailed(f"{message}; start its server once", code="schema-differs")


class Rollback(NamedTuple):
    """What going back to an older schema means."""

    current: str
    target: str
    dropped: list[str]
    """What is lost, in words."""


def plan_rollback(engine: sa.Engine, target: str) -> Rollback:
    with engine.connect() as connection:
        return _plan(connection, target)


def downgrade(engine: sa.Engine, target: str) -> Rollback:
    """To the schema of an older version, all steps or none."""
    with engine.begin() as connection:
        _lock(connection)
        plan = _plan(connection, target)
        settings = config()
        settings.attributes["connection"] = connection
        command.downgrade(settings, target)
        return plan


def _plan(connection: sa.Connection, target: str) -> Rollback:
    steps = ScriptDirectory.from_config(config())
    current = _current(connection, steps)
    if current is None:
        raise StorageFailed("this is not a database of Lampion", code="not-a-database")
    older = [step for step in steps.iterate_revisions(current, "base") if step.revision != current]
    if target not in {step.revision for step in older}:
        known = ", ".join(sorted(step.revision for step in older)) or "none"
        message = f"the schema is {current}; it can be rolled back to: {known}"
        raise StorageFailed(message, code="unknown-revision", where=target)
    undone = steps.iterate_revisions(current, target)
    return Rollback(current, target, [step.module.DROPPED_BY_DOWNGRADE for step in undone])


def _lock(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        # Of several processes that start at once, one migrates.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))


def _current(connection: sa.Connection, steps: ScriptDirectory) -> str | None:
    current = MigrationContext.configure(connection).get_current_revision()
    if current is not None and current not in {step.revision for step in steps.walk_revisions()}:
        message = f"the database is of a newer Lampion (schema {current})"
        raise StorageFailed(message, code="database-too-new")
    return current
