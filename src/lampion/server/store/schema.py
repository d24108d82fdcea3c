"""The tables of the database, the same in SQLite and PostgreSQL: ids and JSON are texts, times are
milliseconds, no defaults.

    person ──< token                     game_table ──< seat        person ──< seat (may be nobody)
    person ──< chat >── game_table       game_table ──< event       process, setting
    person ──< mark >── game_table       person ──< way ──< outbox >── game_table
    person ──  reach                     person ──< vacation        game_table ── outcome
    person ──  recovery                  person ──< passkey, challenge, block, exercise
    sanction, audit (append-only: triggers of the migration see to that), admin_key

A change here needs a migration in `migrations/versions`; a test compares the two. Statements at run
time are plain SQL in `queries.py` and `log.py`: this description is for migrations, backup and
restore.
"""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _text(name: str, *more: sa.ForeignKey, null: bool = False, key: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, *more, nullable=null, primary_key=key)


def _ms(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=null)


def _int(name: str, *, null: bool = False, key: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=null, primary_key=key, autoincrement=False)


person = sa.Table(
    "person",
    metadata,
    _text("id", key=True),
    _text("name"),
    _ms("created_ms"),
    _ms("seen_ms"),
)

token = sa.Table(
    "token", metadata,
    _text("hash", key=True), _text("person_id", sa.ForeignKey("person.id")), _text("kind"), _ms("created_ms"),
    _ms("expires_ms", null=True), _text("label", null=True), _ms("seen_ms", null=True),
    sa.Index(None, "person_id"),
)  # fmt: skip

recovery = sa.Table(
    "recovery", metadata,
    _text("person_id", sa.ForeignKey("person.id"), key=True), _text("name"), _text("salt"), _text("hash"),
    _ms("created_ms"), _ms("kept_ms", null=True),
    sa.Index("uq_recovery_name", "name", unique=True),
)  # fmt: skip

passkey = sa.Table(
    "passkey", metadata,
    _text("id", key=True), _text("person_id", sa.ForeignKey("person.id")), _text("public_key"),
    sa.Column("sign_count", sa.BigInteger, nullable=False), _text("label"), _ms("created_ms"), _ms("used_ms", null=True),
    sa.Index(None, "person_id"),
)  # fmt: skip

challenge = sa.Table(
    "challenge", metadata,
    _text("hash", key=True), _text("purpose"), _text("person_id", sa.ForeignKey("person.id"), null=True),
    _ms("expires_ms"),
    sa.Index(None, "person_id"),
)  # fmt: skip

outcome = sa.Table(
    "outcome", metadata,
    _text("table_id", sa.ForeignKey("game_table.id"), key=True), _ms("ended_ms"), _text("reason"), _text("scores"),
    _text("placements"), _text("winners"),
)  # fmt: skip

# The record lies in the row: a few kilobytes at most, and it must outlive its table.
exercise = sa.Table(
    "exercise", metadata,
    _text("person_id", sa.ForeignKey("person.id"), key=True), _text("id", key=True), _text("game"), _int("players"),
    _int("seat"), _int("ply"), _text("judged"), _ms("created_ms"), _ms("due_ms"), _text("memory", null=True),
    _ms("suspended_ms", null=True), _text("record"),
    sa.Index(None, "person_id", "due_ms"),
)  # fmt: skip

block = sa.Table(
    "block", metadata,
    _text("person_id", sa.ForeignKey("person.id"), key=True), _text("other_id", sa.ForeignKey("person.id"), key=True),
    sa.Index(None, "other_id"),
)  # fmt: skip

game_table = sa.Table(
    "game_table", metadata,
    _text("id", key=True), _text("game"), _int("players"), _int("rules_version"), _text("options"), _int("public"),
    _text("pace"), _text("status"), _text("seed"), _text("commitment"), _ms("created_ms"), _ms("changed_ms"),
    _text("next_table", null=True), _text("host", sa.ForeignKey("person.id"), null=True),
    _text("previous_table", null=True), _text("problem", null=True),
    sa.Index(None, "status", "public", "changed_ms"),
    sa.Index(None, "host"),
)  # fmt: skip

# To find what refers to a table that is deleted; most tables have neither.
for _link in (game_table.c.next_table, game_table.c.previous_table):
    _linked = _link.is_not(None)
    sa.Index(f"ix_game_table_{_link.name}", _link, sqlite_where=_linked, postgresql_where=_linked)

seat = sa.Table(
    "seat", metadata,
    _text("table_id", sa.ForeignKey("game_table.id"), key=True), _int("seat", key=True), _text("kind"),
    _text("person_id", sa.ForeignKey("person.id"), null=True), _text("level", null=True), _text("name", null=True),
    sa.Index(None, "person_id"),
)  # fmt: skip

