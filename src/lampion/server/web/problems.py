"""Errors as messages: every refusal has a code, a sentence, and where it helps the place and the rule."""

from __future__ import annotations

import msgspec

from lampion.core.errors import LampionError, Refused, UnknownGame
from lampion.server import wire
from lampion.server.errors import Forbidden, TooMany
from lampion.server.store.base import StorageFailed

STATUS = {
    "no-table": 404, "no-record": 404, "no-page": 404, "not-your-seat": 403, "not-host": 403, "not-invited": 403, "stale": 409,
    "no-free-seat": 409, "quarantined": 410, "who-are-you": 401, "too-large": 413, "wrong-type": 415, "wrong-method": 405,
}  # fmt: skip


def problem_of(error: Exception, command: str | None = None) -> wire.Problem:
    if isinstance(error, StorageFailed):
        return wire.Problem(error.code, "the server could not store it", command)  # the error itself may name a host
    if isinstance(error, LampionError):
        values = {key: value for key, value in error.values.items() if isinstance(value, str | int | float)}
        retry = error.retry_after if isinstance(error, TooMany) else None
        return wire.Problem(error.code, error.message, command, error.where or None, error.rule or None, values, retry)
    if isinstance(error, msgspec.MsgspecError):
        return wire.Problem("invalid-message", str(error), command)
    return wire.Problem("internal", "something went wrong on the server; nothing was changed", command)


def status_of(error: Exception) -> int:
    if isinstance(error, LampionError) and error.code in STATUS:
        return STATUS[error.code]
    match error:
        case TooMany():
            return 429
        case Forbidden():
            return 403
        case UnknownGame():
            return 404
        case StorageFailed():
            return 503
        case Refused() | LampionError() | msgspec.MsgspecError():
            return 422 if isinstance(error, msgspec.ValidationError) else 400
    return 500
