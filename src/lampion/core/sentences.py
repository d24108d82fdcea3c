"""What happened, as people tell it: "Milo places a tile: you get a red lantern, Iris a white one".

A game's catalog says by its sections how an event is told. `events` start a sentence of their own;
`details` follow behind a colon; of `gets` only what is received is written, and the clauses for a
player are merged. A key may have forms: `.you` for the reader's own seat, `#one` for a count of 1.
A placeholder may have one too: `{color:lantern}` is the word `R.lantern` where the color is R,
`{dice:each}` the words of all its parts, and `{area:.2}` its first two characters, as in Python.

The client tells the same way, from the same catalogs (`web/src/lib/text/words.ts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from lampion.core.game import find_game
from lampion.core.messages import DEFAULT, catalog, event_key, text
from lampion.core.types import SPECTATOR, Json, Player

Event = Mapping[str, Json]


class Reader(NamedTuple):
    """Who is told: in which game and language, and which seat is called "you"."""

    game: str
    names: Sequence[str]
    language: str = DEFAULT
    seat: Player = SPECTATOR


class Clause(NamedTuple):
    text: str
    starts: bool
    """Whether it starts a sentence."""


def sentences(events: Sequence[Event], reader: Reader) -> list[str]:
    """The events as sentences, without full stops. Facts need no words."""
    told: list[tuple[str, list[str]]] = []
    rest: list[str] = []
    for clause in _clauses(events, reader):
        if clause.starts:
            # What comes before the first deed, such as the cards of a dedication, belongs to it.
            rest = [] if told else rest
            told.append((clause.text, rest))
        else:
            rest.append(clause.text)
    if not told and rest:
        return [_capital(", ".join(rest))]
    return [_joined(deed, led_to, reader.language) for deed, led_to in told]


def outcome(events: Sequence[Event], reader: Reader) -> str:
    """What an action leads to, without the action itself. Empty if it leads to nothing."""
    clauses = [clause.text for clause in _clauses(events, reader) if not clause.starts]
    return _capital(", ".join(clauses))


def listed(section: str, facts: Sequence[Event], reader: Reader) -> str:
    """Facts in the form of events, told by one section of the catalog. Empty if there are none."""
    return _capital(", ".join(_clause(section, fact, reader) for fact in facts))


def sentence(section: str, kind: str, values: Event, reader: Reader) -> str:
    """A sentence of its own, from another section of the catalog, with the forms that events have."""
    return _capital(_clause(section, {"event": kind, **values}, reader))


def _joined(head: str, rest: list[str], language: str) -> str:
    if not rest:
        return _capital(head)
    return _capital(text("told", "outcome", language, deed=head, outcome=", ".join(rest)))


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _clauses(events: Sequence[Event], reader: Reader) -> Iterator[Clause]:
    told = [(_section(event, reader), event) for event in events if event["event"] != "facts"]
    for starts, group in groupby(told, lambda each: each[0] == "events"):
        run = [*group]
        yield from _shares([event for section, event in run if section == "gets"], reader)
        for section, event in run:
            if section != "gets":
                yield Clause(_clause(section, event, reader), starts)


def _shares(events: list[Event], reader: Reader) -> Iterator[Clause]:
    """Who gets what, a clause for each player; the verb is said once."""
    players = list(dict.fromkeys(event["player"] for event in events))
    for k, player in enumerate(players):
        gains = [_clause("gets", event, reader) for event in events if event["player"] == player]
        key = ("gets" if k == 0 else "gets-too") + ".you" * (player == reader.seat)
        values = {"player": reader.names[player], "gains": _listed(gains, reader)}
        yield Clause(text("told", key, reader.language, **values), starts=False)


def _listed(gains: list[str], reader: Reader) -> str:
    *most, last = gains
    return text("told", "and", reader.language, most=", ".join(most), last=last) if most else last


def _section(event: Event, reader: Reader) -> str:
    texts = _catalog(reader, DEFAULT)
    found = (name for name in ("gets", "details") if event_key(event) in texts.get(name, {}))
    return next(found, "events")


def _clause(section: str, event: Event, reader: Reader) -> str:
    if event["event"] == "undone":
        return text("events", "undone", reader.language)
    key = event_key(event)
    texts = _texts(section, key, reader)
    if event.get("player") == reader.seat and f"{key}.you" in texts:
        key += ".you"
    if event.get("count") == 1 and f"{key}#one" in texts:
        key += "#one"
    values = {name: _Value.of(value, reader) for name, value in event.items() if name != "changes"}
    if "player" in event:
        values["player"] = _Value.of(reader.names[event["player"]], reader)
    if "count" in event:
        values["count"] = _Value.of(abs(event["count"]), reader)
    return texts[key].format(**values)


def _texts(section: str, key: str, reader: Reader) -> Mapping[str, str]:
    """Where the text of an event is: English is enough for a game, and its name does at worst."""
    catalogs = (_catalog(reader, language) for language in (reader.language, DEFAULT))
    found = (texts for texts in (one.get(section, {}) for one in catalogs) if key in texts)
    return next(found, {key: key.replace("_", " ")})


def _catalog(reader: Reader, language: str) -> dict[str, dict[str, str]]:
    return catalog(Path(find_game(reader.game).__file__).parent, language)


class _Value(str):
    """A value of an event, written in the form that its placeholder asks for."""

    parts: list[str]
    words: Mapping[str, str]

    @classmethod
    def of(cls, value: Json, reader: Reader) -> _Value:
        made = cls(value)
        made.parts = made.split() if " " in made else [*made] if isinstance(value, str) else []
        english = _catalog(reader, DEFAULT).get("words", {})
        made.words = english | _catalog(reader, reader.language).get("words", {})
        return made

    def __format__(self, form: str) -> str:
        if form == "each":
            return ", ".join(self.words.get(part, part) for part in self.parts)
        if form.startswith("."):
            return str.__format__(self, form)
        return self.words.get(".".join((self, form)) if form else self, str(self))