# No foreign key: it would be looked up, and in PostgreSQL locked, for every action of every game.
# Without row ids the log of a table lies together on disk and takes a third less space.
event = sa.Table(
    "event", metadata,
    _text("table_id", key=True), _int("seq", key=True), _ms("at_ms"), _int("actor"), _text("kind"), _text("payload"),
    _text("command_id", null=True),
    sqlite_with_rowid=False,
)  # fmt: skip
# Most events have no command: they need no place in the index.
_named = event.c.command_id.is_not(None)
sa.Index(
    "uq_event_table_id_command_id",
    event.c.table_id,
    event.c.command_id,
    unique=True,
    sqlite_where=_named,
    postgresql_where=_named,
)

chat = sa.Table(
    "chat", metadata,
    _text("table_id", sa.ForeignKey("game_table.id"), key=True), _int("number", key=True), _ms("at_ms"),
    _text("person_id", sa.ForeignKey("person.id")), _int("seat", null=True), _text("text"),
    sa.Index(None, "person_id"),
)  # fmt: skip

mark = sa.Table(
    "mark", metadata,
    _text("table_id", sa.ForeignKey("game_table.id"), key=True),
    _text("person_id", sa.ForeignKey("person.id"), key=True), _text("kind", key=True),
    sa.CheckConstraint(
        "kind IN ('hidden', 'removed', 'muted', 'invited')", name="ck_mark_kind"
    ),
    sa.Index(None, "person_id"),
)  # fmt: skip

way = sa.Table(
    "way", metadata,
    _text("id", key=True), _text("person_id", sa.ForeignKey("person.id")), _text("kind"),
    _text("address"), _text("details"), _ms("created_ms"), _ms("confirmed_ms", null=True),
    _text("problem", null=True), _ms("silent_ms", null=True),
    sa.CheckConstraint("kind IN ('push', 'mail', 'webhook')", name="ck_way_kind"),
    sa.UniqueConstraint("person_id", "kind", "address"),
    sa.Index(None, "kind", "address"),
)  # fmt: skip

reach = sa.Table(
    "reach", metadata,
    sa.Column("person_id", sa.Text, sa.ForeignKey("person.id"), primary_key=True),
    _text("language"), _text("zone"), _int("quiet_from", null=True), _int("quiet_to", null=True),
    _ms("escalate_ms"), _text("off"),
)  # fmt: skip

vacation = sa.Table(
    "vacation", metadata,
    _text("person_id", sa.ForeignKey("person.id"), key=True),
    sa.Column("from_ms", sa.BigInteger, primary_key=True, autoincrement=False), _ms("to_ms"),
)  # fmt: skip

outbox = sa.Table(
    "outbox", metadata,
    _text("id", key=True), _text("person_id", sa.ForeignKey("person.id")),
    _text("way_id", sa.ForeignKey("way.id")), _text("table_id", sa.ForeignKey("game_table.id")),
    _text("kind"), _int("ply"), _ms("created_ms"), _ms("due_ms"), _text("state"),
    _int("attempts"), _ms("lease_ms"), _ms("sent_ms", null=True), _text("problem", null=True),
    sa.CheckConstraint(
        "state IN ('waiting', 'sent', 'seen', 'settled', 'failed')", name="ck_outbox_state"
    ),
    sa.Index(None, "person_id", "table_id"),
    sa.Index(None, "table_id"),
    sa.Index(None, "way_id", "sent_ms"),
)  # fmt: skip
# What waits is little, whatever has been sent.
_waits = outbox.c.state == sa.text("'waiting'")
sa.Index("ix_outbox_due_ms", outbox.c.due_ms, sqlite_where=_waits, postgresql_where=_waits)

process = sa.Table(
    "process", metadata, _text("id", key=True), _ms("seen_ms"), _text("url", null=True),
)  # fmt: skip

sanction = sa.Table(
    "sanction", metadata,
    _text("id", key=True), _text("what"), _text("kind"), _text("subject"), _text("reason"),
    _ms("created_ms"), _ms("until_ms", null=True), _ms("lifted_ms", null=True),
    sa.CheckConstraint("what IN ('ban', 'mute')", name="ck_sanction_what"),
    sa.CheckConstraint("kind IN ('person', 'address')", name="ck_sanction_kind"),
    sa.Index(None, "subject"),
)  # fmt: skip

audit = sa.Table(
    "audit", metadata,
    _text("id", key=True), _ms("at_ms"), _text("actor"), _text("action"), _text("subject"),
    _text("details"),
    sa.Index(None, "at_ms"),
)  # fmt: skip

admin_key = sa.Table(
    "admin_key", metadata,
    _text("hash", key=True), _text("label"), _ms("created_ms"), _ms("expires_ms", null=True),
)  # fmt: skip

setting = sa.Table("setting", metadata, _text("name", key=True), _text("value"))
