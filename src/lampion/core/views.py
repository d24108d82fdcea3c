"""What a seat is shown, as types: the part of a view that all games share, and the published JSON Schemas.

Views and events are plain dicts and lists, ready for JSON; their types are TypedDicts, in the game's `view_types.py`. The type
checker, the schemas and whatever a client makes of those come from these classes alone.
"""

from __future__ import annotations

from typing import Annotated, Any, TypedDict, get_args, get_type_hints

import msgspec
from msgspec import Meta

from lampion.core.game import Game
from lampion.core.gamelog import ActorName


def doc(description: str) -> Meta:
    """What a field is, for readers of the class and of the schema alike: `Annotated[int, doc("cards left")]`."""
    return Meta(description=description)


class MatchView(TypedDict):
    """What the views of all games have in common. Players are numbers from 0 in turn order."""

    game: Annotated[str, doc("the name of the game, such as my_game")]
    players: Annotated[int, doc("how many people play")]
    names: Annotated[list[str], doc("by player")]
    seat: Annotated[int | None, doc("the player who is shown this; null for a spectator")]
    ply: Annotated[int, doc("how many entries the log has")]
    to_act: Annotated[
        ActorName | None,
        doc('the player to act, the first of several who may, or "c" for chance; null at the end'),
    ]
    actors: Annotated[list[int], doc("all players who may act now")]
    scores: Annotated[list[int], doc("by player, as they stand")]
    winners: Annotated[list[int], doc("once the game is over; several share a victory")]


# --- types and schemas ------------------------------------------------------------------------------------------------------------


def event_types(game: Game) -> dict[str, Any]:
    """Name of an event -> its type."""
    return {
        name: kind
        for kind in get_args(game.Event)
        for name in get_args(get_type_hints(kind)["event"])
    }


def view_schema(game: Game) -> dict[str, Any]:
    """The published JSON Schema of what a seat of a game is shown. Its types are told apart by name within one game only."""
    kinds = get_args(game.Event)
    (_, *events), types = msgspec.json.schema_components(
        [game.View, *kinds], ref_template="#/$defs/{name}"
    )
    for described in types.values():
        described["additionalProperties"] = False
    types["View"]["properties"]["game"]["const"] = game.NAME
    types["Event"] = {
        "title": "Event",
        "description": "One thing that an action did, told apart by `event`.",
        "anyOf": events,
    }
    shown = {
        "view": {"$ref": "#/$defs/View"},
        "events": {"type": "array", "items": {"$ref": "#/$defs/Event"}},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "".join(word.capitalize() for word in game.NAME.split("_")),
        "description": f"What a seat of {game.TITLE} is shown: the table, and what an action did.",
        "type": "object",
        "properties": shown,
        "required": list(shown),
        "additionalProperties": False,
        "$defs": dict(sorted(types.items())),
    }
