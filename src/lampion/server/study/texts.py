"""Rulebooks and message catalogs of the games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lampion.core.compile import PACKAGE
from lampion.core.game import find_game, game_names
from lampion.core.messages import catalogue, languages
from lampion.server.errors import TableError


def rulebook(game: str, language: str) -> str:
    file = Path(find_game(game).__file__).parent / "rulebook" / f"{known_language(language)}.md"
    if not file.exists():
        raise TableError("there is no such rulebook", code="no-page", where=f"{game}/{language}")
    return file.read_text("utf-8")


def messages(language: str) -> dict[str, Any]:
    """The catalogues of a language: what all games share, and each game's own."""
    known = known_language(language)
    games = {name: catalogue(Path(find_game(name).__file__).parent, known) for name in game_names()}
    return {"shared": catalogue(PACKAGE, known), "games": games}


def known_language(language: str) -> str:
    """The language itself, if there are catalogs for it."""
    if language not in languages():
        raise TableError(
            f"there is no language {language[:10]!r}", code="no-page", where="language"
        )
    return language
