"""Oracle for Hex: OpenSpiel's."""

from __future__ import annotations

from typing import Any

from tests.oracles.openspiel import OpenSpielOracle


class Oracle(OpenSpielOracle):
    def __init__(self, players: int, options: dict[str, str], components: dict[str, Any]) -> None:
        super().__init__(
            "hex(board_size=11)",
            [f"{column}{row}" for row in range(1, 12) for column in "abcdefghijk"],
        )
