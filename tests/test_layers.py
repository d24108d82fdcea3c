"""Imports go down, never up, never sideways between games; core and games know no clock, socket or global random numbers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from lampion.core.compile import PACKAGE, game_of
from lampion.core.game import find_game
from lampion.core.native.build import DOORS, Library
from lampion.core.native.doors import Module
from tests.support import GAMES

LEVELS = {"core": 1, "games": 2, "bots": 3, "arena": 3, "research": 3, "server": 4, "cli": 4}
FORBIDDEN_BELOW_3 = {"asyncio", "socket", "random", "time", "datetime", "threading", "subprocess", "requests"}
BUILDING = {"core/native/build.py": {"time", "subprocess"}, "core/native/compilers.py": {"subprocess"}}
"""Compilers are other programs, and the clock is for the age of what is in the cache; rules know neither."""

FILES = sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def part_of(module: str) -> str | None:
    pieces = module.split(".")
    return pieces[1] if pieces[0] == "lampion" and len(pieces) > 1 and pieces[1] in LEVELS else None


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_down(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts
    if own[0] not in LEVELS:
        return
    for module in imports(path):
        part = part_of(module)
        assert part is None or LEVELS[part] <= LEVELS[own[0]], f"{path.name} imports {module}, which is above it"
        if own[0] == "games" and part == "games" and len(own) > 2:
            assert module in ("lampion.games", "lampion.games.art") or module.split(".")[2] in (own[1], "art"), module
        if LEVELS[own[0]] < 3 and module not in BUILDING.get("/".join(own), set()):
            assert module.split(".")[0] not in FORBIDDEN_BELOW_3, f"{path.name} imports {module}"


@pytest.mark.parametrize("name", GAMES)
def test_rules_import_nothing_but_pieces_state_and_actions(name: str) -> None:
    allowed = {"components", "state", "actions"}
    for path in (PACKAGE / "games" / name).glob("rules*.py"):
        own = {module.split(".")[3] for module in imports(path) if module.startswith(f"lampion.games.{name}.")}
        assert {module for module in own if not module.startswith("rules")} <= allowed


@pytest.mark.parametrize("name", GAMES)
def test_every_source_of_compiled_code_is_in_its_stamp(name: str) -> None:
    """Whatever a compiled rule refers to, another rule or a constant, comes from a file whose content is part of the stamp."""
    game = game_of(find_game(name).State.dtype)
    assert game is not None
    library = Library(game, DOORS)
    stamped = {str(path) for path in library.sources()}
    module = Module(game.title, game.dtype, library.entries())
    for function in module.program.functions.values():
        file = function.rule.function.__code__.co_filename
        assert file in stamped, f"{function.c_name} is in {file}, which is not in the stamp"
        for source in (_home(module) for module in imports(Path(file))):
            assert source is None or source in stamped, f"{file} imports {source}"


def _home(module: str) -> str | None:
    """The file of a module of the games and the core, if the name is that of a module."""
    if not module.startswith(("lampion.core.", "lampion.games.")):
        return None
    path = PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py")
    return str(path) if path.exists() else None


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_files_and_functions_are_short(path: Path) -> None:
    source = path.read_text()
    assert len(source.splitlines()) <= 400
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 50, f"{node.name} is too long to tell one thing"
