"""Bots by name: `random`, `greedy`, `search`, the levels people play against, and your own programs.

random                      any legal action
greedy                      the action after which it stands best
net                         the same by a trained network, where there is one
human:glance=0.5,doubt=1    looks one move ahead with the limits of a person (`bots.human`)
even:300                    searches 300 iterations, and keeps the game close (`bots.even`)
search:0.2s                 searches 0.2 seconds for each move
search:500                  searches 500 iterations for each move: the same choice on every machine
search:500,exploration=0.3  with other settings
textbook:0.1s               the same search as textbooks have it, a yardstick (`TEXTBOOK`)
exec:./mybot --fast         a program that speaks the protocol in docs/bots.md
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any, NamedTuple

from lampion.bots.base import Bot, Budget
from lampion.bots.even import Even
from lampion.bots.human import Human, Limits
from lampion.bots.random import RandomBot
from lampion.bots.search import Greedy, Search, SearchSettings
from lampion.core.errors import InvalidOptions
from lampion.core.game import facts_of, find_game


class Level(NamedTuple):
    """What people choose to play against; the words for it are in the message catalogs, under [levels]."""

    name: str
    bot: str
    """Unless the game says otherwise (`GameFacts.levels`)."""


LEVELS = (
    Level("novice", "human:glance=0.35,forget=0.12,promise=0.5,gifts=0,doubt=2"),
    Level("learner", "human:glance=0.6,forget=0.05,promise=0.8,gifts=0.2,doubt=1"),
    Level("careful", "human:glance=0.9,gifts=0.5,doubt=0.3"),
    Level("skilled", "greedy"),
    Level("planner", "search:50,net=0"),
    Level("expert", "search:1000"),
    Level("master", "search:2s"),
)
"""From a first game to the strongest; two neighbors are about equally far apart in every game."""
TEXTBOOK = "exploration=0.5,prior_visits=0,playout=0,cutoff=-1,guided=0,net=0,exact=0"
"""Information-set tree search without anything that a game knows: random playouts to the end, no
evaluation, no exact ends."""
ADAPTIVE = Level("even", "even:300")
"""As strong as the game needs to stay open, so it has no place among the others."""
CHOICES = (*LEVELS, ADAPTIVE)
"""All that people choose from."""
DEFAULT_LEVEL = "planner"


class BotPlayer(NamedTuple):
    """A bot with its budget."""

    name: str
    bot: Bot
    budget: Budget


_NOISE = re.compile(r"greedy(?:,noise=([0-9]+(?:\.[0-9]+)?))?")
_SECONDS = re.compile(r"([0-9]+(?:\.[0-9]+)?)s")


def level_bot(name: str, game: str = "") -> str:
    """The bot behind a level in that game, or behind a short name; any other stays as it is."""
    own = facts_of(find_game(game)).levels if game else {}
    kind, _, budget = name.partition(":")
    if kind == "textbook" and budget and "," not in budget:
        return f"search:{budget},{TEXTBOOK}"
    return own.get(name) or next((level.bot for level in CHOICES if level.name == name), name)


def human_limits(game: str) -> tuple[Limits, ...]:
    """The limits of the levels of a game that err as people do, the strongest first."""
    bots = [level_bot(level.name, game).partition(":") for level in reversed(LEVELS)]
    return tuple(
        Limits(**_settings(rest, rest, Limits)) for kind, _, rest in bots if kind == "human"
    )


def make_player(name: str, game: str = "") -> BotPlayer:
    """The bot of that name; `InvalidOptions` says what is wrong with it."""
    spec = level_bot(name, game)
    kind, _, rest = spec.partition(":")
    if kind == "exec" and rest:
        from lampion.bots.external import ExternalBot

        return BotPlayer(name, ExternalBot(rest), Budget(seconds=10.0))
    if kind == "search" and rest:
        budget, _, settings = rest.partition(",")
        return BotPlayer(
            name, Search(**_settings(name, settings, SearchSettings)), _budget(name, budget)
        )
    if kind == "even" and rest:
        return BotPlayer(name, Even(human_limits), _budget(name, rest))
    if kind == "human" and rest:
        return BotPlayer(name, Human(Limits(**_settings(name, rest, Limits))), Budget())
    if spec == "random":
        return BotPlayer(name, RandomBot(), Budget())
    if spec == "net":
        return BotPlayer(name, Greedy(net=True), Budget())
    if noise := _NOISE.fullmatch(spec):
        return BotPlayer(name, Greedy(float(noise[1] or 0)), Budget())
    levels = ", ".join(level.name for level in CHOICES)
    raise _bad(
        name,
        f"random, greedy, net, human:glance=0.5, even:300, search:500, search:0.2s, textbook:0.2s, exec:PROGRAM, or a level: {levels}",
    )


def _budget(name: str, text: str) -> Budget:
    if seconds := _SECONDS.fullmatch(text):
        return Budget(seconds=float(seconds[1]))
    if text.isdecimal() and 0 < int(text) <= 10**8:
        return Budget(iterations=int(text))
    raise _bad(
        name, "the budget is a number of iterations, such as 500, or of seconds, such as 0.2s"
    )


def _settings(name: str, text: str, kind: type[SearchSettings | Limits]) -> dict[str, float]:
    known = {field.name: field for field in dataclasses.fields(kind)}
    changed: dict[str, float] = {}
    for part in text.split(",") if text else []:
        key, _, value = part.partition("=")
        if key not in known:
            raise _bad(name, f"settings are {', '.join(known)}, each with =NUMBER")
        changed[key] = _setting(name, known[key], value)
    return changed


def _setting(name: str, field: dataclasses.Field[Any], text: str) -> float:
    least, most = field.metadata["least"], field.metadata["most"]
    is_whole = field.type == "int"
    try:
        value = int(text) if is_whole else float(text)
        if least <= value <= most:
            return value
    except ValueError:
        pass
    raise _bad(
        name,
        f"{field.name} is a {'whole number' if is_whole else 'number'} from {least:g} to {most:g}",
    )


def _bad(name: str, expected: str) -> InvalidOptions:
    return InvalidOptions(
        f"{name[:60]!r} is not a valid bot: {expected}",
        code="unknown-bot",
        where="bot",
        name=name[:60],
        expected=expected,
    )
