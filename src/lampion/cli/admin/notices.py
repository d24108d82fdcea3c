"""`lampion admin`: notifications."""

from __future__ import annotations

from typing import Any

import click

from lampion.cli.admin.base import ask, print_done, print_json, where_options
from lampion.cli.admin.text import print_rows, shown, when
from lampion.cli.admin_group import admin
from lampion.server.store.base import NoticeState
from lampion.server.wire import admin as wire


@admin.command()
@click.option("--state", type=click.Choice([str(state) for state in NoticeState]), default=None)
@click.option("--limit", "-n", type=click.IntRange(1, 200), default=50, show_default=True)
@where_options
def notices(state: str | None, limit: int, **where: Any) -> None:
    """List notifications in the outbox: what waits, what was sent, what failed and why.

    \b
    Examples:
      lampion admin notices --state failed
      lampion admin notices --state waiting -n 200
    """
    wanted = NoticeState(state) if state else None
    found: wire.NoticeLines = ask(where, "notices", wire.FindNotices(wanted, limit))
    if where["as_json"]:
        print_json(found.notices)
        return
    rows = [
        (
            row.id,
            row.kind,
            row.way,
            row.person,
            row.state,
            when(row.sent_ms if row.sent_ms is not None else row.due_ms),
            row.attempts,
            shown(row.problem or "-"),
        )
        for row in found.notices
    ]
    head = ("NOTICE", "KIND", "WAY", "PERSON", "STATE", "SENT OR DUE", "FAILED TRIES", "PROBLEM")
    print_rows(head, rows, "No notices.")


@admin.command("retry-notices")
@click.argument("notice", default="")
@where_options
def retry_notices(notice: str, **where: Any) -> None:
    """Send failed notifications again: NOTICE, or all of them.

    \b
    Examples:
      lampion admin retry-notices
      lampion admin retry-notices Vx2mQ9aL0bTe.12.turn.qTt0PeYxu7UIDlqd
    """
    request = wire.RetryNotices(notice or None)
    found: wire.RetriedNotices = ask(where, "retry-notices", request)
    print_done(where, found, f"{found.count} notices are sent again.")
