"""The reference of each game, of records, and the pages of the rulebooks."""

from __future__ import annotations

from pathlib import Path

from lampion.core.components import components_schema
from lampion.core.game import find_game, own_game_names
from lampion.core.gamelog import record_schema
from lampion.core.options import options_schema
from lampion.core.variants import declared_options
from lampion.core.views import view_schema
from lampion.research.tables import action_table, observation_table
from scripts.site import schemas
from scripts.site.shelf import LANGUAGES, contents

ROOT = Path(__file__).parents[2]


def pages() -> dict[str, str]:
    found = {"reference/record": _record()}
    for game in own_game_names():
        found[f"reference/{game}"] = _game(game)
        found[f"rules/{game}/index"] = _rules(game)
    return found


def _record() -> str:
    schema = record_schema()
    return "\n".join(
        [
            "# Record files",
            "",
            "A record is one JSON document: everything that happened in a game. Generated from",
            "`lampion.core.gamelog`; [notation](../notation.md#records) explains it with an example.",
            f"The [JSON Schema](../{_file('record')}) is published, too.",
            "",
            "## Fields",
            "",
            schemas.fields(_resolved(schema)),
            "",
            schemas.types(schema.get("$defs", {})),
        ]
    )


def _resolved(schema: schemas.Schema) -> schemas.Schema:
    if "$ref" in schema:
        found: schemas.Schema = schema["$defs"][schema["$ref"].rpartition("/")[2]]
        return found
    return schema


def _file(name: str) -> str:
    return f"files/docs/schemas/{name}.schema.json"


def _game(name: str) -> str:
    game = find_game(name)
    view = view_schema(game)
    options = options_schema(game.TITLE, declared_options(game))
    return "\n".join(
        [
            f"# {game.TITLE}: reference",
            "",
            f"The [rules](../rules/{name}/index.md) · [notation](../notation.md) of its actions ·",
            f"the schemas of [views and events](../{_file(f'view-{name}')}),",
            f"[options](../{_file(f'options-{name}')}) and [pieces](../{_file(f'components-{name}')}).",
            "",
            "## Options in records",
            "",
            schemas.fields(options) if options.get("properties") else "This game has no options.",
            "",
            "## Views and events",
            "",
            "A seat receives [View](#view) and a list of [Event](#event). An event says what an",
            "action did; its `changes` update the view of the seat that receives it.",
            "",
            schemas.types(view["$defs"], level=3),
            "",
            "## Pieces in files",
            "",
            _pieces(name),
            "",
            "## Observations",
            "",
            "What a seat sees as one vector of bytes ([how to read it](../research.md#observations)).",
            "",
            observation_table(name),
            "",
            "## Actions",
            "",
            "The ids of the players' actions ([how to use them](../research.md#actions)).",
            "",
            action_table(name),
            "",
        ]
    )


def _pieces(name: str) -> str:
    schema = components_schema(find_game(name).COMPONENTS)
    top = _resolved(schema)
    inner = {title: each for title, each in schema.get("$defs", {}).items() if each is not top}
    # Named apart from the types of views, which may have the same names.
    titles = {f"#/$defs/{title}": f"#/$defs/Pieces: {title}" for title in inner}
    text = schemas.fields(_renamed(top, titles))
    types = {f"Pieces: {title}": _renamed(each, titles) for title, each in inner.items()}
    return f"{text}\n\n{schemas.types(types, level=3)}"


def _renamed(schema: schemas.Schema, titles: dict[str, str]) -> schemas.Schema:
    def walk(value: object) -> object:
        if isinstance(value, dict):
            return {
                key: titles.get(each, each) if key == "$ref" else walk(each)
                for key, each in value.items()
            }
        return [walk(each) for each in value] if isinstance(value, list) else value

    found = walk(dict(schema))
    assert isinstance(found, dict)
    return found


def _rules(game: str) -> str:
    title = find_game(game).TITLE
    languages = [language for language in LANGUAGES if (rulebook(game, language)).exists()]
    listed = "\n".join(f"- [{LANGUAGES[language]}]({language}.md)" for language in languages)
    entries = [f"{LANGUAGES[language]} <{language}>" for language in languages]
    return (
        f"# Rules of {title}\n\nThe rulebook in every language, with its drawn examples.\n\n{listed}\n\n"
        f"In a program, see the [reference](../../reference/{game}.md) of this game.\n\n"
        f"{contents(entries)}"
    )


def rulebook(game: str, language: str) -> Path:
    return ROOT / "src" / "lampion" / "games" / game / "rulebook" / f"{language}.md"
