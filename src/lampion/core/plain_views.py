"""Views and events that nobody has to write: the fields of the redacted record by their names, and
the rows of the trail by the names of their causes.

A field with `names` shows names instead of numbers, and null where there is nothing or where the
seat may not look. An array `by_player` has as many rows as there are players. A kind of event may
declare which fields its count goes to and comes from; those fields change with such events and by
nothing else, in previews too. Every other field is marked as derived: the closing event `facts`
says how it changed. A game whose screen should move things one by one writes its own `view`, and
`tell(telling, event)`, which says how an event changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import GenericAlias
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict, get_type_hints

import numpy as np
import numpy.typing as npt

from lampion.core.events import AnyEvent, Telling
from lampion.core.record import ALL, HIDDEN, NOBODY, Field, Record
from lampion.core.types import Json, Player
from lampion.core.views import Changes, MatchView, derived, doc

_TOLD_ANYHOW = {"num_players", "active"}
"""As `players` and `to_act`, which are in every view."""

# --- the view -------------------------------------------------------------------------------------


def shown_fields(state: type[Record]) -> dict[str, Field]:
    """The fields of a record that are in the view."""
    return {
        name: field
        for name, field in state.fields.items()
        if field.in_view
        and not field.transient
        and field.seen_by is not NOBODY
        and name not in _TOLD_ANYHOW
    }


def plain_view(seen: Any, seat: Player) -> dict[str, Json]:
    """What a redacted record shows."""
    shown = {}
    for name, field in shown_fields(type(seen)).items():
        value = np.asarray(getattr(seen, name))
        shown[name] = _named((value[: seen.num_players] if field.by_player else value), field)
    return shown


def _named(value: npt.NDArray[Any], field: Field) -> Json:
    def name(number: Json) -> Json:
        if isinstance(number, list):
            return [name(each) for each in number]
        if number == HIDDEN or (field.names and number < 0):
            return None
        return field.names[number] if field.names else number

    return name(value.tolist())


def view_type(state: type[Record], kinds: Sequence[Kind] = ()) -> Any:
    """The type of that view."""
    told = _told_fields(state, kinds)
    fields: dict[str, Any] = dict(get_type_hints(MatchView, include_extras=True))
    for name, field in shown_fields(state).items():
        kind: Any = (str if field.names else int) | None
        for _ in field.shape:
            kind = list[kind]
        mark = doc if name in told else derived
        fields[name] = Annotated[kind, mark("by player" if field.by_player else "of the table")]
    return _typed_dict("View", fields, "The table as a seat sees it.")


# --- events ---------------------------------------------------------------------------------------


class Kind:
    """One kind of event: what its cause in the trail is called, and the names of its numbers.

    `Kind("turned", what=RANKS)` tells a row as `{"event": "turned", "player": 1, "what": "K"}`. A
    number without names is left out, and so are a count of 0 and a player who is none.

    `Kind("paid", takes=["coins"], adds=["pot"])` says what such an event changes: its count leaves
    the player's coins for the pot.
    """

    def __init__(
        self,
        name: str,
        *,
        adds: Sequence[str] = (),
        takes: Sequence[str] = (),
        **names: Sequence[str],
    ) -> None:
        assert names.keys() <= {"what", "x", "y"}, "what, x and y of the trail may have names"
        self.name, self.names = name, names
        self.signs = {**dict.fromkeys(adds, 1), **dict.fromkeys(takes, -1)}
        """Of the fields that the count is added to or taken from."""

    def event(self, player: Player, numbers: Mapping[str, int], count: int) -> AnyEvent:
        event: AnyEvent = {"event": self.name}
        if player >= 0:
            event["player"] = player
        event |= {key: names[numbers[key]] for key, names in self.names.items()}
        return event | ({"count": count} if count else {})


def _told_fields(state: type[Record], kinds: Sequence[Kind]) -> dict[str, Field]:
    """The fields whose changes the events tell."""
    shown, told = shown_fields(state), dict[str, Field]()
    for name in (name for kind in kinds for name in kind.signs):
        field = shown.get(name)
        is_count = field and not field.names and len(field.shape) == field.by_player
        assert field and is_count and field.seen_by is ALL, (
            f"the field {name} has to be a number that all see, of the table or of each player"
        )
        told[name] = field
    return told


Tell: TypeAlias = Callable[[Telling, AnyEvent], None]
"""Notes how an event changes the view; it is called before the event is told."""


def plain_events(
    state: type[Record],
    kinds: Sequence[Kind],
    tell: Tell | None,
    trail: npt.NDArray[np.int32],
    telling: Telling,
) -> list[AnyEvent]:
    """The rows of a trail; a cause is the place of its kind."""
    told = []
    for cause, player, what, x, y, count in trail.tolist():
        event = kinds[cause].event(player, {"what": what, "x": x, "y": y}, count)
        for name, sign in kinds[cause].signs.items():
            telling.add(sign * count, name, *([player] if state.fields[name].by_player else []))
        if tell:
            tell(telling, event)
        told.append(telling.event(event))
    return told


def event_type(kinds: Sequence[Kind]) -> Any:
    """What `core.views` reads the types of all kinds from; an alias, as a
    union of one would be none."""
    return GenericAlias(tuple, tuple(_kind_type(kind) for kind in kinds))


def _kind_type(kind: Kind) -> Any:
    fields: dict[str, Any] = {
        "event": Literal[kind.name],
        "player": NotRequired[Annotated[int, doc("who gains, pays or is meant")]],
        **dict.fromkeys(kind.names, str),
        "count": NotRequired[Annotated[int, doc("how many")]],
        "changes": NotRequired[Changes],
    }
    name = "".join(word.capitalize() for word in kind.name.split("_"))
    return _typed_dict(name, fields, f"What happens: {kind.name.replace('_', ' ')}.")


def _typed_dict(name: str, fields: dict[str, Any], description: str) -> Any:
    make: Any = TypedDict
    made = make(name, fields)
    made.__doc__ = description
    return made
