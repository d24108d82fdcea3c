"""PettingZoo: `lumens_v0.env(players=2, render_mode="ansi")`. See `research.zoo` and docs/research.md."""

from __future__ import annotations

from typing import Any

from lampion.research.zoo import SequentialEnv

__all__ = ["env", "raw_env"]


def raw_env(**settings: Any) -> SequentialEnv:
    """`players`, `reward` ("placement" or "score"), `options` of the game, `render_mode`."""
    return SequentialEnv("lumens", "lumens_v0", **settings)


def env(**settings: Any) -> SequentialEnv:
    """The same, where an illegal action ends the game and costs its agent 1."""
    return raw_env(illegal_ends=True, **settings)
