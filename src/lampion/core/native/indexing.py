"""Indices, slices and fields. An index is never negative: what Python counts from the end, a rule says out."""

from __future__ import annotations

import ast
import dataclasses
from types import ModuleType
from typing import TYPE_CHECKING

from lampion.core.native.kinds import INT, Array, Record, Struct, Value
from lampion.core.native.names import field_name
from lampion.core.native.refusal import shown

if TYPE_CHECKING:
    from lampion.core.native.expressions import Expressions


def attribute(within: Expressions, node: ast.Attribute) -> Value:
    """A field of a record, a name in a module, or `array.shape`, which only an index makes sense of."""
    if _is_of_module(within, node):
        return within.program.constant(within, node, node.attr, within.resolve(node))
    owner = within.expression(node.value)
    if not isinstance(owner.kind, Record):
        raise within.refused(
            node, f"`{shown(node)}` cannot be translated", "only records have fields"
        )
    found = owner.kind.struct.field(node.attr)
    if found is None:
        raise within.refused(
            node, f"{owner.kind} has no field `{node.attr}`", "see the class of the record"
        )
    element, shape = found
    code = f"{owner.code}->{field_name(node.attr)}"
    reads = owner.reads | ({owner.root} if owner.root else set())
    if shape:
        dims = tuple(str(length) for length in shape)
        return Value(
            Array(element, shape),
            code,
            dims,
            root=owner.root,
            reads=owner.reads,
            writes=owner.writes,
        )
    return Value(
        element.scalar,
        code,
        root=owner.root,
        reads=reads,
        writes=owner.writes,
        has_call=owner.has_call,
        is_narrow=element.limits is not None,
    )


def _is_of_module(within: Expressions, node: ast.Attribute) -> bool:
    if not isinstance(node.value, ast.Name) or within.function.scope.is_local(node.value.id):
        return False
    return isinstance(within.resolve(node.value), ModuleType)


def subscript(within: Expressions, node: ast.Subscript) -> Value:
    if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        return length(within, within.expression(node.value.value), node)
    base = within.expression(node.value)
    if not isinstance(base.kind, Array):
        raise within.refused(node, f"`{shown(node.value)}` has no elements", "only arrays have")
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if len(parts) > len(base.kind.shape):
        raise within.refused(node, f"{len(parts)} indices for {base.kind}", "leave some out")
    for axis, part in enumerate(parts):
        if isinstance(part, ast.Slice):
            if axis != len(parts) - 1:
                raise within.refused(node, "a slice before another index", "loop instead")
            return _slice(within, node, part, base)
        base = _element(within, node, part, base)
    return base


def length(within: Expressions, array: Value, node: ast.Subscript) -> Value:
    """`array.shape[axis]`."""
    axis = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if (
        not isinstance(array.kind, Array)
        or not isinstance(axis, int)
        or not 0 <= axis < len(array.dims)
    ):
        raise within.refused(
            node,
            f"`{shown(node)}` cannot be translated",
            "write array.shape[0], array.shape[1], ...",
        )
    return dim(within, node, array, axis)


def dim(within: Expressions, node: ast.AST, array: Value, axis: int) -> Value:
    assert isinstance(array.kind, Array)
    known = array.kind.shape[axis]
    return Value(INT, array.dims[axis]) if known is None else within.literal(node, known)


def _element(within: Expressions, node: ast.Subscript, part: ast.expr, base: Value) -> Value:
    """One step into an array: an element, or an array of one axis less."""
    assert isinstance(base.kind, Array)
    index = within.integer(part)
    within.in_any_order(node, base, index)
    code, most = _checked(within, node, index, base), base.kind.shape[0]
    if index.constant is not None and (
        index.constant < 0 or (most is not None and index.constant >= most)
    ):
        raise within.refused(
            node, f"index {index.constant} of {base.kind}", "count from 0, or write len(...) - 1"
        )
    _guard(within, part, base)
    rest, dims = base.kind.shape[1:], base.dims[1:]
    reads, writes = base.reads | index.reads, base.writes | index.writes
    has_call = base.has_call or index.has_call
    if rest:
        # Arrays are laid out row by row, so a row is a pointer: no C type has to know the lengths.
        step = _product(dims, rest)
        moved = base.code if index.constant == 0 else f"({base.code} + {_times(code, step)})"
        kind = Array(base.kind.element, rest)
        return Value(
            kind, moved, dims, root=base.root, reads=reads, writes=writes, has_call=has_call
        )
    if isinstance(base.kind.element, Struct):
        moved = base.code if index.constant == 0 else f"({base.code} + {code})"
        kind_of_record = Record(base.kind.element)
        return Value(
            kind_of_record, moved, root=base.root, reads=reads, writes=writes, has_call=has_call
        )
    reads |= {base.root} if base.root else set()
    text = _unpacked(base.code, code)
    element = base.kind.element
    return Value(
        element.scalar,
        text,
        root=base.root,
        reads=reads,
        writes=writes,
        has_call=has_call,
        is_narrow=element.limits is not None,
    )


