"""One small bus inside a process: tables publish what happened, `web` and `play` subscribe.

A message is published after it is stored, in the same step of the event loop, so subscribers see a
table exactly as it is on disk. A subscriber that fails is logged and spoils nothing for the others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

log = logging.getLogger("lampion.bus")
Message = TypeVar("Message")


class Bus:
    def __init__(self) -> None:
        self._subscribers: dict[type, list[Callable[[Any], None]]] = {}

    def subscribe(self, kind: type[Message], hear: Callable[[Message], None]) -> None:
        self._subscribers.setdefault(kind, []).append(hear)

    def publish(self, message: object) -> None:
        for hear in self._subscribers.get(type(message), ()):
            try:
                hear(message)
            except Exception:
                log.exception("a subscriber failed", extra={"kind": type(message).__name__})
