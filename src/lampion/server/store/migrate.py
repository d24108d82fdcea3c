"""Bring a database to the newest schema, or back to an older one. The same steps for SQLite and
PostgreSQL, all of them or none.

Alembic runs the steps. It takes long to import, so it is imported only where a step is due: nearly
every start finds the schema that it needs.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa

from lampion.server.store.base import StorageFailed

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

MIGRATION_LOCK = 0x1A3910
"""Any number that other users of the same PostgreSQL database do not lock."""


_STEPS = Path(__file__).parent / "migrations" / "versions"
_STEP = re.compile(r"v([0-9]{4})_[a-z_]+")
_version = sa.table("alembic_version", sa.column("version_num", sa.String))


def revisions() -> list[str]:
    """The schemas that this version of Lampion knows, oldest first, by the files of their steps."""
    found = (_STEP.fullmatch(path.stem) for path in _STEPS.glob("*.py"))
    return sorted(step[1] for step in found if step)


def config() -> Config:
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", "lampion.server.store:migrations")
    made.set_main_option("path_separator", "os")
    return made


def upgrade(engine: sa.Engine) -> str:
    """Returns the revision, which is the newest."""
    newest = revisions()[-1]
    with engine.begin() as connection:
        _lock(connection)
        if _current(connection) != newest:
            from alembic import command

            settings = config()
            settings.attributes["connection"] = connection
            command.upgrade(settings, "head")
    return newest


def check_current(engine: sa.Engine) -> None:
    """For a command that must not change the schema under a running server of another version."""
    with engine.connect() as connection:
        current, newest = _current(connection), revisions()[-1]
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
    from alembic import command

    with engine.begin() as connection:
        _lock(connection)
        plan = _plan(connection, target)
        settings = config()
        settings.attributes["connection"] = connection
        command.downgrade(settings, target)
        return plan


def _plan(connection: sa.Connection, target: str) -> Rollback:
    current = _current(connection)
    if current is None:
        raise StorageFailed("this is not a database of Lampion", code="not-a-database")
    older = [revision for revision in revisions() if revision < current]
    if target not in older:
        known = ", ".join(older) or "none"
        message = f"the schema is {current}; it can be rolled back to: {known}"
        raise StorageFailed(message, code="unknown-revision", where=target)
    undone = _steps().iterate_revisions(current, target)
    return Rollback(current, target, [step.module.DROPPED_BY_DOWNGRADE for step in undone])


def _lock(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        # Of several processes that start at once, one migrates.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))


def _steps() -> ScriptDirectory:
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(config())


def _current(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table(_version.name):
        return None
    current: str | None = connection.scalar(sa.select(_version.c.version_num))
    if current is not None and current not in revisions():
        message = f"the database is of a newer Lampion (schema {current})"
        raise StorageFailed(message, code="database-too-new")
    return current