def _unpacked(base: str, index: str) -> str:
    """`(a + i * 7)[j]` reads better as `a[i * 7 + j]`."""
    if base.startswith("(") and base.endswith(")") and " + " in base:
        start, _, offset = base[1:-1].partition(" + ")
        if start.replace("->", "").replace("_", "").isalnum():
            return f"{start}[{offset}]" if index == "0" else f"{start}[{offset} + {index}]"
    return f"{base}[{bare(index)}]"


def _guard(within: Expressions, part: ast.expr, base: Value) -> None:
    """A door checks the indices that it is given before it lets anybody in."""
    function = within.function
    if not function.is_door or not isinstance(part, ast.Name):
        return
    if base.root not in function.scope.parameters or base.code != function.local(base.root):
        return
    # The check runs once, when the door is entered. It holds for the whole call only if both names
    # mean what the caller gave, to the end.
    names = {part.id, base.root}
    if part.id in function.scope.parameters and not any(map(function.scope.is_assigned, names)):
        function.guards.add((part.id, base.root))


def _checked(within: Expressions, node: ast.AST, index: Value, base: Value) -> str:
    if not within.program.checked or index.constant is not None:
        return index.code
    return f"index_within({bare(index.code)}, {base.dims[0]}, {within.place(node)})"


def _slice(within: Expressions, node: ast.Subscript, part: ast.Slice, base: Value) -> Value:
    """Part of the first axis: the elements from `lower` up to `upper`."""
    assert isinstance(base.kind, Array)
    if part.step is not None:
        raise within.refused(node, "a slice with a step", "loop instead")
    lower = within.literal(node, 0) if part.lower is None else within.integer(part.lower)
    upper = dim(within, node, base, 0) if part.upper is None else within.integer(part.upper)
    if lower.has_call or upper.has_call:
        raise within.refused(node, "a call in a slice", "put it into a variable")
    within.in_any_order(node, base, lower, upper)
    if any(value.constant is not None and value.constant < 0 for value in (lower, upper)):
        raise within.refused(node, "a slice counted from the end", "write len(...) - 1")
    known = _known_length(within, node, lower, upper, base)
    start, count = _bounds(within, part, lower, upper, base, known)
    code = base.code
    if lower.constant != 0 or within.program.checked:
        code = f"({base.code} + {_times(start, _product(base.dims[1:], base.kind.shape[1:]))})"
    kind = Array(base.kind.element, (known, *base.kind.shape[1:]))
    reads = base.reads | lower.reads | upper.reads
    dims = (count, *base.dims[1:])
    return dataclasses.replace(base, kind=kind, code=code, dims=dims, reads=reads)


def _known_length(
    within: Expressions, node: ast.Subscript, lower: Value, upper: Value, base: Value
) -> int | None:
    """How long a slice is, where that is known; one that cannot be is refused."""
    assert isinstance(base.kind, Array)
    most = base.kind.shape[0]
    first, last = lower.constant, upper.constant
    is_beyond = most is not None and any(end is not None and end > most for end in (first, last))
    if is_beyond or (first is not None and last is not None and first > last):
        problem = f"`{shown(node)}` of {base.kind}"
        raise within.refused(node, problem, "slice within the array, from the lower end up")
    return None if most is None or first is None or last is None else last - first


def _bounds(
    within: Expressions,
    part: ast.Slice,
    lower: Value,
    upper: Value,
    base: Value,
    known: int | None,
) -> tuple[str, str]:
    """Where a slice starts, and how many elements it has: like Python, no more than there are."""
    first, last, most = bare(lower.code), bare(upper.code), base.dims[0]
    if known is not None:
        start = lower.code
    else:
        start = f"slice_start({first}, {most})"
    if within.program.checked:
        start = f"slice_within({first}, {last}, {most}, {within.place(part)})"
    if known is not None:
        return start, str(known)
    is_whole = lower.constant == 0 and part.upper is None
    return start, most if is_whole else f"slice_length({first}, {last}, {most})"


def _product(dims: tuple[str, ...], shape: tuple[int | None, ...]) -> str:
    """How many elements one step along the first axis is."""
    known, unknown = 1, []
    for name, length in zip(dims, shape, strict=True):
        if length is None:
            unknown.append(name)
        else:
            known *= length
    return " * ".join([*unknown, *([str(known)] if known != 1 or not unknown else [])])


def _times(index: str, step: str) -> str:
    return index if step == "1" else f"{index} * {step}"


def bare(code: str) -> str:
    """Without the parentheses around the whole."""
    if not (code.startswith("(") and code.endswith(")")):
        return code
    depth = 0
    for position, sign in enumerate(code):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and position < len(code) - 1:
            return code
    return code[1:-1]
