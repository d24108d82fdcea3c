"""Oracle for Connect Four: OpenSpiel's."""

from __future__ import annotations

from typing import Any

from tests.oracles.openspiel import OpenSpielOracle


class Oracle(OpenSpielOracle):
    def __init__(self, players: int, options: dict[str, str], components: dict[str, Any]) -> None:
        super().__init__("connect_four", list("abcdefg"))
