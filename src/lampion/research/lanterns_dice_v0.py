"""PettingZoo: `lanterns_dice_v0.env(players=2, render_mode="ansi")`, and `parallel_env`, where all act at once.

See `research.zoo` and docs/research.md.
"""

from __future__ import annotations

from typing import Any

from lampion.research.zoo import SequentialEnv, SimultaneousEnv, checked

__all__ = ["env", "parallel_env", "raw_env"]


def raw_env(**settings: Any) -> SequentialEnv:
    """`players`, `reward` ("placement" or "score"), `options` of the game, `render_mode`."""
    return SequentialEnv("lanterns_dice", "lanterns_dice_v0", **settings)


def env(**settings: Any) -> Any:
    """The same with PettingZoo's usual wrappers."""
    return checked(raw_env(**settings))


def parallel_env(**settings: Any) -> SimultaneousEnv:
    """Everybody who may act does so in the same step (D11)."""
    return SimultaneousEnv("lanterns_dice", "lanterns_dice_v0", **settings)
