"""Rules are plain Python functions; this module lets Numba compile them when speed is wanted.

    @rule     a function on a record. Called from Python it simply runs, uncompiled; called from compiled code it is compiled.
    @entry    a function on a batch of records, `f(states, index, ...)`: the door from Python into compiled code.
    @verb     a question that every game answers (`to_act`, `apply`, ...): the type of the record chooses the game.

Importing this module does not import Numba and compiles nothing. `LAMPION_COMPILE=0` switches compilation off altogether.

Compiled code is kept in a folder named after a hash of all sources that can end up in it, because Numba's own check sees only the
file of the outermost function: an edit anywhere in the rules opens a new folder, and a stale one is never read. Games outside the
package share that folder: what is compiled for one of them is found again by a hash of its own sources.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast, overload

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent.parent
_OF_A_GAME = ("components.toml", "components.py", "state.py", "actions.py", "rules*.py", "observation.py")
RULE_SOURCES = (
    "core/*.py",
    *(f"games/*/{name}" for name in _OF_A_GAME),
    "bots/*.py",
    "bots/knowledge/*.py",
    "research/stepping.py",
    "research/training.py",
)
"""What can end up in compiled code; a test walks through all rules to see that nothing is missing."""

IS_ENABLED = os.environ.get("LAMPION_COMPILE", "1") != "0"


class Rule:
    """A function that compiled code can call. See `rule`."""

    def __init__(self, function: Callable[..., Any], inline: bool, wraps_around: bool) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.inline = inline
        self.wraps_around = wraps_around
        self._dispatcher: Any = None

    def __call__(self, *args: Any) -> Any:
        if self.wraps_around:
            with np.errstate(over="ignore"):
                return self.function(*args)
        return self.function(*args)

    @property
    def dispatcher(self) -> Any:
        """Numba's compiled function, made when it is first asked for."""
        if self._dispatcher is None:
            self._dispatcher = _numba_function(self.function, self.inline)
        return self._dispatcher


class Entry(Rule):
    """A rule on a batch of records that runs compiled when called from Python. See `entry`."""

    def __call__(self, *args: Any) -> Any:
        return (self._dispatcher or self.dispatcher)(*args) if IS_ENABLED else self.function(*args)


_verbs: list[tuple[Callable[..., Any], Callable[[np.dtype[Any]], Rule]]] = []


def verb(answer: Callable[[np.dtype[Any]], Rule]) -> Callable[[Function], Function]:
    """Declare a question that every game answers; `answer(dtype)` finds the rule of the game whose records have that type."""

    def declare(declared: Function) -> Function:
        @functools.wraps(declared)
        def ask(state: Any, *args: Any) -> Any:
            return answer(state.dtype)(state, *args)

        _verbs.append((ask, answer))
        if _teach_numba.cache_info().currsize:
            _overload_verb(ask, answer)
        return cast(Function, ask)

    return declare


@overload
def rule(function: Function) -> Function: ...
@overload
def rule(*, inline: bool = ..., wraps_around: bool = ...) -> Callable[[Function], Function]: ...
def rule(function: Any = None, *, inline: bool = False, wraps_around: bool = False) -> Any:
    """Make a function callable from compiled code. `inline` is for helpers of two lines, `wraps_around` for 64-bit hashing,
    where an overflow is meant (compiled integers always wrap around; uncompiled ones would warn)."""
    if function is None:
        return lambda wanted: Rule(wanted, inline, wraps_around)
    return cast(Any, Rule(function, inline, wraps_around))


def entry(function: Function) -> Function:
    """Make a function on `(states, index, ...)` that runs compiled when called from Python."""
    return cast(Function, Entry(function, inline=False, wraps_around=False))


# --- the folder of compiled code ------------------------------------------------------------------------------------------------


def cache_root() -> Path:
    """Where all folders of compiled code are; `LAMPION_CACHE` moves it."""
    home = os.environ.get("LAMPION_CACHE") or os.path.join(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "lampion")
    return Path(home).expanduser()


def rule_sources() -> list[Path]:
    """All files of the package that can end up in compiled code."""
    return [path for pattern in RULE_SOURCES for path in sorted(PACKAGE.glob(pattern))]


def cache_folder() -> Path:
    from numba import __version__
    from numba.core import config

    return cache_root() / _hash_of(rule_sources(), f"{__version__} {sys.version} {config.BOUNDSCHECK}")


def _hash_of(sources: list[Path], more: str = "") -> str:
    key = hashlib.sha256(more.encode())
    for path in sources:
        key.update(path.name.encode() + b"\0" + path.read_bytes())
    return key.hexdigest()[:16]


def is_cold() -> bool:
    """Whether rules would have to be compiled from scratch."""
    folder = cache_folder()
    return IS_ENABLED and not (folder.exists() and any(folder.iterdir()))


class _Outside(NamedTuple):
    """A game outside the package: where it is, what its records look like, and the hash of its sources."""

    folder: Path
    layout: tuple[object, ...]
    hash: str


