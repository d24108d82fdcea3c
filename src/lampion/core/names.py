"""The names of the games of the package, without importing any of them."""

from __future__ import annotations

import pkgutil
from pathlib import Path

GAMES = Path(__file__).resolve().parents[1] / "games"


def own_game_names() -> list[str]:
    """The games of the package."""
    return [module.name for module in pkgutil.iter_modules([str(GAMES)]) if module.ispkg]
