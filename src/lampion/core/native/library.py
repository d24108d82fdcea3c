"""Compiled rules: where they are, and how they are loaded.

    lampion/compiled/GAME-3f0c...-x86_64_v3.so     made with the package, by hatch_build.py
    ~/.cache/lampion/...                             made here, after an edit or for a third-party game

A game has two modules: one to play it, which every start loads, and one for research and reviews,
which is loaded when something first needs it.

The name of a module holds a hash of everything it was made from, so a stale one is never loaded:
after an edit there simply is no module, and it takes two or three seconds to make one with whatever
C compiler there is (`build.py`). Without a compiler rules run as plain Python.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from lampion.core.compile import IS_ENABLED, MODE, PACKAGE, Door, GameSources, game_of, rule_behind
from lampion.core.native import variants
from lampion.core.native.targets import Target, here
from lampion.core.types import Elements

DOORS = ("lampion.core.play", "lampion.bots.tree", "lampion.bots.solver")
"""The Python modules with the doors that play needs, compiled together; a browser needs no more."""
STUDY_DOORS = (
    "lampion.research.stepping",
    "lampion.research.choosing",
    "lampion.reviews.values",
)
"""Those that only research and reviews need, in a compiled module of their own."""
WEB = "wasm32"
"""The variant that browsers run."""
COMPILED = PACKAGE / "compiled"

_EVERYWHERE = (
    "core/*.py",
    "core/native/*.py",
    "core/native/*.h",
    "bots/*.py",
    "research/stepping.py",
    "research/choosing.py",
    "reviews/values.py",
)
_OF_A_GAME = (
    "games/{game}/components.toml",
    "games/{game}/components.py",
    "games/{game}/state.py",
    "games/{game}/actions.py",
    "games/{game}/rules*.py",
    "games/{game}/observation.py",
    "games/{game}/compact.py",
    "games/{game}/knowledge*.py",
    "games/{game}/value_net.py",
)


class Library(NamedTuple):
    """The doors of some Python modules for one game, compiled together."""

    game: GameSources
    modules: tuple[str, ...]

    @property
    def name(self) -> str:
        if self.modules == DOORS:
            return self.game.name
        kind = "study" if self.modules == STUDY_DOORS else self.modules[0].rpartition(".")[2]
        return f"{self.game.name}-{kind}"

    def entries(self) -> list[Door]:
        found = []
        for name in self.modules:
            things = (rule_behind(thing) for thing in vars(importlib.import_module(name)).values())
            doors = [thing for thing in things if isinstance(thing, Door)]
            found += [door for door in doors if door.function.__module__ == name]
        return found

    def sources(self) -> list[Path]:
        """Every file that can end up in the compiled module."""
        found = rule_sources(self.game.name)
        if not self.game.is_own:
            found += _files_of(self.game.folder)
        if not set(self.modules) <= {*DOORS, *STUDY_DOORS}:
            found += [Path(str(sys.modules[name].__file__)) for name in self.modules]
        return found

    def stamp(self, variant: str) -> str:
        key = hashlib.sha256(variant.encode())
        for path in self.sources():
            key.update(path.name.encode() + b"\0" + path.read_bytes())
        return key.hexdigest()[:16]

    def file_name(self, variant: str, target: Target | None = None) -> str:
        suffix = (target or here()).suffix
        return f"{self.name}-{self.stamp(variant)}-{variant}{suffix}"


def _files_of(folder: Path) -> list[Path]:
    """The files of a third-party game: of its package with all packages inside it, or of a single
    folder, which may be anybody's home."""
    find = folder.rglob if (folder / "__init__.py").exists() else folder.glob
    return [path for suffix in ("py", "toml") for path in sorted(find(f"*.{suffix}"))]


def rule_sources(game: str) -> list[Path]:
    """The files of the package that can end up in the compiled rules of a game; a test sees that
    none is missing."""
    patterns = [*_EVERYWHERE, *(pattern.format(game=game) for pattern in _OF_A_GAME)]
    return [
        path for pattern in patterns for path in sorted(PACKAGE.glob(pattern)) if path.is_file()
    ]


@functools.cache
def web_stamp(dtype: np.dtype[Any]) -> str:
    """What a browser's module of a game must have been made from to agree with the rules here;
    nothing for a game whose sources are unknown."""
    game = game_of(dtype)
    return Library(game, DOORS).stamp(WEB) if game else ""


def make_ready(dtype: np.dtype[Any], *, for_study: bool = False) -> bool:
    """See that the rules of a game are compiled, before processes or threads start that would each
    find out; false where they cannot be."""
    game = game_of(dtype) if IS_ENABLED else None
    if game and for_study:
        _load(Library(game, STUDY_DOORS))
    return game is not None and _load(Library(game, DOORS)) is not None


def find_door(game: GameSources, entry: Door) -> Callable[..., Any] | None:
    """The compiled version of a door, made if need be; nothing if that cannot be done."""
    home = entry.function.__module__
    together = next((doors for doors in (DOORS, STUDY_DOORS) if home in doors), (home,))
    module = _load(Library(game, together))
    if module is None:
        return None
    module.bind((np.ndarray, *(_type_called(name, game) for name in module.TYPES.split())))
    door: Callable[..., Any] | None = getattr(module, entry.function.__name__, None)
    return door


def _type_called(name: str, game: GameSources) -> np.dtype[Any] | None:
    """Records other than the game's are known once the Python module that defines them has been
    imported, as any caller of its doors has done."""
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
    variant = variants.CHECKED if MODE == variants.CHECKED else variants.best_variant()
    file_name = library.file_name(variant)
    folders = (COMPILED, cache_root())
    path = next((folder / file_name for folder in folders if (folder / file_name).exists()), None)
    if path is None:
        # Slow to import, and needed after an edit or for a third-party game only.
        from lampion.core.native.build import make_here

        path = make_here(library, variant)
    return imported(path) if path else None


def imported(path: Path) -> ModuleType:
    loader = ExtensionFileLoader("rules", str(path))
    spec = importlib.util.spec_from_file_location("rules", path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def cache_root() -> Path:
    """Where modules are kept that were made here; `LAMPION_CACHE` moves it."""
    home = os.environ.get("LAMPION_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or "~/.cache", "lampion"
    )
    return Path(home).expanduser()
