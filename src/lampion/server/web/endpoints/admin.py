"""The admin API: one POST for each operation, with an admin key as bearer.

Requests have a body even where they only read, so that names and reasons never stand in an address
that a proxy may log. A key comes in a header that no browser sends by itself, so no other site can
send it; that is why the Origin is not looked at.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from lampion.server.admin.catalog import OPERATIONS, Operation, carry_out, note
from lampion.server.errors import TableError, TooMany
from lampion.server.services import Services
from lampion.server.web import limits
from lampion.server.web.http import Ask, Endpoint
from lampion.server.web.limits import Who
from lampion.server.web.security import bearer_of

UNKNOWN = "unknown key"


async def _operator(ask: Ask, operation: str) -> str:
    """The label of the key that came with the request."""
    services = ask.services
    if not services.config.admin:
        raise TableError("there is no such page; /openapi.json lists the API", code="no-page")
    label = await services.admin_keys.label_of(bearer_of(ask.request.headers))
    if label is None:
        services.limiter.spend(limits.WRONG_KEYS, Who(None, ask.who.address))
        await _note_wrong_key(services, ask.who.address, operation)
        raise TableError("this needs an admin key that is valid", code="not-an-admin")
    return label


async def _note_wrong_key(services: Services, address: str, operation: str) -> None:
    with suppress(TooMany):
        services.limiter.spend(limits.WRONG_KEY_NOTES, limits.EVERYBODY)
        await note(services, UNKNOWN, "wrong key", address, {"operation": operation})


def _handler(operation: Operation) -> Callable[[Ask], Awaitable[Any]]:
    async def handle(ask: Ask) -> Any:
        actor = await _operator(ask, operation.name)
        return await carry_out(ask.services, actor, operation, ask.body)

    handle.__name__ = f"admin_{operation.name.replace('-', '_')}"
    return handle


ENDPOINTS = tuple(
    Endpoint(
        "POST",
        f"/api/admin/{operation.name}",
        f"{operation.summary} (for operators)",
        _handler(operation),
        operation.reply,
        operation.body,
        limit=limits.ADMIN,
        takes_token=False,
    )
    for operation in OPERATIONS.values()
)
