"""Calls: rules, verbs, and the few functions of Python, NumPy and `math` that are known."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lampion.core.compile import Rule, answer_of, rule_behind
from lampion.core.native import indexing
from lampion.core.native.kinds import (
    BOOL,
    FLOAT,
    INT,
    SINGLE,
    UNSIGNED,
    Array,
    Kind,
    Record,
    Scalar,
    Value,
)
from lampion.core.native.refusal import shown

if TYPE_CHECKING:
    from lampion.core.native.expressions import Expressions
    from lampion.core.native.program import Function

KNOWN = "rules, range, len, int, float, bool, min, max, math.sqrt, np.float32, np.uint64, np.zeros, np.empty"


def call(within: Expressions, node: ast.Call) -> Value:
    if node.keywords or any(isinstance(part, ast.Starred) for part in node.args):
        raise within.refused(node, f"`{shown(node)}` names its arguments", "give them in order")
    if not isinstance(node.func, ast.Name | ast.Attribute):
        raise within.refused(
            node, f"`{shown(node)}` cannot be translated", f"what can be called: {KNOWN}"
        )
    if isinstance(node.func, ast.Attribute) and not _is_global(within, node.func):
        raise within.refused(
            node,
            f"`{shown(node.func)}` is a method",
            "loop over the elements; a[:] = b copies them, and float(x) or int(x) converts",
        )
    called = within.resolve(node.func)
    if rule := rule_behind(called):
        return _call_rule(within, node, rule)
    if answer := answer_of(called):
        return _call_verb(within, node, answer)
    known = _BUILT_IN.get(called) if callable(called) else None
    if known is None:
        raise within.refused(
            node, f"`{shown(node.func)}` is not known", f"what can be called: {KNOWN}"
        )
    return known(within, node, [within.expression(part) for part in node.args])


def _is_global(within: Expressions, node: ast.expr) -> bool:
    """Whether this is a global name, or something in a module that is one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and not within.function.scope.is_local(node.id)


# --- rules ------------------------------------------------------------------------------------------


def _call_verb(
    within: Expressions, node: ast.Call, answer: Callable[[np.dtype[Any]], Rule]
) -> Value:
    """The type of the record chooses the game."""
    state = within.expression(node.args[0]) if node.args else None
    if state is None or not isinstance(state.kind, Record):
        given = f"`{shown(node.args[0])}` is not a record" if node.args else "nothing is given"
        raise within.refused(node, given, "a verb is asked about a record")
    try:
        rule = answer(state.kind.struct.dtype)
    except (KeyError, AttributeError):
        problem = f"no game answers `{shown(node.func)}` for {state.kind}"
        raise within.refused(node, problem, "write it in the rules of the game") from None
    return _call_rule(within, node, rule)


def _call_rule(within: Expressions, node: ast.Call, rule: Rule) -> Value:
    given = [within.expression(part) for part in node.args]
    within.in_any_order(node, *given)
    function = within.program.function(within, node, rule, [value.kind for value in given])
    if len(given) != len(function.parameters):
        raise within.refused(
            node, f"`{function.c_name}` takes {len(function.parameters)} arguments", "count them"
        )
    _keep_apart(within, node, function, given)
    arguments, reads, writes = [], set[str](), set[str]()
    for value, (name, kind) in zip(given, function.parameters, strict=True):
        arguments += _argument(within, node, value, kind, f"the argument `{name}`")
        reads |= value.reads
        writes |= value.writes
        if value.root and not isinstance(kind, Scalar):
            reads.add(value.root)
            writes |= {value.root} if name in function.writes else set()
    within.function.writes |= {root for root in writes if root in within.function.scope.parameters}
    within.function.uses.add(function.c_name)
    code = f"{function.c_name}({', '.join(arguments)})"
    return Value(
        function.returns, code, reads=frozenset(reads), writes=frozenset(writes), has_call=True
    )


def _keep_apart(
    within: Expressions, node: ast.Call, function: Function, given: list[Value]
) -> None:
    """Refuse parts of one array for two parameters whose order matters in the rule that is called."""
    roots = {
        name: value.root
        for (name, _), value in zip(function.parameters, given, strict=True)
        if value.root
    }
    parameters = within.function.scope.parameters
    for one, other in map(sorted, function.apart):
        pair = frozenset(roots[name] for name in (one, other) if name in roots)
        if len(pair) == 1 and one in roots and other in roots:
            raise within.refused(
                node,
                f"`{one}` and `{other}` of `{function.c_name}` are both part of `{roots[one]}`, and"
                " it changes one while it reads the other",
                "put what it reads into a variable there",
            )
        if len(pair) == 2 and pair <= set(parameters):
            within.function.apart.add(pair)


def _argument(
    within: Expressions, node: ast.AST, value: Value, kind: Kind, where: str
) -> list[str]:
    """What C is given for one parameter: of an array its address, and each length that is not known."""
    if isinstance(kind, Scalar):
        return [indexing.bare(within.convert(node, value, kind, where).code)]
    if isinstance(kind, Array):
        unknown = [
            indexing.bare(name)
            for name, length in zip(value.dims, kind.shape, strict=True)
            if length is None
        ]
        return [address(value), *unknown]
    return [indexing.bare(value.code)]


def address(value: Value) -> str:
    """Where an array begins. Constants are told to be none: nobody writes to them, and one type will do."""
    assert isinstance(value.kind, Array)
    code = indexing.bare(value.code)
    return code if value.root else f"({value.kind.element.c} *){value.code}"


def parameter_kind(within: Function, annotation: Any, given: Kind) -> Kind:
    """What a parameter is: a number as it says itself, anything else as it is given."""
    return scalar_of(annotation) or given


