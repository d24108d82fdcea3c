"""Rulebooks and message catalogs of the games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lampion.core.compile import PACKAGE
from lampion.core.game import find_game, own_game_names
from lampion.core.messages import catalogue, languages
from lampion.server.errors import TableError


def rulebook(game: str, language: str) -> str:
    file = Path(find_game(game).__file__).parent / "rulebook" / f"{_language(language)}.md"
    if not file.exists():
        raise TableError("there is no such rulebook", code="no-page", where=f"{game}/{language}")
    return file.read_text("utf-8")


def messages(language: str) -> dict[str, Any]:
    """The catalogues of a language: what all games share, and each game's own."""
    known = _language(language)
    games = {
        name: catalogue(Path(find_game(name).__file__).parent, known) for name in own_game_names()
    }
    return {"shared": catalogue(PACKAGE, known), "games": games}


def _language(language: str) -> str:
    if language not in languages():
        raise TableError(
            f"there is no language {language[:10]!r}", code="no-page", where="language"
        )
    return language
