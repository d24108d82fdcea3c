"""Imports go down, never up, never sideways between games; core and games know no clock, socket or global random numbers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from lampion.core.compile import PACKAGE, game_of
from lampion.core.game import find_game
from lampion.core.native.doors import Module
from lampion.core.native.library import DOORS, STUDY_DOORS, Library
from tests.support import GAMES

LEVELS = {
    "core": 1,
    "games": 2,
    "bots": 3,
    "arena": 3,
    "research": 3,
    "reviews": 3,
    "testing": 3,
    "mcp": 4,
    "server": 4,
    "cli": 4,
}
FORBIDDEN_BELOW_3 = {
    "asyncio",
    "socket",
    "random",
    "time",
    "datetime",
    "threading",
    "subprocess",
    "requests",
}
BUILDING = {
    "core/native/build.py": {"time", "subprocess"},
    "core/native/compilers.py": {"subprocess"},
}
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
        assert part is None or LEVELS[part] <= LEVELS[own[0]], (
            f"{path.name} imports {module}, which is above it"
        )
        if own[0] == "games" and part == "games" and len(own) > 2:
            assert module in ("lampion.games", "lampion.games.art") or module.split(".")[2] in (
                own[1],
                "art",
            ), module
        if LEVELS[own[0]] < 3 and module not in BUILDING.get("/".join(own), set()):
            assert module.split(".")[0] not in FORBIDDEN_BELOW_3, f"{path.name} imports {module}"


@pytest.mark.parametrize("name", GAMES)
def test_rules_import_nothing_but_pieces_state_and_actions(name: str) -> None:
    allowed = {"components", "state", "actions"}
    for path in (PACKAGE / "games" / name).glob("rules*.py"):
        own = {
            module.split(".")[3]
            for module in imports(path)
            if module.startswith(f"lampion.games.{name}.")
        }
        assert {module for module in own if not module.startswith("rules")} <= allowed


@pytest.mark.parametrize("doors", [DOORS, STUDY_DOORS], ids=["play", "study"])
@pytest.mark.parametrize("name", GAMES)
def test_every_source_of_compiled_code_is_in_its_stamp(name: str, doors: tuple[str, ...]) -> None:
    """Whatever a compiled rule refers to, another rule or a constant, comes from a file whose content is part of the stamp."""
    game = game_of(find_game(name).State.dtype)
    assert game is not None
    library = Library(game, doors)
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
def test_functions_are_short(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 50, (
                f"{node.name} is too long to tell one thing"
            )


# --- the rooms of the server --------------------------------------------------------------------------------------------------------

ROOMS = {
    "store": 1,
    "wire": 2,
    "people": 3,
    "tables": 4,
    "play": 5,
    "notify": 6,
    "web": 7,
    "study": 7,
    "admin": 7,
}
"""The path of a move, backwards: a room knows those below it."""
SHARED = {
    "bus": 1,
    "clock": 1,
    "config": 1,
    "errors": 1,
    "logs": 1,
    "metrics": 1,
    "settings": 1,
    "peers": 2,
    "services": 7,
}
SERVER = PACKAGE / "server"
OPTIONAL = {"store/__init__.py", "store/care.py"}
"""They import the driver of PostgreSQL when it is needed: it is not installed everywhere."""
SERVER_FILES = sorted(path for path in SERVER.rglob("*.py") if "migrations" not in path.parts)


def room_of(parts: tuple[str, ...]) -> int:
    name = parts[0].removesuffix(".py")
    return (ROOMS | SHARED).get(name, 0)


@pytest.mark.parametrize("path", SERVER_FILES, ids=lambda path: str(path.relative_to(SERVER)))
def test_rooms_of_the_server_know_those_below_them(path: Path) -> None:
    own = path.relative_to(SERVER).parts
    for module in imports(path):
        pieces = module.split(".")
        if pieces[:2] == ["lampion", "server"] and len(pieces) > 2:
            assert room_of(tuple(pieces[2:])) <= room_of(own), (
                f"{'/'.join(own)} imports {module}, which is above it"
            )


@pytest.mark.parametrize("path", SERVER_FILES, ids=lambda path: str(path.relative_to(SERVER)))
def test_the_server_hides_no_import_in_a_function_and_finds_no_name_by_text(path: Path) -> None:
    tree = ast.parse(path.read_text())
    functions = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    inside = [node for function in functions for node in ast.walk(function)]
    hidden = [node for node in inside if isinstance(node, ast.Import | ast.ImportFrom)]
    if path.relative_to(SERVER).as_posix() not in OPTIONAL:
        assert not [node.lineno for node in hidden if _is_own(node)]
    found = [
        node for node in inside if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert not [node.lineno for node in found if node.func.id in ("getattr", "setattr")]  # type: ignore[attr-defined]


def _is_own(node: ast.Import | ast.ImportFrom) -> bool:
    names = (
        [node.module or ""]
        if isinstance(node, ast.ImportFrom)
        else [alias.name for alias in node.names]
    )
    return any(name.startswith("lampion") for name in names)


# --- names ----------------------------------------------------------------------------------------

OWN_WORLDS = ("core/native/", "games/", "server/wire/")
"""A compiler, each game and the messages on the wire have words of their own. Nobody imports them
side by side with others: wire types are written `wire.Table`."""


def classes_by_name() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in FILES:
        place = path.relative_to(PACKAGE).as_posix()
        if not place.startswith(OWN_WORLDS):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef):
                    found.setdefault(node.name, []).append(place)
    return found


def test_a_class_shares_its_name_with_none_of_the_same_part_or_of_the_core() -> None:
    """One word, one meaning: nobody has to ask which `Table` is meant."""
    for name, places in classes_by_name().items():
        parts = [place.split("/")[0] for place in places]
        assert len(places) == 1 or ("core" not in parts and len(set(parts)) == len(parts)), (
            f"{name} is in {', '.join(places)}"
        )


# --- parameters -----------------------------------------------------------------------------------

MOST_PARAMETERS = 7
MANY_ARRAYS = {
    "bots/solver.py",
    "bots/tree.py",
    "research/choosing.py:choose_actions",
    "research/rolling.py:roll_out",
    "research/stepping.py:step_slots",
    "reviews/selfplay.py:play_and_note",
}
"""Doors into compiled loops are given arrays, and a record of NumPy cannot hold arrays."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_function_with_many_parameters_takes_a_record(path: Path) -> None:
    """Parameters that have to be named by the caller do not count, nor do the flags of commands,
    which nobody calls."""
    place = path.relative_to(PACKAGE).as_posix()
    if place in MANY_ARRAYS or place.startswith("cli/"):
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            positional = [*node.args.posonlyargs, *node.args.args]
            count = len([one for one in positional if one.arg not in ("self", "cls")])
            assert count <= MOST_PARAMETERS or f"{place}:{node.name}" in MANY_ARRAYS, (
                f"{node.name} takes {count} parameters"
            )
