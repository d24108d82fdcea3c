"""Errors as messages: every refusal has a code, a sentence and, where it helps, the place and the
rule."""

from __future__ import annotations

import msgspec
from starlette.requests import ClientDisconnect

from lampion.core.errors import LampionError, Refused, UnknownGame
from lampion.server import wire
from lampion.server.errors import Forbidden, TooMany, UpdateNeeded
from lampion.server.store.base import StorageFailed

STATUS = {
    "no-table": 404, "no-record": 404, "no-page": 404, "not-your-seat": 403, "not-host": 403, "not-invited": 403,
    "not-at-table": 403, "stale": 409, "no-free-seat": 409, "seat-taken": 409, "quarantined": 410, "old-rules": 410,
    "removed": 403, "cancelled": 410, "no-person": 404, "no-sanction": 404, "no-key": 404, "no-process": 404,
    "no-device": 404, "no-passkey": 404, "no-friend": 404, "cannot-merge": 409, "wrong-phrase": 403,
    "no-exercise": 404, "not-due": 409, "practice-full": 409, "unknown-passkey": 403, "passkey-refused": 403, "challenge-expired": 403,
    "who-are-you": 401, "not-an-admin": 401, "too-large": 413, "too-long": 414, "wrong-type": 415, "wrong-method": 405,
    "request-timeout": 408, "draining": 503, "no-client": 503, "bad-link": 403, "no-way": 404, "no-notice": 404,
}  # fmt: skip

MALFORMED = (msgspec.DecodeError, UnicodeError, RecursionError, ClientDisconnect)
"""What is raised for bytes that are not JSON, not UTF-8, nested too deeply, or that never came."""


def problem_of(error: Exception, command: str | None = None) -> wire.Problem:
    if isinstance(error, StorageFailed):
        return wire.Problem(
            error.code, "the server could not store it", command
        )  # the error itself may name a host
    if isinstance(error, LampionError):
        values = {
            key: value
            for key, value in error.values.items()
            if isinstance(value, str | int | float)
        }
        retry = error.retry_after if isinstance(error, TooMany) else None
        return wire.Problem(
            error.code,
            error.message,
            command,
            error.where or None,
            error.rule or None,
            values,
            retry,
        )
    if isinstance(error, msgspec.ValidationError):
        return wire.Problem("invalid-message", str(error), command)
    if isinstance(error, MALFORMED):
        return wire.Problem(
            "invalid-message", "this is not JSON in UTF-8 with a sensible depth", command
        )
    return wire.Problem(
        "internal", "something went wrong on the server; nothing was changed", command
    )


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
        case StorageFailed() | UpdateNeeded():
            return 503
        case msgspec.ValidationError():
            return 422
        case Refused() | LampionError():
            return 400
    return 400 if isinstance(error, MALFORMED) else 500
