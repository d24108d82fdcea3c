"""PettingZoo: `lumens_v0.env(players=2, render_mode="ansi")`. See `research.zoo` and docs/research.md."""

from __future__ import annotations

from typing import Any

from lampion.research.zoo import SequentialEnv, checked

__all__ = ["env", "raw_env"]


def raw_env(**settings: Any) -> SequentialEnv:
    """`players`, `reward` ("placement" or "score"), `options` of the game, `render_mode`."""
    return SequentialEnv("lumens", "lumens_v0", **settings)


def env(**settings: Any) -> Any:
    """The same with PettingZoo's usual wrappers."""
    return checked(raw_env(**settings))
