"""The list of operations, and how one is carried out: never without its entry in the audit log.

The entry is written before anything is done, so a change that is not in the log does not exist. If
the operation is refused, that is written, too. What only shows figures or lists is not logged; one
table, one person or a chat is. The log is for good while people can be deleted, so it holds ids
and reasons, never a name or a search text.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec

from lampion.core.errors import LampionError
from lampion.server.admin.operations import Operations
from lampion.server.services import Services
from lampion.server.store.base import AuditRow
from lampion.server.wire import admin as wire

_numbers = itertools.count()


class Operation(NamedTuple):
    """One thing to ask for: its name in the API and in the log, what it takes, what it gives."""

    name: str
    summary: str
    work: Callable[[Operations, Any], Awaitable[Any]]
    body: type[msgspec.Struct]
    reply: type[msgspec.Struct]
    subject: str = ""
    """The field of the request that the audit log names as subject."""
    is_logged: bool = True


_OPERATIONS = (
    Operation("status", "Return figures about the server", Operations.status, wire.NoDetails,
              wire.ServerStatus, is_logged=False),
    Operation("processes", "List the processes of the server", Operations.processes,
              wire.NoDetails, wire.ProcessLines, is_logged=False),
    Operation("tables", "List and search tables", Operations.tables, wire.FindTables,
              wire.TableLines, is_logged=False),
    Operation("table", "Return one table", Operations.table, wire.OneTable, wire.TableDetails,
              "table"),
    Operation("chat", "Return the chat of a table", Operations.chat, wire.OneTableWithReason,
              wire.ChatTexts, "table"),
    Operation("people", "List and search people", Operations.people, wire.FindPeople,
              wire.PersonLines, is_logged=False),
    Operation("person", "Return one person", Operations.person, wire.OnePerson,
              wire.PersonDetails, "person"),
    Operation("close", "End the game at a table", Operations.close, wire.OneTableWithReason,
              wire.Completed, "table"),
    Operation("delete", "Delete a table with its log and chat", Operations.delete,
              wire.OneTableWithReason, wire.Completed, "table"),
    Operation("retry", "Read the log of a quarantined table again", Operations.retry,
              wire.OneTable, wire.Retried, "table"),
    Operation("delete-person", "Delete a person: name, keys, chat", Operations.delete_person,
              wire.OnePersonWithReason, wire.Completed, "person"),
    Operation("sanction", "Ban or mute a person or an address", Operations.sanction,
              wire.NewSanction, wire.SanctionLine, "subject"),
    Operation("lift", "Lift a ban or a mute", Operations.lift, wire.Lift, wire.Completed,
              "sanction"),
    Operation("sanctions", "List bans and mutes", Operations.sanctions, wire.FindSanctions,
              wire.SanctionLines, is_logged=False),
    Operation("announce", "Tell everybody something", Operations.announce, wire.Announce,
              wire.Completed),
    Operation("drain", "Start no new games", Operations.drain, wire.Drain, wire.ProcessLines,
              "process"),
    Operation("notices", "List notices in the outbox", Operations.notices, wire.FindNotices,
              wire.NoticeLines, is_logged=False),
    Operation("retry-notices", "Try notices that failed again", Operations.retry_notices,
              wire.RetryNotices, wire.RetriedNotices, "notice"),
    Operation("prune", "Clean up now", Operations.prune, wire.NoDetails, wire.Pruned),
    Operation("new-key", "Make an admin key", Operations.new_key, wire.NewKey, wire.MadeKey,
              "label"),
    Operation("keys", "List the admin keys", Operations.keys, wire.NoDetails, wire.KeyLines,
              is_logged=False),
    Operation("revoke-key", "Revoke an admin key", Operations.revoke_key, wire.RevokeKey,
              wire.KeyLine, "key"),
    Operation("audit", "Return the audit log", Operations.audit, wire.ReadAudit, wire.AuditLines,
              is_logged=False),
)  # fmt: skip
OPERATIONS = {operation.name: operation for operation in _OPERATIONS}


async def carry_out(services: Services, actor: str, operation: Operation, request: Any) -> Any:
    """Do it in the name of an operator."""
    operations = Operations(services)
    if not operation.is_logged:
        return await operation.work(operations, request)
    details = msgspec.to_builtins(request)
    subject = str(details.pop(operation.subject, "") or "")
    await note(services, actor, operation.name, subject, details)
    try:
        return await operation.work(operations, request)
    except LampionError as refused:
        code = {"code": refused.code}
        await note(services, actor, f"{operation.name} refused", subject, code)
        raise


async def note(
    services: Services, actor: str, action: str, subject: str, details: dict[str, Any]
) -> None:
    """Add an entry to the audit log."""
    given = {name: value for name, value in details.items() if value is not None}
    text = msgspec.json.encode(given).decode()
    now_ms = services.clock.now_ms()
    # Ids go up: they decide the order of entries of the same millisecond.
    name = f"{now_ms:012x}{next(_numbers) % 2**32:08x}{secrets.token_hex(4)}"
    await services.store.add_audit(AuditRow(name, now_ms, actor, action, subject[:60], text))
