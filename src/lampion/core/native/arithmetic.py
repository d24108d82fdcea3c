"""Numbers: literals, conversions and operators, as docs/compile.md tells what they mean.

Ints have 64 bits, division rounds down, 32-bit floats mix with nothing but themselves and constants.
"""

from __future__ import annotations

import ast
import dataclasses
import math
import operator as operators
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lampion.core.native.kinds import BOOL, FLOAT, INT, SINGLE, UNSIGNED, Kind, Scalar, Value
from lampion.core.native.refusal import Untranslatable

if TYPE_CHECKING:
    from lampion.core.native.program import Function, Program

_ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_BITWISE = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
_FOLDED: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operators.add,
    ast.Sub: operators.sub,
    ast.Mult: operators.mul,
    ast.BitAnd: operators.and_,
    ast.BitOr: operators.or_,
    ast.BitXor: operators.xor,
    ast.LShift: operators.lshift,
    ast.RShift: operators.rshift,
    ast.FloorDiv: operators.floordiv,
    ast.Mod: operators.mod,
}


class Arithmetic:
    """Translates the numbers of one function."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program, self.function = program, function
        self.variables: dict[str, Value] = {}

    def refused(self, node: ast.AST, problem: str, instead: str) -> Untranslatable:
        line = getattr(node, "lineno", self.function.line)
        return Untranslatable(self.function.file, line, problem, instead)

    def place(self, node: ast.AST) -> str:
        """Where something is, for the messages of a checked build."""
        return f'"{self.function.file}:{getattr(node, "lineno", self.function.line)}"'

    def literal(self, node: ast.AST, value: Any) -> Value:
        """A number that is known when the rules are translated."""
        if isinstance(value, bool | np.bool_):
            return Value(BOOL, "true" if value else "false", constant=bool(value))
        if isinstance(value, np.uint64):
            return Value(UNSIGNED, f"UINT64_C({int(value)})", constant=value)
        if isinstance(value, int | np.integer):
            return Value(INT, self._int(node, int(value)), constant=int(value), is_narrow=True)
        if isinstance(value, float | np.float32):
            if not math.isfinite(value):
                raise self.refused(
                    node, f"{value} is no finite number", "compare with a large one instead"
                )
            code = (
                repr(float(value))
                if not isinstance(value, np.float32)
                else f"{_with_point(str(value))}f"
            )
            kind = SINGLE if isinstance(value, np.float32) else FLOAT
            return Value(kind, f"({code})" if value < 0 else code, constant=value)
        raise self.refused(
            node,
            f"a {type(value).__name__} is not a number",
            "rules know numbers, arrays and records",
        )

    def _int(self, node: ast.AST, value: int) -> str:
        if not -(2**63) < value < 2**63:
            raise self.refused(
                node, f"{value} needs more than 64 bits", "use np.uint64, or a smaller number"
            )
        code = str(value) if abs(value) < 2**31 else f"INT64_C({value})"
        return f"({code})" if value < 0 else code

    # --- how numbers become others ---

    def convert(self, node: ast.AST, value: Value, wanted: Scalar, where: str) -> Value:
        """The same number as another kind, if nothing about that is in doubt."""
        kind = value.kind
        if kind == wanted:
            return value
        if isinstance(kind, Scalar) and 0 <= kind.rank < wanted.rank:
            code = f"({wanted.c}){value.code}" if value.constant is None else value.code
            if value.constant is not None:
                return self.literal(node, (int if wanted is INT else float)(value.constant))
            return like(value, wanted, code)
        if wanted is SINGLE and kind in (INT, FLOAT) and value.constant is not None:
            return self.literal(node, np.float32(value.constant))
        name = getattr(wanted, "name", str(wanted))
        raise self.refused(
            node, f"{where} is {article(kind)} and not {article(wanted)}", f"write {name}(...)"
        )

    def unify(self, node: ast.AST, values: list[Value]) -> tuple[Scalar, list[Value]]:
        """Numbers brought to the one kind that holds them all."""
        kinds = [value.kind for value in values if isinstance(value.kind, Scalar)]
        assert len(kinds) == len(values)
        if SINGLE in kinds:
            for value in values:
                if value.kind not in (SINGLE, BOOL) and value.constant is None:
                    problem = f"a 32-bit float meets {article(value.kind)}, whose width NumPy would ask for"
                    raise self.refused(
                        node, problem, "write np.float32(...) or float(...) around one of them"
                    )
            return SINGLE, [self._single(node, value) for value in values]
        if UNSIGNED in kinds:
            if any(kind != UNSIGNED for kind in kinds):
                raise self.refused(
                    node, "np.uint64 mixes with no other number", "write np.uint64(...) or int(...)"
                )
            return UNSIGNED, values
        widest = max(kinds, key=lambda kind: kind.rank)
        return widest, [self.convert(node, value, widest, "it") for value in values]

    def _single(self, node: ast.AST, value: Value) -> Value:
        if value.kind is BOOL and value.constant is None:
            return like(value, SINGLE, f"(float){value.code}")
        return self.convert(node, value, SINGLE, "it")

    # --- operators ---

    def in_any_order(self, node: ast.AST, *values: Value) -> None:
        """C evaluates operands in any order; Python from left to right. Where that could differ, refuse.
        Two parameters may be the same array: then the caller is refused (`Function.apart`)."""
        for k, one in enumerate(values):
            for other in values[k + 1 :]:
                for changed in one.writes:
                    self._apart(node, changed, other.reads | other.writes)
                for changed in other.writes:
                    self._apart(node, changed, one.reads)

    def _apart(self, node: ast.AST, changed: str, others: frozenset[str]) -> None:
        if changed in others:
            raise self.refused(
                node, "the order of these calls matters", "put the first into a variable"
            )
        parameters = self.function.scope.parameters
        if changed in parameters:
            self.function.apart |= {
                frozenset((changed, other)) for other in others if other in parameters
            }

    def binary(self, node: ast.AST, operator: ast.operator, left: Value, right: Value) -> Value:
        value = self._binary(node, operator, left, right)
        if value.kind is not INT or left.constant is None or right.constant is None:
            return value
        known = _FOLDED[type(operator)](int(left.constant), int(right.constant))
        self._int(node, known)
        return dataclasses.replace(value, constant=known)

    def _binary(self, node: ast.AST, operator: ast.operator, left: Value, right: Value) -> Value:
        for value in (left, right):
            if not isinstance(value.kind, Scalar):
                raise self.refused(
                    node, f"arithmetic with {article(value.kind)}", "loop over the elements"
                )
        self.in_any_order(node, left, right)
        kind, (a, b) = self.unify(node, [left, right])
        if isinstance(operator, ast.Div):
            return self._division(node, left, right, kind)
        if kind is BOOL:
            return self._of_bools(node, operator, a, b)
        a = widened(a) if b.is_narrow or isinstance(operator, ast.LShift | ast.RShift) else a
        if type(operator) in _ARITHMETIC:
            return joined(kind, f"({a.code} {_ARITHMETIC[type(operator)]} {b.code})", a, b)
        if kind not in (INT, UNSIGNED):
            raise self.refused(
                node, f"`{_sign(operator)}` is for ints", "write it with + - * /, or int(...)"
            )
        if type(operator) in _BITWISE:
            return joined(kind, f"({a.code} {_BITWISE[type(operator)]} {b.code})", a, b)
        if isinstance(operator, ast.LShift | ast.RShift):
            return joined(kind, self._shift(node, operator, a, b), a, b)
        if isinstance(operator, ast.FloorDiv | ast.Mod) and kind is INT:
            return joined(kind, self._floor(node, operator, a, b), a, b)
        raise self.refused(
            node, f"`{_sign(operator)}` is not known for {kind}", "write it with other operators"
        )

    def _division(self, node: ast.AST, left: Value, right: Value, kind: Scalar) -> Value:
        if kind is SINGLE:
            _, (a, b) = self.unify(node, [left, right])
            return joined(SINGLE, f"({a.code} / {b.code})", a, b)
        a, b = (self.convert(node, value, FLOAT, "it") for value in (left, right))
        return joined(FLOAT, f"({a.code} / {b.code})", a, b)

    def _of_bools(self, node: ast.AST, operator: ast.operator, a: Value, b: Value) -> Value:
        if type(operator) in _BITWISE:
            return joined(BOOL, f"({a.code} {_BITWISE[type(operator)]} {b.code})", a, b)
        if isinstance(operator, ast.Mult):
            return joined(BOOL, f"({a.code} & {b.code})", a, b)
        raise self.refused(
            node, f"`{_sign(operator)}` of two bools: NumPy and Python differ", "write int(...)"
        )

    def _shift(self, node: ast.AST, operator: ast.operator, a: Value, b: Value) -> str:
        if b.constant is not None and not 0 <= int(b.constant) < 64:
            raise self.refused(node, f"a shift by {b.constant}", "0 to 63 are possible")
        sign = "<<" if isinstance(operator, ast.LShift) else ">>"
        if not self.program.checked or (
            b.constant is not None and (sign == ">>" or a.kind is UNSIGNED)
        ):
            return f"({a.code} {sign} {b.code})"
        if a.kind is UNSIGNED:
            return f"({a.code} {sign} shift_within({b.code}, {self.place(node)}))"
        return f"checked_shift_{'left' if sign == '<<' else 'right'}({a.code}, {b.code}, {self.place(node)})"

    def _floor(self, node: ast.AST, operator: ast.operator, a: Value, b: Value) -> str:
        """Division that rounds down, as in Python; by a power of two it is a shift."""
        is_modulo, divisor = isinstance(operator, ast.Mod), b.constant
        if divisor == 0:
            raise self.refused(node, "a division by zero", "divide by something else")
        if divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0:
            return (
                f"({a.code} & {divisor - 1})"
                if is_modulo
                else f"({a.code} >> {divisor.bit_length() - 1})"
            )
        name = "modulo" if is_modulo else "floor_divide"
        if self.program.checked and divisor is None:
            return f"{name}({a.code}, not_zero({b.code}, {self.place(node)}))"
        return f"{name}({a.code}, {b.code})"


def widened(value: Value) -> Value:
    """An int with all its 64 bits, before C computes with fewer."""
    return like(value, INT, f"(int64_t){value.code}") if value.is_narrow else value


def article(kind: Kind) -> str:
    return f"{'an' if str(kind)[0] in 'aeiou' else 'a'} {kind}"


def _sign(operator: ast.operator) -> str:
    return ast.unparse(ast.BinOp(ast.Name("a"), operator, ast.Name("b")))[1:-1].strip()


def _with_point(text: str) -> str:
    return text if any(sign in text for sign in ".e") else f"{text}.0"


def like(value: Value, kind: Kind, code: str) -> Value:
    """Another expression that reads and writes the same."""
    return Value(kind, code, reads=value.reads, writes=value.writes, has_call=value.has_call)


def joined(kind: Kind, code: str, *values: Value) -> Value:
    reads = frozenset[str]().union(*(value.reads for value in values))
    writes = frozenset[str]().union(*(value.writes for value in values))
    return Value(
        kind, code, reads=reads, writes=writes, has_call=any(value.has_call for value in values)
    )
