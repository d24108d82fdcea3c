"""Drawings for games that the client has no board of their own for."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from lampion.core.game import facts_of, find_game


def drawing_of(view: dict[str, Any]) -> str | UnsetType:
    """The table as SVG, made from what a viewer sees and from nothing else."""
    game = find_game(view["game"])
    return UNSET if facts_of(game).has_board else game.draw_svg(view)
