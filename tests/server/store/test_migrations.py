"""The steps in `migrations` lead to what `schema.py` describes, on both databases."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from click.testing import CliRunner

from lampion.cli.main import main
from lampion.server.store import care, is_postgres, migrate, open_backend, sqlite
from lampion.server.store import postgres as postgres_store
from lampion.server.store.base import (
    Appended,
    AuditRow,
    ChallengeRow,
    ExerciseRow,
    Mark,
    OutcomeRow,
    PasskeyRow,
    RecoveryRow,
    SanctionRow,
    StorageFailed,
    TableStatus,
    TokenKind,
    TokenRow,
)
from lampion.server.store.schema import metadata
from tests.server.store.postgres import Postgres
from tests.server.store.support import events, opened, person_row, run, table_row, two_seats


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "lampion.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.create("migrations")


def engine_of(url: str) -> sa.Engine:
    return postgres_store.engine_of(url) if is_postgres(url) else sqlite.engine_of(Path(url))


def test_from_empty_to_the_described_schema_and_nothing_to_do_after_it(empty_url: str) -> None:
    for _ in range(2):
        open_backend(empty_url).close()
        with engine_of(empty_url).connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, metadata) == []


def test_the_files_of_the_steps_name_all_schemas() -> None:
    """`revisions` reads no step, so that a start does not have to import Alembic."""
    steps = ScriptDirectory.from_config(migrate.config())
    assert migrate.revisions() == sorted(step.revision for step in steps.walk_revisions())
    assert steps.get_current_head() == migrate.revisions()[-1]


def test_a_database_of_a_newer_version_is_left_alone(empty_url: str) -> None:
    open_backend(empty_url).close()
    with engine_of(empty_url).begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageFailed, match="database-too-new"):
        open_backend(empty_url)


def test_a_failed_migration_leaves_nothing_behind(empty_url: str) -> None:
    """A table of the same name stands in the way of the last step."""
    if not is_postgres(empty_url):
        Path(empty_url).touch()
    with engine_of(empty_url).begin() as connection:
        connection.execute(sa.text("CREATE TABLE event (something INTEGER)"))
    with pytest.raises(StorageFailed, match="already exists"):
        open_backend(empty_url)
    with engine_of(empty_url).connect() as connection:
        assert set(sa.inspect(connection).get_table_names()) == {"event"}


def test_processes_that_start_together_migrate_once(postgres: Postgres) -> None:
    url = postgres.create("together")
    problems: list[BaseException] = []

    def start() -> None:
        try:
            migrate.upgrade(postgres_store.engine_of(url))
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


OLD_ROWS: dict[str, list[tuple[Any, ...]]] = {
    "person": [("ada", "Ada", 1, 2), ("ben", "Ben", 1, 2)],
    "game_table": [
        ("t1", "lanterns", 2, 1, "{}", 1, "{}", "finished", "5eed", "c0", 1, 2, "t2", "ada"),
        ("t2", "lanterns", 2, 1, "{}", 0, "{}", "running", "5eed", "c0", 3, 4, None, None),
    ],
    "seat": [("t1", 0, "person", "ada", None, "Ada"), ("t1", 1, "bot", None, "easy", "Bot")],
    "event": [("t1", 1, 5, -1, "chance", "é", None), ("t1", 2, 6, 0, "act", "x", "command")],
    "chat": [("t1", 1, 7, "ada", 0, "hello")],
    "process": [("me", 9)],
    "token": [("h1", "ada", "cookie", 1), ("h2", "ada", "bot", 2), ("h3", "ben", "link", 3)],
}
"""As version 0001 wrote them."""
OLD_COLUMNS = {
    "game_table": "id, game, players, rules_version, options, public, pace, status, seed, "
    "commitment, created_ms, changed_ms, next_table, host",
    "process": "id, seen_ms",
    "token": "hash, person_id, kind, created_ms",
}


def _old_rows(engine: sa.Engine) -> dict[str, list[tuple[Any, ...]]]:
    with engine.connect() as db:
        return {
            table: sorted(map(tuple, db.exec_driver_sql(f"SELECT {columns} FROM {table}")))
            for table, columns in ((table, OLD_COLUMNS.get(table, "*")) for table in OLD_ROWS)
        }


def _make_old(url: str) -> sa.Engine:
    """A database just as version 0001 left it."""
    if not is_postgres(url):
        Path(url).touch()
    engine = engine_of(url)
    with engine.begin() as connection:
        settings = migrate.config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, "0001")
        mark = "%s" if is_postgres(url) else "?"
        for table, rows in OLD_ROWS.items():
            for row in rows:
                marks = ", ".join([mark] * len(row))
                connection.exec_driver_sql(f"INSERT INTO {table} VALUES ({marks})", row)
    return engine


def _check_schema(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_an_old_database_goes_up_and_down_and_up_again(empty_url: str) -> None:
    engine = _make_old(empty_url)
    assert _old_rows(engine) == OLD_ROWS
    kept = {**OLD_ROWS, "token": OLD_ROWS["token"][:2]}

    async def use(round_: int) -> None:
        async with opened(empty_url) as store:
            old, new = await store.table("t1"), await store.table("t2")
            assert old is not None and (old.next_table, old.previous_table) == ("t2", None)
            assert new is not None and (new.next_table, new.previous_table) == (None, "t1")
            assert (new.status, new.problem) == (TableStatus.RUNNING, None)
            tokens = await store.tokens("ada")
            assert [token.expires_ms for token in tokens] == [None, None]
            assert await store.tokens("ben") == [], "old codes are gone, they never expired"
            for kind in TokenKind:
                await store.add_token(TokenRow(f"x-{kind}", "ben", kind, 9, 2**50))
            await store.add_token(TokenRow("x-old", "ben", TokenKind.COOKIE, 9, 10))
            await store.add_audit(AuditRow("a1", round_, "operator", "ban", "ben", ""))
            await store.add_sanction(SanctionRow("s1", "ban", "person", "ben", "", 1))
            await store.set_setting("announcement", "hi")
            await store.mark("t1", "ben", Mark.HIDDEN)
            await store.mark("t1", "ada", Mark.INVITED)
            await store.set_recovery(RecoveryRow("ben", "lusab babad", "00", "h", 9))
            await store.add_passkey(PasskeyRow("p1", "ben", "public", 0, "", 9))
            await store.add_challenge(ChallengeRow("c1", "add", "ben", 2**50))
            outcomes = {"t1": "played", "t2": "continued"}
            await store.add_outcomes(
                [OutcomeRow(table, 9, why, "[]", "[]", "[]") for table, why in outcomes.items()]
            )
            await store.block("ada", "ben")
            kept = ExerciseRow("ada", "e1", "lanterns", 2, 0, 30, "{}", 9, 9)
            assert await store.keep_exercises("ada", [(kept, "{}")])
            await store.beat("me", 9, "http://127.0.0.1:1")

    for round_ in range(2):
        asyncio.run(use(round_))
        _check_schema(engine)
        plan = care.roll_back(empty_url, "0001")
        assert (plan.current, plan.target) == (migrate.revisions()[-1], "0001")
        told = ["practice", "passkeys", "hidden", "audit"]
        assert all(any(word in part for part in plan.dropped) for word in told), plan.dropped
        down = _old_rows(engine)
        left = ("x-cookie", "ben", "cookie", 9)
        assert down == {**kept, "token": [*kept["token"], left]}, "no key that would never expire"
        with engine.begin() as db:
            names = set(sa.inspect(db).get_table_names())
            db.exec_driver_sql("DELETE FROM token WHERE hash = 'x-cookie'")
        assert names == {*OLD_ROWS, "alembic_version"}
    open_backend(empty_url).close()
    assert _old_rows(engine) == kept


def test_a_rollback_forgets_outcomes_that_the_older_server_would_count(empty_url: str) -> None:
    """Games that go on from a finished one count in nobody's results. An older server does not know
    such games, and this one learns their outcomes again."""
    engine = _make_old(empty_url)
    open_backend(empty_url).close()
    outcomes = [("t1", "played"), ("t2", "continued")]
    with engine.begin() as db:
        for table, reason in outcomes:
            db.exec_driver_sql(
                "INSERT INTO outcome (table_id, ended_ms, reason, scores, placements, winners)"
                f" VALUES ('{table}', 9, '{reason}', '[]', '[]', '[]')"
            )
    care.roll_back(empty_url, "0006")
    with engine.connect() as db:
        assert [*db.exec_driver_sql("SELECT table_id FROM outcome")] == [("t1",)]


def test_a_rollback_goes_to_an_older_schema_only(empty_url: str) -> None:
    open_backend(empty_url).close()
    for target in (migrate.revisions()[-1], "9999", "base", "head", "", "-1", "000"):
        with pytest.raises(StorageFailed, match="unknown-revision"):
            care.roll_back(empty_url, target)
    _check_schema(engine_of(empty_url))


def test_a_server_on_a_rolled_back_database_says_so(postgres: Postgres) -> None:
    """Its connection broke, so nothing held up the rollback."""
    url = postgres.create("rolled")

    async def story() -> None:
        async with opened(url, patience=0.5) as store:
            await store.add_person(person_row("Ada"))
            with psycopg.connect(url, autocommit=True) as db:
                db.execute("UPDATE alembic_version SET version_num = '0001'")
                sessions = "FROM pg_stat_activity WHERE application_name = 'lampion'"
                db.execute(f"SELECT pg_terminate_backend(pid) {sessions}")
            with pytest.raises(StorageFailed, match="schema-changed"):
                await store.add_person(person_row("Ben"))

    run(story())


@pytest.mark.parametrize("words", [["rollback", "--to", "0001", "--yes"], ["compact"]])
def test_a_database_in_use_is_left_alone(words: list[str], url: str) -> None:
    async def story() -> None:
        async with opened(url) as store:
            await store.create_table(table_row(), two_seats())
            refused = await asyncio.to_thread(
                CliRunner().invoke,
                main,
                ["data", *words, "--database", url],
            )
            assert refused.exit_code == 1, refused.output
            assert "uses this" in refused.stderr and refused.stderr.count("\n") == 1
            assert await store.append("table1", 0, events("on")) == Appended(1)

    asyncio.run(story())


def test_a_rollback_is_planned_for_a_database_of_lampion_only(
    postgres: Postgres, tmp_path: Path
) -> None:
    url, strange = postgres.create("planned"), tmp_path / "strange.db"
    with pytest.raises(StorageFailed, match="not-a-database"):
        care.plan_rollback(url, "0001")
    open_backend(url).close()
    planned = care.plan_rollback(url, "0001")
    assert (planned.current, planned.target) == (migrate.revisions()[-1], "0001")
    assert len(planned.dropped) == len(migrate.revisions()) - 1
    sqlite3.connect(strange).close()
    with pytest.raises(StorageFailed, match="not-a-database"):
        care.plan_rollback(str(strange), "0001")


def test_a_command_does_not_change_the_schema_of_an_older_database(empty_url: str) -> None:
    """A server of the older version may be running on it."""
    open_backend(empty_url).close()
    care.check_schema(empty_url)
    care.roll_back(empty_url, migrate.revisions()[-2])
    with pytest.raises(StorageFailed, match="schema-differs"):
        care.check_schema(empty_url)


def test_what_a_database_answers_to_a_command_is_told_in_a_sentence(
    postgres: Postgres, tmp_path: Path
) -> None:
    away = "postgresql://nobody@127.0.0.1:9/none"
    for ask in (
        lambda: care.check_schema(away),
        lambda: care.compact(away),
        lambda: postgres_store.backup(away, tmp_path / "backup.db"),
        lambda: open_backend(away),
    ):
        with pytest.raises(StorageFailed) as told:
            ask()
        assert told.value.code == "storage-unreachable"
    text = tmp_path / "text.db"
    text.write_text("not a database " * 100)
    for ask in (
        lambda: care.check_schema(str(text)),
        lambda: care.compact(str(text)),
        lambda: sqlite.backup(text, tmp_path / "backup.db"),
    ):
        with pytest.raises(StorageFailed):
            ask()


def test_a_postgres_database_is_compacted_while_no_server_may_start(postgres: Postgres) -> None:
    url = postgres.create("compacted")
    open_backend(url).close()
    care.compact(url)
    with (
        postgres_store.without_servers(url),
        pytest.raises(StorageFailed, match="database-in-use"),
    ):
        open_backend(url).connect()
    with pytest.raises(StorageFailed), postgres_store.without_servers(url) as db:
        db.execute("SELECT 1 / 0")
    open_backend(url).connect().close()
