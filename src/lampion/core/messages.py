"""The message catalogues: every sentence for people, by language and key.

`messages/en.toml`, `fr.toml`, `it.toml` in the package; one section per game for the reasons of refusals and the names of things,
`[errors]` by code. A language is added by adding a file; a test finds what is missing.
"""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

from lampion.core.errors import IllegalAction, LampionError

FOLDER = Path(__file__).parent.parent / "messages"
DEFAULT = "en"


def languages() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@functools.cache
def catalogue(language: str) -> dict[str, dict[str, str]]:
    with open(FOLDER / f"{language}.toml", "rb") as file:
        return tomllib.load(file)


def text(section: str, key: str, language: str = DEFAULT, /, **values: object) -> str:
    """The sentence for a key. A language that lacks it falls back to English, and a game without a catalogue to the key."""
    for one in (language, DEFAULT):
        found = catalogue(one).get(section, {}).get(key)
        if found is not None:
            return found.format(**values)
    return key.replace("-", " ")


def reason(game: str, key: str, language: str = DEFAULT, /, **values: object) -> str:
    """Why a game refuses an action."""
    return text(game, f"why-{key}", language, **values)


def illegal(game: str, action: str, rule: str, key: str, /, **values: object) -> IllegalAction:
    """The refusal of an action for a reason in the catalogue."""
    why = reason(game, key, **values)
    return IllegalAction(f"{action} is not allowed here: {why}", rule=rule, game=game, action=action, key=key, **values)


def error_text(error: LampionError, language: str = DEFAULT) -> str:
    """An error as a sentence for people in their language, without code and place."""
    if language == DEFAULT or error.code not in catalogue(language)["errors"]:
        return error.message
    values = dict(error.values)
    if isinstance(error, IllegalAction) and "key" in values:
        values["reason"] = text(str(values["game"]), f"why-{values['key']}", language, **values)
    return text("errors", error.code, language, **values)
