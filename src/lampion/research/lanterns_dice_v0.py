"""PettingZoo: `lanterns_dice_v0.env(players=2, render_mode="ansi")`, and `parallel_env`, where all act at once.

See `research.zoo` and docs/research.md.
"""

from __future__ import annotations

from typing import Any

from lampion.research.zoo import SequentialEnv, SimultaneousEnv

__all__ = ["env", "parallel_env", "raw_env"]


def raw_env(**settings: Any) -> SequentialEnv:
    """`players`, `reward` ("placement" or "score"), `options` of the game, `render_mode`."""
    return SequentialEnv("lanterns_dice", "lanterns_dice_v0", **settings)


def env(**settings: Any) -> SequentialEnv:
    """The same, where an illegal action ends the game and costs its agent 1."""
    return raw_env(illegal_ends=True, **settings)


def parallel_env(**settings: Any) -> SimultaneousEnv:
    """Everybody who may act does so in the same step (D11)."""
    return SimultaneousEnv("lanterns_dice", "lanterns_dice_v0", **settings)
