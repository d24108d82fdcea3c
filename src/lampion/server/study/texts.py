"""Rulebooks and message catalogs of the games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lampion.core.compile import PACKAGE
from lampion.core.game import find_game, game_names
from lampion.core.messages import DEFAULT, catalog, languages
from lampion.server.errors import TableError


def rulebook(game: str, language: str) -> str:
    """The rulebook in that language; in English where a game has no other."""
    folder = Path(find_game(game).__file__).parent / "rulebook"
    books = (folder / f"{one}.md" for one in (known_language(language), DEFAULT))
    file = next((book for book in books if book.exists()), None)
    if file is None:
        raise TableError("there is no such rulebook", code="no-page", where=f"{game}/{language}")
    return file.read_text("utf-8")


def messages(language: str) -> dict[str, Any]:
    """The catalogs of a language: what all games share, and each game's own."""
    known = known_language(language)
    games = {name: catalog(Path(find_game(name).__file__).parent, known) for name in game_names()}
    return {"shared": catalog(PACKAGE, known), "games": games}


def known_language(language: str) -> str:
    """The language itself, if there are catalogs for it."""
    if language not in languages():
        raise TableError(
            f"there is no language {language[:10]!r}", code="no-page", where="language"
        )
    return language
