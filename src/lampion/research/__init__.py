"""For training and testing agents: batched games, PettingZoo and Gymnasium environments, data sets. See docs/research.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lampion.research.dataset import load_games as load_games

__all__ = ["load_games"]


def __getattr__(name: str) -> Any:
    """Imported when it is asked for: an adapter that is used alone needs nothing of it."""
    if name in __all__:
        from lampion.research import dataset

        return getattr(dataset, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
