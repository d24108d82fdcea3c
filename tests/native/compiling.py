"""Small functions through the translator: written to a file, compiled, and called beside plain Python."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from lampion.core.compile import Door, rule_behind
from lampion.core.native import compilers, variants
from lampion.core.native.build import make_for_web
from lampion.core.native.doors import Module
from lampion.core.native.library import COMPILED, imported
from lampion.core.native.targets import here
from lampion.core.types import Elements

HEAD = """
import math
import numpy as np
import numpy.typing as npt
from lampion.core.compile import entry, rule
from lampion.core.types import Elements, IntArray, IntTable

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.int8]
Words = npt.NDArray[np.uint64]
"""
NO_STATE = np.dtype((np.record, np.dtype([("nothing", "i4")])))


def module_of(text: str, folder: Path, name: str = "tried") -> ModuleType:
    """A Python module with that text after the usual imports."""
    file = folder / f"{name}.py"
    file.write_text(HEAD + text)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def doors_of(module: ModuleType) -> list[Door]:
    found = (rule_behind(thing) for thing in vars(module).values())
    return [door for door in found if isinstance(door, Door)]


def translated(module: ModuleType, checked: bool = False) -> Module:
    return Module("tried", NO_STATE, doors_of(module), checked)


def web_modules(folder: Path) -> Path:
    """The rules and bots of all games for browsers: those that the client was built with, where
    they are from the same sources, because others take seconds."""
    for built in (COMPILED.parent / "server" / "static" / "engine").glob("*"):
        shutil.copy(built, folder)
    make_for_web(folder)
    return folder


def compiled(
    module: ModuleType,
    folder: Path,
    checked: bool = False,
    compiler: compilers.Compiler | None = None,
) -> Any:
    """The doors of a module, compiled."""
    compiler = compiler or compilers.find()
    assert compiler is not None
    made = translated(module, checked)
    source = folder / f"{module.__name__}.c"
    source.write_text(made.extension("tried"))
    variant = variants.CHECKED if checked else variants.best_variant()
    library = compiler.shared_library(
        source,
        folder / f"{module.__name__}-{compiler.command[-1][-3:]}-{variant}{here().suffix}",
        variant,
        here(),
    )
    found = imported(library)
    known = {"State": NO_STATE, **Elements.known}
    types = [known[name] if name in known else np.dtype(name) for name in made.types()]
    found.bind((np.ndarray, *types))
    return found
