"""What the board in the browser takes from this package: its pieces as drawings, and the facts that
drawn examples of the rulebook show. `python -m scripts.web_art` writes both into the client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lampion.games.lanterns import svg


def pieces() -> str:
    return "<defs>" + "".join(svg.pieces()) + "</defs>"


def examples(components: Mapping[str, Any]) -> dict[str, Any]:
    """The tiles, the honor on top of each stack, and what an exchange costs."""
    stacks = components["dedications"]
    return {
        "tiles": [
            {"sides": tile["sides"], "platform": tile.get("platform", False)}
            for tile in components["tiles"]
        ],
        "topHonor": {stack: tokens[0]["honor"] for stack, tokens in stacks.items()},
        "exchangeCost": components["exchange_cost_favors"],
    }
