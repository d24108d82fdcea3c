"""The value function sees all hands. Nothing that plays or advises may know it."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

ADVISERS = ("core", "games", "bots", "server.play", "server.study", "server.tables", "mcp")
"""Packages in which no module may load it, so a new module cannot escape."""
KNOWS = ("lampion.server.study.reviews", "lampion.server.study.puzzles")
"""The modules of these packages that may, for finished games alone; so may the networks' own inputs."""
ASKED = """
import importlib, sys
import lampion
for module in {modules!r}:
    importlib.import_module(module)
for name in lampion.game_names():
    lampion.find_game(name)
print([name for name in sys.modules if "lampion.reviews" in name or name.endswith("value_net")])
"""


def modules_of(package: str) -> list[str]:
    """All modules below a package but those that may know."""
    folder = import_module(package).__path__
    found = [package, *(each.name for each in pkgutil.walk_packages(folder, f"{package}."))]
    return [name for name in found if name not in KNOWS and not name.endswith("value_net")]


def loaded_by(modules: list[str]) -> str:
    code = ASKED.format(modules=modules)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


@pytest.mark.parametrize("package", ADVISERS)
def test_what_plays_or_advises_never_loads_the_value_function(package: str) -> None:
    """Imports of imports count."""
    modules = modules_of(f"lampion.{package}")
    assert len(modules) > 3
    assert loaded_by(modules) == "[]"


def test_the_check_would_find_it() -> None:
    assert "lampion.reviews.values" in loaded_by(["lampion.reviews.ledger"])
    assert "lampion.server.study.hints" in modules_of("lampion.server.study")
