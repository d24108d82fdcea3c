"""Which variables have a value where, and whether a function can end without a result.

C gives a variable that was never assigned whatever value it likes, and a variable that is declared
inside a loop starts again every time round. Python does neither. So every variable must be assigned
on every way to the place that reads it, and a function that returns something returns on every way
to its end.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from lampion.core.native.scope import Block, Scope

Known = frozenset[str] | None
"""The names that have a value; nothing where no way leads."""
Unset = Callable[[ast.Name], Exception]


class Flow:
    """Follows every way through one function."""

    def __init__(self, function: ast.FunctionDef, scope: Scope, unset: Unset) -> None:
        self._scope, self._unset = scope, unset
        self._breaks: list[list[Known]] = []
        self._continues: list[list[Known]] = []
        self.reaches_end = self._block(function.body, frozenset(scope.parameters)) is not None

    def _block(self, block: Block, known: Known) -> Known:
        for statement in block:
            known = self._statement(statement, known)
        return known

    def _statement(self, node: ast.stmt, known: Known) -> Known:
        match node:
            case ast.If():
                self._read(node.test, known)
                return _both(self._block(node.body, known), self._block(node.orelse, known))
            case ast.While():
                self._read(node.test, known)
                is_endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
                return self._loop(node.body, known, None if is_endless else known)
            case ast.For():
                self._read(node.iter, known)
                before = _with(known, [node.target])
                return self._loop(node.body, before, known, runs=_runs(node.iter))
            case ast.Break():
                self._breaks[-1].append(known)
                return None
            case ast.Continue():
                self._continues[-1].append(known)
                return None
            case ast.Return():
                self._read(node, known)
                return None
        return self._simple(node, known)

    def _loop(self, body: Block, before: Known, skipped: Known, runs: bool = False) -> Known:
        """What is known after a loop: if its body may be left out, no more than before it."""
        self._breaks.append([])
        self._continues.append([])
        end = self._block(body, before)
        for known in self._continues.pop():
            end = _both(end, known)
        after = end if runs else skipped
        for known in self._breaks.pop():
            after = _both(after, known)
        return after

    def _simple(self, node: ast.stmt, known: Known) -> Known:
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._read_name(node.target, known)
        self._read(node, known)
        return _with(known, ast.walk(node))

    def _read(self, node: ast.AST, known: Known) -> None:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                self._read_name(part, known)

    def _read_name(self, node: ast.Name, known: Known) -> None:
        if known is not None and node.id not in known and self._scope.is_local(node.id):
            raise self._unset(node)


def _both(one: Known, other: Known) -> Known:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _with(known: Known, nodes: Iterable[ast.AST]) -> Known:
    """The names that have a value once those in `nodes` are assigned."""
    if known is None:
        return None
    found = (node for node in nodes if isinstance(node, ast.Name))
    return known | {node.id for node in found if isinstance(node.ctx, ast.Store)}


def _runs(loop: ast.expr) -> bool:
    """Whether a loop runs at least once, as `range(3)` does."""
    match loop:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))]):
            return count > 0
    return False
