"""What a seat is shown, as types: the part of a view that all games share, and the published JSON Schemas.

Views and events are plain dicts and lists, ready for JSON; their types are TypedDicts, in the game's `view_types.py`. The type
checker, the schemas and whatever a client makes of those come from these classes alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta

from lampion.core.game import Game
from lampion.core.gamelog import ActorName
from lampion.core.types import Json


def doc(description: str) -> Meta:
    """What a field is, for readers of the class and of the schema alike: `Annotated[int, doc("cards left")]`."""
    return Meta(description=description)


def derived(description: str) -> Meta:
    """The same for a field that follows from the position by a rule. No event tells its changes;
    the closing event `facts` does."""
    return Meta(description=description, extra_json_schema={"derived": True})


class MatchView(TypedDict):
    """What the views of all games have in common. Players are numbers from 0 in turn order."""

    game: Annotated[str, doc("the name of the game, such as my_game")]
    players: Annotated[int, doc("how many people play")]
    names: Annotated[list[str], doc("by player")]
    seat: Annotated[int | None, doc("the player who is shown this; null for a spectator")]
    ply: Annotated[int, derived("how many entries the log has")]
    to_act: Annotated[
        ActorName | None,
        derived(
            'the player to act, the first of several who may, or "c" for chance; null at the end'
        ),
    ]
    actors: Annotated[list[int], derived("all players who may act now")]
    scores: Annotated[list[int], derived("by player, as they stand")]
    winners: Annotated[list[int], derived("once the game is over; several share a victory")]
    placements: Annotated[
        list[int],
        derived("by player, once the game is over: 1 for the winners; tied players share a place"),
    ]


Changes = Annotated[
    list[list[Any]],
    doc(
        "how the view changes with it, in order (see `core.fold`); missing where only the past is told"
    ),
]


class Told(TypedDict):
    """What the events of all games have in common."""

    changes: NotRequired[Changes]


Where = Annotated[str, doc("such as supply, seat:1 or lake")]

Movement = TypedDict(
    "Movement",
    {
        "event": Literal["move"],
        "player": Annotated[int, doc("who gains or gives it")],
        "what": Annotated[str, doc("a kind of piece, such as favor, or lantern:R")],
        "from": Where,
        "to": Where,
        "count": Annotated[int, doc("how many; 0 where a rule gave nothing")],
        "changes": NotRequired[Changes],
    },
)
"""Something goes from one place to another. The types of a game add a `cause`, and what else there
is to say."""


class Facts(TypedDict):
    """What follows from the new position: the changes of all derived fields, after everything else."""

    event: Literal["facts"]
    changes: Changes


class Undone(Told):
    """The game went back to where a log entry had not happened yet."""

    event: Literal["undone"]
    to: Annotated[int, doc("the log entry")]


# --- types and schemas ------------------------------------------------------------------------------------------------------------


def event_types(game: Game) -> dict[str, Any]:
    """Kind of event -> its type."""
    kinds = {}
    for kind in (*get_args(game.Event), Facts, Undone):
        hints = get_type_hints(kind)
        kinds.update(dict.fromkeys(get_args(hints.get("cause", hints["event"])), kind))
    return kinds


def is_derived(game: Game, path: Sequence[Json]) -> bool:
    """Whether the value at a path of a view, or something that it is part of, is marked as derived."""
    kind: Any = game.View
    for key in path:
        kind = _element(kind) if isinstance(key, int) else fields_of(kind)[key]
        if is_marked(kind):
            return True
    return False


def fields_of(kind: Any) -> dict[str, Any]:
    return get_type_hints(plain(kind), include_extras=True)


def _element(kind: Any) -> Any:
    return get_args(plain(kind))[0]


def plain(kind: Any) -> Any:
    """A type without its annotations, and without `None`."""
    while get_origin(kind) in (Annotated, Union, UnionType):
        kind = next(part for part in get_args(kind) if part is not NoneType)
    return kind


def is_marked(kind: Any) -> bool:
    notes = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    return any((getattr(note, "extra_json_schema", None) or {}).get("derived") for note in notes)


def view_schema(game: Game) -> dict[str, Any]:
    """The published JSON Schema of what a seat of a game is shown. Type names are unique within one game only."""
    kinds = (*get_args(game.Event), Facts, Undone)
    (_, *events), types = msgspec.json.schema_components(
        [game.View, *kinds], ref_template="#/$defs/{name}"
    )
    for described in types.values():
        described["additionalProperties"] = False
    types["View"]["properties"]["game"]["const"] = game.NAME
    types["Event"] = {
        "title": "Event",
        "description": "One thing that an action did, distinguished by `event` and, where something moved, by its `cause`.",
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
