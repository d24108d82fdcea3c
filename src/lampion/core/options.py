"""Options of a game as data: a typed declaration per option, from which checks, forms and schemas
are built.

    OPTIONS = (
        ChoiceOption("lakes", default="same", choices=("same", "four")),
        NumberOption("rounds", default="6", least=3, most=9, players=(2,)),     for two players only
        Sides("emperor", default="setup", example="ABA", wanted="..."),   a `TextOption` with a checker
    )

A value is a text, in records and on the wire alike. The words for people are in the catalogs of the
game, in the section `[options]`, by the keys that `text_keys` lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from lampion.core.errors import InvalidOptions

LONGEST_VALUE = 100
_QUOTED = 40
"""How much of a wrong value an error repeats."""


class _Option(Struct, frozen=True, tag_field="kind"):
    name: str
    default: str
    players: tuple[int, ...] = ()
    """The numbers of players with which it can differ from its default; empty: with any."""

    def applies(self, players: int) -> bool:
        """Whether it can differ from its default with that number of players."""
        return not self.players or players in self.players


class ChoiceOption(_Option, frozen=True, kw_only=True, tag="choice"):
    """One of several values."""

    choices: tuple[str, ...]

    def __post_init__(self) -> None:
        assert self.default in self.choices, f"{self.name}: the default is one of the choices"

    @property
    def wanted(self) -> str:
        return " or ".join(self.choices)

    def is_valid(self, value: str) -> bool:
        return value in self.choices

    @property
    def samples(self) -> tuple[str, ...]:
        """Values other than the default that tests try."""
        return tuple(value for value in self.choices if value != self.default)

    @property
    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.choices)}


class NumberOption(_Option, frozen=True, kw_only=True, tag="number"):
    """A whole number within bounds, written without leading zeros."""

    least: int
    most: int

    def __post_init__(self) -> None:
        assert self.is_valid(self.default), f"{self.name}: the default is {self.wanted}"

    @property
    def wanted(self) -> str:
        return f"a whole number from {self.least} to {self.most}"

    @property
    def _values(self) -> list[str]:
        return [str(number) for number in range(self.least, self.most + 1)]

    def is_valid(self, value: str) -> bool:
        return value in self._values

    @property
    def samples(self) -> tuple[str, ...]:
        return tuple(str(end) for end in (self.least, self.most) if str(end) != self.default)

    @property
    def schema(self) -> dict[str, Any]:
        return {"enum": self._values}


class TextOption(_Option, frozen=True, kw_only=True, tag="text"):
    """Words that the game reads itself, such as names of pieces."""

    example: str
    wanted: str
    """What `accepts` accepts, for error messages, such as "four different shapes"."""

    def __post_init__(self) -> None:
        assert self.is_valid(self.example), f"{self.name}: the example is {self.wanted}"

    def accepts(self, value: str) -> bool:
        """Whether the game can read it; a subclass says so. The default needs no check."""
        return True

    def is_valid(self, value: str) -> bool:
        return value == self.default or (0 < len(value) <= LONGEST_VALUE and self.accepts(value))

    @property
    def samples(self) -> tuple[str, ...]:
        return (self.example,)

    @property
    def schema(self) -> dict[str, Any]:
        return {"minLength": 1, "maxLength": LONGEST_VALUE, "examples": [self.example]}


Option = ChoiceOption | NumberOption | TextOption


def checked(
    title: str, declared: Sequence[Option], players: int, given: Mapping[str, str]
) -> dict[str, str]:
    """All options of a game with their values; raises `InvalidOptions` at the first wrong one."""
    known = {option.name: option for option in declared}
    for name, value in given.items():
        if name not in known:
            raise _unknown(title, name)
        _check(known[name], players, value)
    return {option.name: given.get(option.name, option.default) for option in declared}


def _unknown(title: str, name: str) -> InvalidOptions:
    name = name[:_QUOTED]
    return InvalidOptions(
        f"{title} has no option {name!r}",
        code="unknown-option",
        where=f"options.{name}" if name.isidentifier() else "options",
        option=name,
    )


def _check(option: Option, players: int, value: str) -> None:
    where = f"options.{option.name}"
    if not option.is_valid(value):
        raise InvalidOptions(
            f"the option {option.name!r} is {option.wanted}, not {value[:_QUOTED]!r}",
            code="invalid-option",
            where=where,
            option=option.name,
            value=value[:_QUOTED],
            wanted=option.wanted,
        )
    # Old records may name the default of an option that is not for their number of players.
    if value != option.default and not option.applies(players):
        allowed = " or ".join(str(number) for number in option.players)
        raise InvalidOptions(
            f"the option {option.name!r} is for {allowed} players, not for {players}",
            code="option-not-for-players",
            where=where,
            option=option.name,
            players=players,
        )


def text_keys(option: Option) -> list[str]:
    """The keys of its texts in a catalog: its label, what it does, and the label of each choice.

    A choice can have a sentence of its own, too: `starts.balanced.help`.
    """
    labels = option.choices if isinstance(option, ChoiceOption) else ()
    return [option.name, f"{option.name}.help", *(f"{option.name}.{value}" for value in labels)]


def options_schema(title: str, declared: Sequence[Option]) -> dict[str, Any]:
    """The JSON Schema of the key `options` in records and requests for a table."""
    properties = {
        option.name: {
            "type": "string",
            **option.schema,
            "default": option.default,
            **({"x-players": list(option.players)} if option.players else {}),
        }
        for option in declared
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Options of {title}",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
