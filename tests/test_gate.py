"""Nobody reaches into a match: its parts are set by themselves, and moved on by the gate alone.

Python checks the rule when code runs (attributes are read-only, the state cannot be written), mypy
checks it by types, and the rules below find in the text of the code what neither would see:

- no statement binds, changes or deletes an attribute of a match, log or position from outside. Such
  an object is whatever is called `match` or `position` (also as `x.match` or `x.log`), is annotated
  with the class, or was made by it, by `lampion.new` or by `lampion.load`;
- no code but their own names a private attribute of the three;
- no code but the gate moves a position on or lets a log grow;
- no test writes a private attribute of anything.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

import lampion
from lampion.core.compile import PACKAGE
from lampion.core.match import Match
from lampion.core.position import Position

ROOT = Path(__file__).parent.parent
PARTS = ("Match", "Log", "Position")
HOMES = {PACKAGE / "core" / f"{part.lower()}.py" for part in PARTS}
GATE = PACKAGE / "core" / "match.py"
MAKERS = {*PARTS, "new", "load", "match_from_record"}
MOVES = {"advance", "enter", "strike"}
FILES = sorted(
    path
    for folder in (PACKAGE, ROOT / "tests", ROOT / "benchmarks", ROOT / "scripts")
    for path in folder.rglob("*.py")
)


def last_name(node: ast.expr | None) -> str:
    """`match` for `match`, `table.match`, `lampion.match(...)`, `match[0]` and `"match"`."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr
        case ast.Call():
            return last_name(node.func)
        case ast.Subscript():
            return last_name(node.value)
        case ast.Constant(value=str()):
            return str(node.value)
    return ""


def objects(tree: ast.AST) -> set[str]:
    """The names in a file that stand for a match, a log or a position."""
    nodes, names = list(ast.walk(tree)), {"match", "position"}
    parts = {*PARTS} - {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    for node in nodes:
        if isinstance(node, ast.arg) and last_name(node.annotation) in parts:
            names.add(node.arg)
        elif isinstance(node, ast.AnnAssign) and last_name(node.annotation) in parts:
            names.add(last_name(node.target))
        elif isinstance(node, ast.Assign) and is_made(node.value):
            names |= {last_name(target) for target in node.targets}
    return names - {"self", ""}


def is_made(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and last_name(value) in MAKERS


def is_one(node: ast.expr, known: set[str]) -> bool:
    """A plain `log` is more often a logger; `x.log` is the log of a match."""
    return last_name(node) in known or (isinstance(node, ast.Attribute) and node.attr == "log")


def written(tree: ast.AST) -> Iterator[ast.Attribute]:
    """Every attribute that a statement binds, deletes, or changes something below of."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute | ast.Subscript):
            continue
        if not isinstance(node.ctx, ast.Store | ast.Del):
            continue
        below: ast.expr = node
        while isinstance(below, ast.Attribute | ast.Subscript):
            if isinstance(below, ast.Attribute):
                yield below
            below = below.value


def set_from_outside(tree: ast.AST) -> list[int]:
    known = objects(tree)
    found = [node.lineno for node in written(tree) if is_one(node.value, known)]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    found += [
        node.lineno
        for node in calls
        if last_name(node.func) in ("setattr", "delattr") and is_one(node.args[0], known)
    ]
    return found


@functools.cache
def private_names() -> set[str]:
    """What the three classes keep to themselves."""
    nodes = [node for home in HOMES for node in ast.walk(ast.parse(home.read_text()))]
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and is_private(node.attr)
        and last_name(node.value) == "self"
    }


def is_private(name: str) -> bool:
    return (name.startswith("_") and not name.endswith("__")) or name == "__dict__"


def reaches_in(tree: ast.AST) -> list[int]:
    known, private = objects(tree), private_names()
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in private | {"__dict__"}
        and is_one(node.value, known)
    ]


def moves(tree: ast.AST) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in MOVES
    ]


def writes_private(tree: ast.AST) -> list[int]:
    """An object writes its own private attributes; no other code does. What is in a `__dict__` is
    not private: the extra fields of a log record are there."""
    return [
        node.lineno
        for node in written(tree)
        if is_private(node.attr)
        and last_name(node.value) not in ("self", "cls")
        and not (node.attr == "__dict__" and isinstance(node.ctx, ast.Load))
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nobody_reaches_into_a_match(path: Path) -> None:
    tree = ast.parse(path.read_text())
    if path not in HOMES:
        assert not set_from_outside(tree), "an attribute of a match, log or position is set"
        assert not reaches_in(tree), "a private attribute of a match, log or position is used"
    if path != GATE:
        assert not moves(tree), "only the gate moves a position on and lets a log grow"
    if path.is_relative_to(ROOT / "tests"):
        assert not writes_private(tree), "a private attribute is written"


@pytest.mark.parametrize(
    "line",
    [
        "match.names = names",
        "table.match.chance = None",
        "match.state.favors[0] = 3",
        "match.state.favors[0] += 3",
        "a, match.log = 1, []",
        "table.match.log.first = 3",
        "del match.log[3:]",
        "twin = lampion.new('lanterns', 2)\ntwin.chance = None",
        "def f(world: Match) -> None:\n    world.chance = None",
        "def f(world: 'Match | None') -> None: ...\nsetattr(match, 'chance', None)",
        "for match.ply in range(3): ...",
    ],
)
def test_the_check_finds_what_is_set_from_outside(line: str) -> None:
    assert set_from_outside(ast.parse(line))


def test_the_check_finds_private_use_and_moves() -> None:
    assert reaches_in(ast.parse("match._position.state"))
    assert reaches_in(ast.parse("twin = Match()\ntwin.__dict__"))
    assert moves(ast.parse("position.advance(0, 3)"))
    assert writes_private(ast.parse("scrubber._file = 3"))
    assert writes_private(ast.parse("twin.__dict__ = {}"))
    assert not writes_private(ast.parse("self._file = 3"))
    assert not set_from_outside(ast.parse("record.scores = [1]\nself.match = match"))


@pytest.mark.parametrize(
    "name", [name for name, value in vars(Match).items() if isinstance(value, property)]
)
def test_the_attributes_of_a_match_are_read_only(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(lampion.new("lanterns", 2, seed=1), name, None)


def test_the_state_of_a_match_refuses_to_be_written() -> None:
    match = lampion.new("lanterns", 2, seed=1)
    before = match.state.tobytes()
    with pytest.raises(ValueError, match="read-only"):
        vars(type(match.state))["favors"].__get__(match.state, None)[0] = 3
    with pytest.raises(ValueError, match="read-only"):
        vars(type(match.state))["active"].__set__(match.state, 1)
    assert match.state.tobytes() == before


def test_a_position_keeps_a_copy_of_the_state_that_it_is_given() -> None:
    game = lampion.find_game("lanterns")
    state = game.new_state(2, {}, game.read_components(None))
    position = Position(game, 2, state)
    before = position.state.tobytes()
    state.batch["active"] = 1
    assert position.state.tobytes() == before