def scalar_of(annotation: Any) -> Scalar | None:
    return _SCALARS.get(annotation) if annotation.__hash__ else None


_SCALARS: dict[Any, Scalar] = {
    int: INT,
    float: FLOAT,
    bool: BOOL,
    np.uint64: UNSIGNED,
    np.float32: SINGLE,
}


# --- functions of Python, NumPy and math -------------------------------------------------------------


def _one(within: Expressions, node: ast.Call, given: list[Value]) -> Value:
    if len(given) != 1 or not isinstance(given[0].kind, Scalar):
        raise within.refused(node, f"`{shown(node)}` cannot be translated", "give it one number")
    return given[0]


def _cast(value: Value, kind: Scalar, code: str) -> Value:
    return Value(kind, code, reads=value.reads, writes=value.writes, has_call=value.has_call)


def _int(within: Expressions, node: ast.Call, given: list[Value]) -> Value:
    value = _one(within, node, given)
    if value.constant is not None:
        return within.literal(node, int(value.constant))
    if value.kind in (FLOAT, SINGLE) and within.program.checked:
        return _cast(value, INT, f"checked_int({indexing.bare(value.code)}, {within.place(node)})")
    if value.kind is UNSIGNED and within.program.checked:
        return _cast(value, INT, f"signed_int({indexing.bare(value.code)}, {within.place(node)})")
    return value if value.kind is INT else _cast(value, INT, f"((int64_t){value.code})")


def _float(within: Expressions, node: ast.Call, given: list[Value]) -> Value:
    value = _one(within, node, given)
    if value.constant is not None:
        return within.literal(node, float(value.constant))
    return value if value.kind is FLOAT else _cast(value, FLOAT, f"((double){value.code})")


def _bool(within: Expressions, node: ast.Call, given: list[Value]) -> Value:
    value = _one(within, node, given)
    return value if value.kind is BOOL else _cast(value, BOOL, f"({value.code} != 0)")


def _single(within: Expressions, node: ast.Call, given: list[Value]) -> Value:
    value = _one(within, node, given)
    if value.constant is not None:
        return within.literal(node, np.float32(value.constant))
    return value if value.kind is SINGLE else _cast(value, SINGLE, f"((float){value.code})")


def _unsigned(within: Expressions, node: ast.Call, given: list[Value]) -> Value:
    value = _one(within, node, given)
    if value.kind not in (INT, BOOL, UNSIGNED):
        raise within.refused(node, f"np.uint64 of a {value.kind}", "write int(...) inside")
    if value.constant is not None:
        if not 0 <= value.constant < 2**64:
            raise within.refused(node, f"np.uint64 of {value.constant}", "start from 0 up")
        return within.literal(node, np.uint64(value.constant))
    if value.kind is INT and within.program.checked:
        code = f"unsigned_int({indexing.bare(value.code)}, {within.place(node)})"
        return _cast(value, UNSIGNED, code)
    return value if value.kind is UNSIGNED else _cast(value, UNSIGNED, f"((uint64_t){value.code})")


def _len(within: Expressions, node: ast.Call, given: list[Value]) -> Value:
    if len(given) != 1 or not isinstance(given[0].kind, Array):
        raise within.refused(
            node, f"`{shown(node)}` cannot be translated", "only an array has a length"
        )
    return indexing.dim(within, node, given[0], 0)


def _extreme(name: str) -> Callable[[Expressions, ast.Call, list[Value]], Value]:
    def translate(within: Expressions, node: ast.Call, given: list[Value]) -> Value:
        if len(given) != 2 or not all(isinstance(value.kind, Scalar) for value in given):
            raise within.refused(
                node, f"`{shown(node)}` cannot be translated", f"{name} is known for two numbers"
            )
        within.in_any_order(node, *given)
        kind, (a, b) = within.unify(node, given)
        if a.constant is not None and b.constant is not None:
            return within.literal(node, (min if name == "min" else max)(a.constant, b.constant))
        helper = {INT: "int", FLOAT: "float", SINGLE: "single", BOOL: "int", UNSIGNED: "unsigned"}[
            kind
        ]
        code = f"{helper}_{name}({indexing.bare(a.code)}, {indexing.bare(b.code)})"
        reads, writes = a.reads | b.reads, a.writes | b.writes
        return Value(
            INT if kind is BOOL else kind,
            code,
            reads=reads,
            writes=writes,
            has_call=a.has_call or b.has_call,
        )

    return translate


def _sqrt(within: Expressions, node: ast.Call, given: list[Value]) -> Value:
    """Rounded correctly everywhere. Other functions differ in their last digit from machine to machine."""
    value = within.convert(node, _one(within, node, given), FLOAT, "it")
    return _cast(value, FLOAT, f"square_root({indexing.bare(value.code)})")


def _array(within: Expressions, node: ast.Call, given: list[Value]) -> Value:
    raise within.refused(
        node,
        f"`{shown(node)}` within an expression",
        "give the new array a name first: x = np.zeros(...)",
    )


def _range(within: Expressions, node: ast.Call, given: list[Value]) -> Value:
    raise within.refused(
        node, "a range within an expression", "ranges are for loops: for k in range(...)"
    )


_BUILT_IN: dict[Any, Callable[[Expressions, ast.Call, list[Value]], Value]] = {
    int: _int,
    float: _float,
    bool: _bool,
    len: _len,
    min: _extreme("min"),
    max: _extreme("max"),
    range: _range,
    math.sqrt: _sqrt,
    np.float32: _single,
    np.uint64: _unsigned,
    np.zeros: _array,
    np.empty: _array,
}
