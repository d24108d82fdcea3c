"""The message catalogs: every sentence for people, by language and key.

`messages/en.toml`, `fr.toml`, `it.toml` of the package hold what is common, in sections such as
`[errors]`, by code; the folder `messages` of a game holds its reasons for refusals and its words. A
language is added by adding its files; a test finds what is missing.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

import msgspec

from lampion.core.compile import PACKAGE
from lampion.core.errors import IllegalAction, LampionError
from lampion.core.events import event_kind
from lampion.core.game import find_game
from lampion.core.types import Json

DEFAULT = "en"


def languages() -> list[str]:
    return sorted(path.stem for path in (PACKAGE / "messages").glob("*.toml"))


@functools.cache
def catalog(folder: Path, language: str) -> dict[str, dict[str, str]]:
    file = folder / "messages" / f"{language}.toml"
    # Imports the reader of TOML when there is something to read, which most programs do not need.
    known = dict[str, dict[str, str]]
    return msgspec.toml.decode(file.read_bytes(), type=known) if file.exists() else {}


def text(section: str, key: str, language: str = DEFAULT, /, **values: object) -> str:
    """A common sentence. A language that lacks it falls back to English."""
    return _find(PACKAGE, section, key, language).format(**values)


def game_text(
    game: str, section: str, key: str, language: str = DEFAULT, /, **values: object
) -> str:
    """A sentence or word of a game; a game without a catalog falls back to the key."""
    return _find(Path(find_game(game).__file__).parent, section, key, language).format(**values)


def _find(folder: Path, section: str, key: str, language: str) -> str:
    found = (catalog(folder, one).get(section, {}).get(key) for one in (language, DEFAULT))
    return next((sentence for sentence in found if sentence is not None), key.replace("-", " "))


def option_text(game: str, key: str, language: str = DEFAULT) -> str | None:
    """The text of an option by its key (see `core.options.text_keys`): the game's own, or what all
    games share."""
    folders = Path(find_game(game).__file__).parent, PACKAGE
    found = (
        catalog(folder, one).get("options", {}).get(key)
        for one in (language, DEFAULT)
        for folder in folders
    )
    return next((sentence for sentence in found if sentence is not None), None)


def reason(game: str, key: str, language: str = DEFAULT, /, **values: object) -> str:
    """Why a game refuses an action; a game that gives no reason shares a sentence with others."""
    if not has_reason(PACKAGE, key):
        return game_text(game, "refusals", key, language, **values)
    return text("refusals", key, language)


def has_reason(folder: Path, key: str) -> bool:
    """Whether a game has a sentence for that reason."""
    return key in catalog(folder, DEFAULT).get("refusals", {})


def illegal(game: str, action: str, rule: str, key: str, /, **values: object) -> IllegalAction:
    """The refusal of an action for a reason in the catalog."""
    why = reason(game, key, **values)
    refused = IllegalAction(f"{action} is not allowed here: {why}", rule=rule)
    refused.values = {"game": game, "action": action, "key": key, **values}
    return refused


def error_text(error: LampionError, language: str = DEFAULT) -> str:
    """An error as a sentence for people in their language, without code and place."""
    if language == DEFAULT or error.code not in catalog(PACKAGE, language).get("errors", {}):
        return error.message
    values = dict(error.values)
    if isinstance(error, IllegalAction) and "key" in values:
        values["reason"] = reason(str(values["game"]), str(values["key"]), language, **values)
    return text("errors", error.code, language, **values)


def event_key(event: Mapping[str, Json]) -> str:
    """The key of an event's sentence: why something moved, or what happened otherwise, and whether
    it gave nothing or took."""
    kind, count = event_kind(event), event.get("count", 1)
    return kind if count > 0 else f"{kind}_lost" if count < 0 else f"{kind}_none"
