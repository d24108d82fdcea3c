"""The source of a rule, and where its variables live.

C wants every variable declared in a block. A variable belongs to the innermost block that holds all its
occurrences, so that the C reads as the Python does and the compiler sees how short a variable lives.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lampion.core.native.refusal import Untranslatable

Block = list[ast.stmt]


@functools.cache
def _functions_of(file: str, modified: int) -> dict[tuple[str, int], ast.FunctionDef]:
    return _functions_in(Path(file).read_text(encoding="utf-8"))


@functools.cache
def _functions_in(source: str) -> dict[tuple[str, int], ast.FunctionDef]:
    tree = ast.parse(source)
    found = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {
        (node.name, min([node.lineno, *(d.lineno for d in node.decorator_list)])): node
        for node in found
    }


def source_of(function: Callable[..., Any]) -> ast.FunctionDef:
    """The syntax tree of a function, from the file as it is now or from what a program wrote."""
    code = function.__code__
    try:
        if written := getattr(function, "written_source", ""):
            functions = _functions_in(written)
        else:
            functions = _functions_of(code.co_filename, Path(code.co_filename).stat().st_mtime_ns)
        return functions[function.__name__, code.co_firstlineno]
    except (OSError, KeyError, SyntaxError, UnicodeDecodeError):
        problem = f"the source of `{function.__name__}` was not found, or has changed since"
        instead = "write it as `def` in a file, and start again after an edit"
        raise Untranslatable(code.co_filename, code.co_firstlineno, problem, instead) from None


def blocks_in(statement: ast.stmt) -> Iterator[Block]:
    """The blocks directly inside a statement."""
    for name in ("body", "orelse"):
        if block := getattr(statement, name, None):
            yield block


class Scope:
    """Where each name of a function is declared."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.parameters = [argument.arg for argument in function.args.args]
        self._paths: dict[str, list[tuple[int, ...]]] = {}
        self._assigned: set[str] = set()
        self._loop_targets: set[str] = set()
        self._read_outside: set[str] = set()
        self._walk(function.body, (id(function.body),), frozenset())
        # A target that is read outside its loops has to outlive them.
        self._assigned |= self._read_outside & self._loop_targets
        self.homes = {name: _common(paths) for name, paths in self._paths.items()}
        """The block that a name belongs to, by the identity of its list."""

    def is_own_of_loops(self, name: str) -> bool:
        """Whether a name is only ever the target of loops, and used in them alone."""
        return (
            name in self._loop_targets
            and name not in self._assigned
            and name not in self.parameters
        )

    def is_assigned(self, name: str) -> bool:
        return name in self._assigned or name in self._loop_targets

    def is_local(self, name: str) -> bool:
        return name in self.parameters or self.is_assigned(name)

    def _walk(self, block: Block, path: tuple[int, ...], loops: frozenset[str]) -> None:
        for statement in block:
            inner = loops
            if isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
                self._loop_targets.add(statement.target.id)
                if statement.target.id in loops:
                    # The loop inside changes what the one around it goes on to read.
                    self._assigned.add(statement.target.id)
                inner = loops | {statement.target.id}
            inside = [node for child in blocks_in(statement) for node in child]
            for node in _names_outside(statement, inside):
                self._note(node, statement, path, loops)
            for child in blocks_in(statement):
                self._walk(child, (*path, id(child)), inner)

    def _note(
        self, node: ast.Name, statement: ast.stmt, path: tuple[int, ...], loops: frozenset[str]
    ) -> None:
        is_target = isinstance(statement, ast.For) and node is statement.target
        if isinstance(node.ctx, ast.Store) and not is_target:
            self._assigned.add(node.id)
        elif node.id not in loops and not is_target:
            self._read_outside.add(node.id)
        self._paths.setdefault(node.id, []).append(path)


def _names_outside(statement: ast.stmt, inside: Block) -> Iterator[ast.Name]:
    """The names in a statement, but not those in the blocks inside it."""
    left: list[ast.AST] = [statement]
    while left:
        node = left.pop()
        if isinstance(node, ast.Name):
            yield node
        left += [child for child in ast.iter_child_nodes(node) if child not in inside]


def _common(paths: list[tuple[int, ...]]) -> int:
    shortest = min(paths, key=len)
    while not all(path[: len(shortest)] == shortest for path in paths):
        shortest = shortest[:-1]
    return shortest[-1]
