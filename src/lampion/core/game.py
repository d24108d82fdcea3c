"""What a game is, and the list of games.

A game is a package that has everything `Game` names; nothing above this level asks which game it
is. The verbs below are the compiled half of the protocol: generic code calls `legal_actions(state,
player, out)`, and the type of the record chooses the game.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from lampion.core.actions import ActionSpace
from lampion.core.compile import Rule, record_layout, register_sources, rule, verb
from lampion.core.errors import UnknownGame
from lampion.core.events import Telling
from lampion.core.facts import GameFacts
from lampion.core.names import own_game_names as own_game_names
from lampion.core.options import Option
from lampion.core.record import Record
from lampion.core.types import NO_PLAYER, Action, IntArray, Json, Player, Rng


class Components(Protocol):
    """The pieces of one game: the published ones, or others from a validated file."""

    @property
    def is_standard(self) -> bool: ...
    @property
    def hash(self) -> str: ...


class Game(Protocol):
    """The Python half of the protocol. `state` is a `Record`, `seen` a redacted one."""

    __name__: str
    __file__: str
    NAME: str
    TITLE: str
    DESIGNER: str
    RULES_VERSION: int
    NUM_PLAYERS: range
    ACTIONS: ActionSpace
    State: type[Record]
    COMPONENTS: type[Any]
    OPTIONS: Sequence[Option]
    """What `new_state` is always given a value for; see `core.options`."""
    View: type[Any]
    """The type of a view, a TypedDict that extends `core.views.MatchView` by what
    the function `view` gives."""
    Event: Any
    """The type of an event: a union of TypedDicts, distinguished by their key `event`."""

    def read_components(self, source: bytes | None, name: str = ...) -> Components: ...
    def new_state(self, players: int, options: Mapping[str, str], components: Any) -> Record: ...
    def action_text(self, state: Any, player: Player, action: Action) -> str: ...
    def hidden_text(self, state: Any, player: Player, action: Action) -> str: ...
    def owner(self, state: Any, player: Player) -> Player: ...
    def parse_action(self, state: Any, player: Player, text: str) -> Action: ...
    def refusal(self, state: Any, player: Player, action: Action) -> tuple[str, str]: ...
    def position_text(self, state: Any) -> str: ...
    def view(self, seen: Any, seat: Player) -> Mapping[str, Json]: ...
    def own_view(self, public: Any, seen: Any, seat: Player) -> Mapping[str, Json]:
        """The view of a seat, given that of a spectator. Only a game with secrets needs it."""

    def events(self, trail: npt.NDArray[np.int32], telling: Telling) -> list[dict[str, Json]]:
        """The events of a trail, row by row: the rows may also come one at a time. What a writer
        needs besides its row, it asks the telling for."""

    def draw_text(self, view: dict[str, Json]) -> str: ...
    def draw_svg(self, view: dict[str, Json]) -> str: ...


def has_module(game: Game, name: str) -> bool:
    """Whether the package of a game has an optional module, such as `knowledge`."""
    return find_spec(f"{game.__name__}.{name}") is not None


def facts_of(game: Game) -> GameFacts:
    """What a game says about itself to programs around it, in its module `facts`."""
    return _facts_in(game.__name__)


@functools.cache
def _facts_in(package: str) -> GameFacts:
    if find_spec(f"{package}.facts") is None:
        return GameFacts()
    return cast(GameFacts, importlib.import_module(f"{package}.facts").FACTS)


def action_texts(game: Game, state: Any, player: Player, actions: Sequence[Action]) -> list[str]:
    """The texts of many actions of one state; a game that writes them faster together has a
    function of that name."""
    together = getattr(game, "action_texts", None)
    return (
        together(state, player, actions)
        if together
        else [game.action_text(state, player, action) for action in actions]
    )


# --- the list of games ----------------------------------------------------------------------------

_games: dict[str, Game] = {}
_rules: dict[tuple[object, ...], ModuleType] = {}
_OWN = "lampion.games"


def game_names() -> list[str]:
    """All games: the packages in `lampion.games`, installed ones from elsewhere, and those
    registered by a program."""
    return sorted({*own_game_names(), *_installed(), *_games})


@functools.cache
def _installed() -> dict[str, Any]:
    """The games that other distributions name in their entry points: `my_game = "my_package"` in
    the group `lampion.games`."""
    from importlib.metadata import (
        entry_points,
    )  # slow to import, and needed for games of others only

    return {point.name: point for point in entry_points(group=_OWN)}


def find_game(name: str) -> Game:
    """The game of that name, imported when it is first asked for."""
    if name not in _games:
        register(_package_of(name))
    return _games[name]


def _package_of(name: str) -> ModuleType:
    if name in own_game_names():
        return importlib.import_module(f"{_OWN}.{name}")
    if name in _installed():
        return cast(ModuleType, _installed()[name].load())
    known = ", ".join(game_names())
    raise UnknownGame(
        f"there is no game called {name!r}; there are: {known}",
        where="game",
        name=name,
        known=known,
    )


def register(package: ModuleType) -> None:
    """Add a game: a package with everything `Game` names, and its rules in the module `rules`
    or in the package itself."""
    game = cast(Game, package)
    rules = rules_of(package)
    key = record_layout(game.State.dtype)
    assert _rules.get(key, rules) is rules, (
        f"the records of {game.NAME} look exactly like those of another game"
    )
    _games[game.NAME], _rules[key] = game, rules
    register_sources(game.NAME, game.TITLE, game.State.dtype, Path(str(package.__file__)).parent)


def rules_of(package: ModuleType) -> ModuleType:
    """The module with the rules of a game: `rules`, or the package itself where there is none."""
    name = f"{package.__name__}.rules"
    return importlib.import_module(name) if find_spec(name) else package


def game_of_record(dtype: np.dtype[Any]) -> Game:
    """The game whose states have that type."""
    return next(
        game for game in _games.values() if record_layout(game.State.dtype) == record_layout(dtype)
    )


# --- the verbs ------------------------------------------------------------------------------------


def _answer(name: str) -> Any:
    def answer(dtype: np.dtype[Any]) -> Rule:
        return cast(Rule, getattr(_rules[record_layout(dtype)], name))

    return answer


@rule
def no_owner(state: Any, player: Player) -> Player:
    return NO_PLAYER


def _owner(dtype: np.dtype[Any]) -> Rule:
    return cast(Rule, getattr(_rules[record_layout(dtype)], "owner", no_owner))


@verb(_answer("to_act"))
def to_act(state: Any) -> Player:
    """Who is to act: a player (where several may act at once, the first in canonical
    order), CHANCE or GAME_OVER."""
    raise AssertionError("the module of the game answers")


@verb(_answer("may_act"))
def may_act(state: Any, player: Player) -> bool:
    """Whether that player, or CHANCE, may act now; true for several where
    they act at the same time."""
    raise AssertionError("the module of the game answers")


@verb(_answer("legal_actions"))
def legal_actions(state: Any, player: Player, out: IntArray) -> int:
    """Write the ids of all actions of that player (or CHANCE) in ascending
    order and return their number."""
    raise AssertionError("the module of the game answers")


@verb(_answer("chance_weights"))
def chance_weights(state: Any, out: IntArray) -> int:
    """Write the weights of the outcomes that `legal_actions(state, CHANCE, ...)`
    lists, in the same order."""
    raise AssertionError("the module of the game answers")


@verb(_answer("sample_chance"))
def sample_chance(state: Any, rng: Rng) -> Action:
    """One outcome of chance with the right probability, without writing the list."""
    raise AssertionError("the module of the game answers")


@verb(_answer("apply"))
def apply(state: Any, player: Player, action: Action) -> None:
    """Do it. Trusts its caller: `Match.submit` is the gate."""
    raise AssertionError("the module of the game answers")


@verb(_answer("scores"))
def scores(state: Any, out: IntArray) -> None:
    """Write each player's score as it stands."""
    raise AssertionError("the module of the game answers")


@verb(_answer("placements"))
def placements(state: Any, out: IntArray) -> None:
    """Write each player's place as it stands, tie-breaks included: 1 for all who would
    share the victory, and so on."""
    raise AssertionError("the module of the game answers")


@verb(_answer("determinize"))
def determinize(seen: Any, seat: Player, rng: Rng) -> None:
    """Replace everything hidden in a redacted record by a guess that fits what that seat knows,
    each with its probability."""
    raise AssertionError("the module of the game answers")


@verb(_owner)
def owner(state: Any, player: Player) -> Player:
    """Who alone may know what that player, or CHANCE, does now; NO_PLAYER if it is no secret. Only
    bots ask, and only about games that tell them nothing else (see `bots.plain`); rules without
    secrets need not answer."""
    raise AssertionError("the module of the game answers")
