"""Rules are plain Python functions; this module lets them run as machine code.

    @rule     a function on a record. Called from Python it simply runs; called from a door it is compiled.
    @entry    a function on arrays, `f(states, index, ...)`: the door from Python into compiled rules.
    @verb     a question that every game answers (`to_act`, `apply`, ...): the type of the record chooses the game.

A door looks for the compiled module of the game that its records belong to (`core.native.library`),
once, and calls it from then on. Where there is none, because nobody has a compiler or
`LAMPION_COMPILE=0` says so, it runs the same functions as plain Python: everything works, only
slowly.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast, overload

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])
Answer = Callable[[np.dtype[Any]], "Rule"]

PACKAGE = Path(__file__).parent.parent
MODE = os.environ.get("LAMPION_COMPILE", "1")
"""`0`: plain Python. `checked`: compiled with every index checked, for tests."""
IS_ENABLED = MODE != "0"
MOST_TYPES = 64
"""Types of records that a door remembers. Every array that is unpickled brings one of its own."""


class Rule:
    """A function that compiled code can call. See `rule`."""

    def __init__(self, function: Callable[..., Any], inline: bool, wraps_around: bool) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.inline = inline
        self.wraps_around = wraps_around

    def __call__(self, *args: Any) -> Any:
        if self.wraps_around:
            with np.errstate(over="ignore"):
                return self.function(*args)
        return self.function(*args)


class Door(Rule):
    """A door: runs compiled when called from Python. See `entry`."""

    def __init__(self, function: Callable[..., Any], loops: bool) -> None:
        super().__init__(function, inline=False, wraps_around=False)
        self.loops = loops
        self._doors: dict[int, tuple[object, Callable[..., Any]]] = {}
        self._doors_of_games: dict[GameSources | None, Callable[..., Any]] = {}

    def find(self, dtype: np.dtype[Any] | None) -> tuple[object, Callable[..., Any]]:
        """The type of the records, and the compiled door for them or else plain Python. Without
        records any game's will do.

        Types are compared by identity: to compare those of two records takes ten
        times as long as the call.
        """
        found = self._doors.get(id(dtype))
        if found is None:
            if len(self._doors) >= MOST_TYPES:
                self._doors.clear()
            found = self._doors[id(dtype)] = dtype, self._door_of(dtype)
        return found

    def _door_of(self, dtype: np.dtype[Any] | None) -> Callable[..., Any]:
        game = game_of(dtype) if dtype is not None else next(iter(_games.values()), None)
        if game not in self._doors_of_games:
            from lampion.core.native.library import find_door

            door = find_door(game, self) if game and IS_ENABLED else None
            self._doors_of_games[game] = door or self.function
        return self._doors_of_games[game]


_DOOR = """
def make(find):
    known = (find, None)
    def {name}({names}):
        nonlocal known
        found = known
        if {dtype} is not found[0]:
            found = known = find({dtype})
        return found[1]({names})
    return {name}
"""
"""What Python calls. It remembers the type of the last records, in one tuple so that threads see
both halves or neither; written out for each door, because to pass on any number of arguments takes
longer than the whole call."""


def _opened(door: Door) -> Any:
    code = door.function.__code__
    names, place = ", ".join(code.co_varnames[: code.co_argcount]), _place_of_batch(door.function)
    dtype = "None" if place is None else f"{code.co_varnames[place]}.dtype"
    made: dict[str, Any] = {}
    exec(_DOOR.format(name=door.function.__name__, names=names, dtype=dtype), made)
    opened: Any = functools.update_wrapper(made["make"](door.find), door.function)
    opened.entry = door
    return opened


def rule_behind(called: object) -> Rule | None:
    """The rule that a name in a rule means: the rule itself, or that behind a door."""
    found = getattr(called, "entry", called)
    return found if isinstance(found, Rule) else None


def _place_of_batch(function: Callable[..., Any]) -> int | None:
    """Which argument holds the records of the game: the first that is annotated as a batch."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    kinds = [function.__annotations__.get(name) for name in names]
    return next((place for place, kind in enumerate(kinds) if kind is Any or kind == "Batch"), None)


def answer_of(asked: object) -> Answer | None:
    """What finds the rule behind a verb; nothing if it is no verb."""
    return cast("Answer | None", getattr(asked, "verb_answer", None))


def verb(answer: Answer) -> Callable[[Function], Function]:
    """Declare a question that every game answers; `answer(dtype)` finds the rule of the game whose
    records have that type."""

    def declare(declared: Function) -> Function:
        @functools.wraps(declared)
        def ask(state: Any, *args: Any) -> Any:
            return answer(state.dtype)(state, *args)

        ask.verb_answer = answer  # type: ignore[attr-defined]
        return cast(Function, ask)

    return declare


@overload
def rule(function: Function) -> Function: ...
@overload
def rule(*, inline: bool = ..., wraps_around: bool = ...) -> Callable[[Function], Function]: ...
def rule(function: Any = None, *, inline: bool = False, wraps_around: bool = False) -> Any:
    """Make a function callable from compiled code. `inline` is for helpers of two lines,
    `wraps_around` for 64-bit hashing, where an overflow is meant (compiled integers always wrap
    around; those of NumPy would warn)."""
    if function is None:
        return lambda wanted: Rule(wanted, inline, wraps_around)
    return cast(Any, Rule(function, inline, wraps_around))


def written_rule(name: str, source: str, names: dict[str, Any]) -> Rule:
    """A rule that a program has written: `source` defines the function of that name, which may use
    `names`. The translator reads the source from the function, because there is no file."""
    scope = dict(names)
    exec(compile(source, f"<{name}>", "exec"), scope)
    function = scope[name]
    function.written_source = source
    return Rule(function, inline=False, wraps_around=False)


@overload
def entry(function: Function) -> Function: ...
@overload
def entry(*, loops: bool = ...) -> Callable[[Function], Function]: ...
def entry(function: Any = None, *, loops: bool = False) -> Any:
    """Make a door. One that `loops` works for a while and lets other threads run meanwhile;
    a short one does not give the interpreter's lock away, because getting it back would
    take longer than the work."""
    if function is None:
        return lambda wanted: _opened(Door(wanted, loops))
    return _opened(Door(function, loops))


# --- the games whose records are known ------------------------------------------------------------


class GameSources(NamedTuple):
    """A game as the compiler sees it: its name, its records, the folder of its rules, and
    whether it is one of ours."""

    name: str
    title: str
    dtype: np.dtype[Any]
    folder: Path

    @property
    def is_own(self) -> bool:
        return PACKAGE in self.folder.parents


_games: dict[tuple[object, ...], GameSources] = {}


def register_sources(name: str, title: str, dtype: np.dtype[Any], folder: Path) -> None:
    _games[record_layout(dtype)] = GameSources(name, title, dtype, folder)


def game_of(dtype: np.dtype[Any]) -> GameSources | None:
    """The game whose records have that type."""
    return _games.get(record_layout(dtype)) if dtype.fields else None


def record_layout(dtype: np.dtype[Any]) -> tuple[object, ...]:
    """Names and offsets: what tells the records of two games apart. A pickled array has
    a type object of its own."""
    assert dtype.fields and dtype.names
    return (dtype.itemsize, *((name, dtype.fields[name][1]) for name in dtype.names))