_outside: list[_Outside] = []


def watch_sources(folder: Path, dtype: np.dtype[Any]) -> None:
    """Keep what is compiled for a game outside the package apart from what was compiled for earlier versions of it."""
    sources = sorted(folder.glob("*.py")) + sorted(folder.glob("*.toml"))
    _outside.append(_Outside(folder, record_layout(dtype), _hash_of(sources)))


def record_layout(dtype: np.dtype[Any]) -> tuple[object, ...]:
    """Numba and NumPy hand over different dtype objects for the same record; names and offsets tell them apart."""
    assert dtype.fields and dtype.names
    return (dtype.itemsize, *((name, dtype.fields[name][1]) for name in dtype.names))


@functools.cache
def _open_cache() -> Path:
    """The folder for the sources as they are, made if need be; folders unused for a month are removed.

    Where nothing can be written, compiled code lasts as long as the process.
    """
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="lampion-"))
    a_month_ago = time.time() - 30 * 24 * 3600
    for other in folder.parent.iterdir():
        if other.is_dir() and len(other.name) == len(folder.name) and other.stat().st_mtime < a_month_ago:
            shutil.rmtree(other, ignore_errors=True)
    return folder


# --- Numba ----------------------------------------------------------------------------------------------------------------------


@functools.cache
def _teach_numba() -> None:
    """A `Rule` met in compiled code is its dispatcher; a verb is the rule of the game that the record belongs to."""
    from numba.extending import typeof_impl

    @typeof_impl.register(Rule)  # type: ignore[untyped-decorator]
    def type_of_rule(value: Rule, context: Any) -> Any:
        return typeof_impl(value.dispatcher, context)

    for ask, answer in _verbs:
        _overload_verb(ask, answer)


def _overload_verb(ask: Callable[..., Any], answer: Callable[[np.dtype[Any]], Rule]) -> None:
    from numba.core import types
    from numba.extending import overload
    from numba.np.numpy_support import as_dtype

    def compiled(state: Any) -> Any:
        return answer(as_dtype(state)).dispatcher if isinstance(state, types.Record) else None

    # Numba wants the same parameters in an overload and in what it returns, so there is one of each number.
    def with_1(state: Any) -> Any:
        f = compiled(state)
        return f and (lambda state: f(state))

    def with_2(state: Any, a: Any) -> Any:
        f = compiled(state)
        return f and (lambda state, a: f(state, a))

    def with_3(state: Any, a: Any, b: Any) -> Any:
        f = compiled(state)
        return f and (lambda state, a, b: f(state, a, b))

    def with_4(state: Any, a: Any, b: Any, c: Any) -> Any:
        f = compiled(state)
        return f and (lambda state, a, b, c: f(state, a, b, c))

    num_parameters = len(inspect.signature(ask).parameters)
    overload(ask, jit_options={"nogil": True, "error_model": "numpy"}, strict=False)(
        (with_1, with_2, with_3, with_4)[num_parameters - 1]
    )


def _numba_function(function: Callable[..., Any], inline: bool) -> Any:
    import numba
    from numba.core import config

    _teach_numba()
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_open_cache())
    try:
        dispatcher = numba.njit(function, cache=True, nogil=True, error_model="numpy", inline="always" if inline else "never")
        _tell_outside_games_apart(dispatcher)
    finally:
        config.CACHE_DIR = before
    _take_all_numbers_alike(dispatcher)
    return dispatcher


def _tell_outside_games_apart(dispatcher: Any) -> None:
    """A function of an outside game, and one of the package compiled for its records, is kept under the hash of its sources too."""
    from numba.core import types
    from numba.np.numpy_support import as_dtype

    file, cache = Path(dispatcher.py_func.__code__.co_filename), dispatcher._cache
    plain_key = cache._index_key

    def key(signature: tuple[Any, ...], codegen: Any) -> tuple[object, ...]:
        kinds = [getattr(kind, "dtype", kind) for kind in signature]
        layouts = [record_layout(as_dtype(kind)) for kind in kinds if isinstance(kind, types.Record)]
        hashes = [game.hash for game in _outside if game.folder in file.parents or game.layout in layouts]
        return (*plain_key(signature, codegen), *hashes)

    cache._index_key = key


def _take_all_numbers_alike(dispatcher: Any) -> None:
    """Numba would compile a version of a rule for every constant and every width of number that another rule calls it with.

    One version for all, with numbers of 64 bits, is as fast and halves the time of a cold compilation.
    """
    from numba.core import types

    def widened(kind: Any) -> Any:
        kind = types.unliteral(kind)
        return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind

    find_version = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: find_version(tuple(widened(kind) for kind in args), kws)


@contextmanager
def counting_compilations(on_compiled: Callable[[str], None]) -> Iterator[None]:
    """Call `on_compiled(name)` whenever Numba has finished a function: the material of a progress bar."""
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, happening: Any) -> None:
            pass

        def on_end(self, happening: Any) -> None:
            on_compiled(happening.data["dispatcher"].__name__)

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)
