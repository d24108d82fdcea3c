"""Compiled rules: where they are, and how they are made when there are none.

    lampion/compiled/GAME-3f0c...-x86_64_v3.so     made with the package, by hatch_build.py
    ~/.cache/lampion/...                             made here, after an edit or for a game of one's own

The name of a module holds a hash of everything it was made from, so a stale one is never loaded: after an
edit there simply is no module, and it takes two or three seconds to make one with whatever C compiler there
is. Without a compiler rules run as plain Python.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from lampion.core.compile import IS_ENABLED, MODE, PACKAGE, Entry, GameSources, game_of, rule_behind
from lampion.core.native import compilers
from lampion.core.types import Elements

DOORS = (
    "lampion.core.play",
    "lampion.bots.tree",
    "lampion.research.stepping",
    "lampion.research.choosing",
)
"""The modules of the package that have doors; all doors of a game are in one compiled module."""
WEB_DOORS = DOORS[:2]
"""What a browser needs: the rules and the search."""
COMPILED = PACKAGE / "compiled"
A_MONTH = 30 * 24 * 3600

_EVERYWHERE = (
    "core/*.py",
    "core/native/*.py",
    "core/native/*.h",
    "bots/*.py",
    "research/stepping.py",
    "research/choosing.py",
)
_OF_A_GAME = (
    "games/{game}/components.toml",
    "games/{game}/components.py",
    "games/{game}/state.py",
    "games/{game}/actions.py",
    "games/{game}/rules*.py",
    "games/{game}/observation.py",
    "games/{game}/knowledge*.py",
)


class Library(NamedTuple):
    """The doors of some Python modules for one game, compiled together."""

    game: GameSources
    modules: tuple[str, ...]

    @property
    def name(self) -> str:
        return (
            self.game.name
            if self.modules == DOORS
            else f"{self.game.name}-{self.modules[0].rpartition('.')[2]}"
        )

    def entries(self) -> list[Entry]:
        found = []
        for name in self.modules:
            things = (rule_behind(thing) for thing in vars(importlib.import_module(name)).values())
            doors = [thing for thing in things if isinstance(thing, Entry)]
            found += [door for door in doors if door.function.__module__ == name]
        return found

    def sources(self) -> list[Path]:
        """Every file that can end up in the compiled module."""
        found = rule_sources(self.game.name)
        if not self.game.is_own:
            found += sorted(self.game.folder.glob("*.py")) + sorted(self.game.folder.glob("*.toml"))
        if not set(self.modules) <= set(DOORS):
            found += [Path(str(sys.modules[name].__file__)) for name in self.modules]
        return found

    def stamp(self, variant: str) -> str:
        key = hashlib.sha256(variant.encode())
        for path in self.sources():
            key.update(path.name.encode() + b"\0" + path.read_bytes())
        return key.hexdigest()[:16]

    def file_name(self, variant: str) -> str:
        return f"{self.name}-{self.stamp(variant)}-{variant}{compilers.SUFFIX}"


def rule_sources(game: str) -> list[Path]:
    """The files of the package that can end up in the compiled rules of a game; a test sees that none is missing."""
    patterns = [*_EVERYWHERE, *(pattern.format(game=game) for pattern in _OF_A_GAME)]
    return [
        path for pattern in patterns for path in sorted(PACKAGE.glob(pattern)) if path.is_file()
    ]


def make_ready(dtype: np.dtype[Any]) -> None:
    """See that the rules of a game are compiled, before processes or threads start that would each find out."""
    if IS_ENABLED and (game := game_of(dtype)):
        _load(Library(game, DOORS))


def find_door(game: GameSources, entry: Entry) -> Callable[..., Any] | None:
    """The compiled version of a door, made if need be; nothing if that cannot be done."""
    home = entry.function.__module__
    module = _load(Library(game, DOORS if home in DOORS else (home,)))
    if module is None:
        return None
    module.bind((np.ndarray, *(_type_called(name, game) for name in module.TYPES.split())))
    door: Callable[..., Any] | None = getattr(module, entry.function.__name__, None)
    return door


def _type_called(name: str, game: GameSources) -> np.dtype[Any] | None:
    """Records other than the game's are known once the Python module that defines them has been imported, which whoever calls
    its doors has done."""
    if name == "State":
        return game.dtype
    return (
        Elements.known[name]
        if name in Elements.known
        else np.dtype(name)
        if name in np.sctypeDict
        else None
    )


@functools.cache
def _load(library: Library) -> Any:
    """The compiled module, or nothing where there is neither one nor a compiler."""
    variant = compilers.CHECKED if MODE == compilers.CHECKED else compilers.best_variant()
    file_name = library.file_name(variant)
    folders = (COMPILED, cache_root())
    path = next((folder / file_name for folder in folders if (folder / file_name).exists()), None)
    path = path or _make_here(library, variant)
    return _imported(path) if path else None


def _imported(path: Path) -> ModuleType:
    loader = ExtensionFileLoader("rules", str(path))
    spec = importlib.util.spec_from_file_location("rules", path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


# --- making one --------------------------------------------------------------------------------------


def _make_here(library: Library, variant: str) -> Path | None:
    """Make a module in the cache, and say so: it takes a moment."""
    from lampion.core.native.refusal import Untranslatable

    compiler = compilers.find()
    if compiler is None:
        _say_once(
            "no C compiler found, so rules run as plain Python, slowly; `pip install ziglang` brings one (or install gcc or clang)"
        )
        return None
    _say(f"compiling the rules of {library.game.title}, once ...")
    try:
        return make(library, variant, _writable_cache(), compiler)
    except (Untranslatable, subprocess.CalledProcessError) as problem:
        if MODE == compilers.CHECKED:
            raise  # a test that was to check something would check nothing
        reason = problem.stderr if isinstance(problem, subprocess.CalledProcessError) else problem
        _say(
            f"{library.game.title} runs as plain Python, slowly, because its rules could not be compiled: {reason}"
        )
        return None


def make(library: Library, variant: str, folder: Path, compiler: compilers.Compiler) -> Path:
    """Translate and compile one module into a folder."""
    from lampion.core.native.doors import Module

    checked = variant == compilers.CHECKED
    translated = Module(library.game.title, library.game.dtype, library.entries(), checked)
    file_name = library.file_name(variant)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".making-") as work:
        source = Path(work) / f"{library.name}.c"
        source.write_text(translated.extension(library.stamp(variant)), encoding="utf-8")
        made = compiler.shared_library(source, Path(work) / file_name, variant)
        os.replace(made, folder / file_name)
    return folder / file_name


def make_all(libraries: Iterable[Library], folder: Path, compiler: compilers.Compiler) -> None:
    """What a wheel carries: every library in every variant for this kind of processor. Old ones are removed."""
    from concurrent.futures import ThreadPoolExecutor  # not for everybody who loads a module

    folder.mkdir(parents=True, exist_ok=True)
    wanted = {
        library.file_name(variant): (library, variant)
        for library in libraries
        for variant in compilers.variants()
    }
    for path in folder.glob(f"*{compilers.SUFFIX}"):
        if path.name not in wanted:
            path.unlink()
    missing = [job for name, job in wanted.items() if not (folder / name).exists()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job: make(job[0], job[1], folder, compiler), missing))


def make_package() -> None:
    """All games of the package, for a wheel or for the sources that somebody works on."""
    compiler = compilers.find()
    if compiler is None:
        sys.exit("no C compiler found: install ziglang, gcc or clang")
    make_all(_own_libraries(DOORS), COMPILED, compiler)


def make_for_web(folder: Path) -> None:
    """The rules and the search of all games as WebAssembly, for the client; a note beside them holds their stamps."""
    compiler = compilers.find()
    if compiler is None or not compiler.is_zig:
        sys.exit("WebAssembly needs ziglang")
    folder.mkdir(parents=True, exist_ok=True)
    for library in _own_libraries(WEB_DOORS):
        _make_web_module(library, folder, compiler)


def _make_web_module(library: Library, folder: Path, compiler: compilers.Compiler) -> None:
    from lampion.core.native.doors import Module

    made, note = folder / f"{library.game.name}.wasm", folder / f"{library.game.name}.stamp"
    stamp = library.stamp("wasm32")
    if made.exists() and note.exists() and note.read_text() == stamp:
        return
    with tempfile.TemporaryDirectory() as work:
        source = Path(work) / f"{library.game.name}.c"
        translated = Module(library.game.title, library.game.dtype, library.entries())
        source.write_text(translated.web_assembly(), encoding="utf-8")
        compiler.web_assembly(source, made)
    note.write_text(stamp)


def _own_libraries(modules: tuple[str, ...]) -> list[Library]:
    from lampion.core.game import find_game, own_game_names

    found = [game_of(find_game(name).State.dtype) for name in own_game_names()]
    return [Library(game, modules) for game in found if game]


def _say(words: str) -> None:
    print(f"lampion: {words}", file=sys.stderr, flush=True)


@functools.cache
def _say_once(words: str) -> None:
    _say(words)


# --- the cache ---------------------------------------------------------------------------------------


def cache_root() -> Path:
    """Where modules are kept that were made here; `LAMPION_CACHE` moves it."""
    home = os.environ.get("LAMPION_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or "~/.cache", "lampion"
    )
    return Path(home).expanduser()


@functools.cache
def _writable_cache() -> Path:
    """The cache, made if need be; modules older than a month are removed. Where nothing can be written, a folder that lasts
    as long as the machine is up."""
    folder = cache_root()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="lampion-"))
    for path in folder.iterdir():
        if path.suffix == compilers.SUFFIX and path.stat().st_mtime < time.time() - A_MONTH:
            path.unlink(missing_ok=True)
        elif (
            path.is_dir()
            and path.name.startswith(".making-")
            and path.stat().st_mtime < time.time() - A_MONTH
        ):
            shutil.rmtree(path, ignore_errors=True)
    return folder
