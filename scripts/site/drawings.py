"""The drawn examples of the rulebooks, as the client draws them."""

from __future__ import annotations

from pathlib import Path


def figure(game: str, language: str, name: str, words: str) -> str:
    """An example in a rulebook."""
    return f"*{words}*"


def stage(folder: Path) -> None:
    pass
