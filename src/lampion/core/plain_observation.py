"""What a seat sees as numbers in a game that has no module `observation`: the fields of its record.

    part        numbers
    seat        1 + the seat that looks; 0 for spectators
    to_act      1 + whose turn it is, counted from that seat; 0 for nobody, or chance
    ...         each field of the record that any seat may see, in the order of the record

A number of a field is written as 1 + number, and as 0 where it is below 0 or hidden from the seat.
A field of 64 bits is taken for a set: each of its bits is a number, 0 or 1; in the compact
observation, each of its bytes is one, the lowest first. The rows of a field
`by_player` are counted from the seat that looks, as in every observation.

The rule that writes them is written here as Python and compiled with the rules of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lampion.core.compile import Rule, rule, written_rule
from lampion.core.game import to_act
from lampion.core.observation import MOST, Observation, Part, Vector, counted_from
from lampion.core.record import ALL, NOBODY, OWNER, Field, Record
from lampion.core.types import MOST_SEATS, Player

NUM_BITS = 64
NUM_BYTES = 8
_TOLD_ANYHOW = "active"
"""As `to_act`."""


class PlainObservation:
    """Stands in for the module `observation` of a game."""

    OBSERVATION: Observation
    observe: Rule

    def __init__(
        self, state: type[Record], name: str = "observe", *, compact: bool = False
    ) -> None:
        fields = [field for field in state.fields.values() if _is_seen(field)]
        self.OBSERVATION = Observation(
            Part("seat", 1, high=MOST_SEATS, code=True, meaning="1 + the seat that looks; 0 for spectators"),
            Part("to_act", 1, high=MOST_SEATS, code=True,
                 meaning="1 + whose turn it is, counted from that seat; 0 for nobody, or chance"),
            *(_part(field, compact) for field in fields),
        )  # fmt: skip
        lines = [line for field in fields for line in self._writer(field, state, compact)]
        head = _HEAD.replace("observe", name, 1)
        self.observe = written_rule(name, "\n".join([head, *lines]), _NAMES)

    def _writer(self, field: Field, state: type[Record], compact: bool) -> Iterator[str]:
        """The lines that write one field: a loop for each axis."""
        axes = [f"axis_{k}" for k in range(len(field.shape))]
        place = _place(self.OBSERVATION[field.name].start, axes, field.shape)
        yield f"    # {field.name}"
        indent = "    "
        for number, (axis, length) in enumerate(zip(axes, field.shape, strict=True)):
            if number == 0 and field.by_player:
                yield f"    for {axis} in range(state.num_players):"
                yield f"        player = player_behind(first, {axis}, state.num_players)"
            else:
                yield f"{indent}for {axis} in range({length}):"
            indent += "    "
        if condition := _condition(field, state, axes):
            yield f"{indent}if {condition}:"
            indent += "    "
        index = ", ".join(["player", *axes[1:]] if field.by_player else axes)
        value = f"state.{field.name}[{index}]" if index else f"state.{field.name}"
        yield from (f"{indent}{line}" for line in _write(field, place, value, compact))


class PlainCompact(PlainObservation):
    """Stands in for the module `compact` of a game."""

    def __init__(self, state: type[Record]) -> None:
        super().__init__(state, "observe_compact", compact=True)
        self.COMPACT, self.observe_compact = self.OBSERVATION, self.observe


_HEAD = '''\
def observe(state: Any, seat: Player, out: Vector) -> None:
    """The fields of the record, as far as the seat may see them."""
    out[:] = 0
    first = max(seat, 0)
    actor = to_act(state)
    if seat >= 0:
        out[0] = 1 + seat
    if actor >= 0:
        out[1] = 1 + counted_from(first, actor, state.num_players)'''


def _is_seen(field: Field) -> bool:
    is_secret = field.seen_by is NOBODY and not field.open_if
    return not (field.transient or is_secret or field.name == _TOLD_ANYHOW)


def _is_set(field: Field) -> bool:
    return field.dtype.itemsize * 8 == NUM_BITS


def _part(field: Field, compact: bool) -> Part:
    shape, rows = field.shape or (1,), ", by player" if field.by_player else ""
    if _is_set(field) and compact:
        meaning = f"the bytes of the field `{field.name}`, the lowest first{rows}"
        return Part(field.name, *field.shape, NUM_BYTES, high=MOST, meaning=meaning)
    if _is_set(field):
        meaning = f"the bits of the field `{field.name}`{rows}"
        return Part(field.name, *field.shape, NUM_BITS, high=1, meaning=meaning)
    if field.names:
        meaning = f"1 + the place in {', '.join(field.names)}{rows}; 0 none, or hidden"
        return Part(field.name, *shape, high=len(field.names), code=True, meaning=meaning)
    meaning = f"1 + the field `{field.name}`{rows}; 0 below 0, or hidden"
    return Part(field.name, *shape, high=MOST, meaning=meaning)


def _place(start: int, axes: list[str], shape: tuple[int, ...]) -> str:
    """Where a number of a field stands in the vector, or its first bit by bits."""
    if not axes:
        return str(start)
    place = axes[0]
    for axis, length in zip(axes[1:], shape[1:], strict=True):
        place = f"({place}) * {length} + {axis}"
    return f"{start} + {place}"


def _condition(field: Field, state: type[Record], axes: list[str]) -> str:
    """What must hold for a seat to see a number; empty if everybody does."""
    if field.seen_by is ALL:
        return ""
    ways = ["player == seat"] if field.seen_by is OWNER else []
    if field.open_if:
        row = (
            ("player" if field.by_player else axes[0]) if state.fields[field.open_if].shape else ""
        )
        ways.append(f"state.{field.open_if}{f'[{row}]' if row else ''} != 0")
    return " or ".join(ways)


def _write(field: Field, place: str, value: str, compact: bool) -> list[str]:
    if not _is_set(field):
        return [f"out[{place}] = shown({value})"]
    start, _, rest = place.partition(" + ")
    width = NUM_BYTES if compact else NUM_BITS
    first = f"{start} + ({rest}) * {width}" if rest else start
    if compact:
        byte = (
            f"int({value} >> np.uint64(8 * byte) & np.uint64({MOST}))"
            if field.dtype.kind == "u"
            else f"{value} >> 8 * byte & {MOST}"
        )
        return [f"for byte in range({NUM_BYTES}):", f"    out[{first} + byte] = {byte}"]
    bit = (
        f"int(({value} >> np.uint64(bit)) & np.uint64(1))"
        if field.dtype.kind == "u"
        else f"({value} >> bit) & 1"
    )
    return [f"for bit in range({NUM_BITS}):", f"    out[{first} + bit] = {bit}"]


# --- what the written rule calls --------------------------------------------------------------------


@rule(inline=True)
def shown(number: int) -> int:
    """A number of a field as a byte."""
    return min(1 + number, MOST) if number >= 0 else 0


@rule(inline=True)
def player_behind(first: Player, places: int, num_players: int) -> Player:
    """The player so many places behind another in turn order."""
    player = first + places
    return player if player < num_players else player - num_players


_NAMES: dict[str, Any] = {
    "__name__": __name__,
    "Any": Any,
    "Player": Player,
    "Vector": Vector,
    "np": np,
    "counted_from": counted_from,
    "player_behind": player_behind,
    "shown": shown,
    "to_act": to_act,
}
