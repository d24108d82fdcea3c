"""Assignments: to variables, elements and fields, one or several at a time; and local arrays."""

from __future__ import annotations

import ast
import dataclasses
from typing import Any

import numpy as np

from lampion.core.native.calls import address
from lampion.core.native.expressions import Expressions
from lampion.core.native.indexing import bare
from lampion.core.native.kinds import (
    BOOL,
    FLOAT,
    INT,
    SINGLE,
    Array,
    Element,
    Kind,
    Nothing,
    Record,
    Scalar,
    Several,
    Value,
    element_of,
)
from lampion.core.native.refusal import shown
from lampion.core.native.scope import KEYWORDS, Block

MOST_ON_STACK = 1 << 16
"""Elements of a local array whose length is known."""


class Assignments(Expressions):
    """Translates what changes something."""

    _late: dict[int, dict[str, str]]
    """Declarations that a block has to begin with, by block and name."""
    _loops: int

    # --- variables ---

    def _declare(self, name: str, kind: Kind, block: Block, node: ast.AST) -> str:
        """The words before a first assignment: the type, if it declares, or nothing, if that is done further out."""
        if name in KEYWORDS:
            raise self.refused(node, f"`{name}` means something else in C", "use another name")
        self.variables[name] = self._variable(name, kind)
        c = _type(kind)
        home = self.function.scope.homes[name]
        if home == id(block):
            return c
        self._late.setdefault(home, {})[name] = f"{c}{name} = 0;"
        if isinstance(kind, Array):
            for axis, length in enumerate(kind.shape):
                if length is None:
                    late = f"int64_t {name}_n{axis} = 0;"
                    self._late[home][f"{name}_n{axis}"] = late
        return ""

    def _variable(self, name: str, kind: Kind, root: str | None = None) -> Value:
        if isinstance(kind, Array):
            dims = tuple(
                f"{name}_n{axis}" if n is None else str(n) for axis, n in enumerate(kind.shape)
            )
            return Value(kind, name, dims, root=root)
        return Value(kind, name, root=root)

    def _assign(self, target: ast.expr, source: ast.expr, block: Block) -> list[str]:
        if isinstance(target, ast.Tuple):
            return self._assign_several(target, source, block)
        if isinstance(target, ast.Name) and (made := self._new_array(target, source, block)):
            return made
        return self._store(target, self.expression(source), block)

    def _store(self, target: ast.expr, value: Value, block: Block) -> list[str]:
        if isinstance(target, ast.Name):
            return self._store_name(target, value, block)
        if isinstance(target, ast.Subscript | ast.Attribute):
            return self._store_element(target, value)
        raise self.refused(
            target, f"an assignment to `{shown(target)}`", "assign to a name, an element or a field"
        )

    def _store_name(self, target: ast.Name, value: Value, block: Block) -> list[str]:
        name, kind = target.id, value.kind
        if isinstance(kind, Several | Nothing):
            raise self.refused(target, f"`{name}` would be {kind}", "unpack it: a, b = ...")
        if isinstance(kind, Array | Record):
            return self._store_view(target, value, block)
        known = self.variables.get(name)
        if known is None:
            words = self._declare(name, kind, block, target)
            return [f"{words}{name} = {bare(value.code)};"]
        if not isinstance(known.kind, Scalar):
            raise self.refused(
                target, f"`{name}` is {known.kind} and then {kind}", "use another name"
            )
        if known.kind is not kind and (known.kind, kind) not in (
            (INT, BOOL),
            (FLOAT, INT),
            (FLOAT, BOOL),
        ):
            start = "0.0" if kind is FLOAT else "0" if kind is INT else f"{kind}(...)"
            raise self.refused(
                target, f"`{name}` changes from {known.kind} to {kind}", f"start it with {start}"
            )
        return [f"{name} = {bare(self.convert(target, value, known.kind, name).code)};"]

    def _store_view(self, target: ast.Name, value: Value, block: Block) -> list[str]:
        """A name for part of something. The view stays where it is: nothing is copied."""
        name, kind = target.id, value.kind
        assert isinstance(kind, Array | Record)
        known = self.variables.get(name)
        if known is not None and known.kind != kind:
            raise self.refused(
                target, f"`{name}` is {known.kind} and then {kind}", "use another name"
            )
        words = self._declare(name, kind, block, target) if known is None else ""
        if known is not None and known.root != value.root:
            raise self.refused(
                target,
                f"`{name}` is part of `{known.root}` and then of `{value.root}`",
                "use another name",
            )
        self.variables[name] = self._variable(name, kind, value.root)
        code = address(value) if isinstance(kind, Array) else bare(value.code)
        lines = [f"{words}{name} = {code};"]
        if isinstance(kind, Array):
            word = "int64_t " if words else ""
            for axis, length in enumerate(kind.shape):
                if length is None:
                    lines.append(f"{word}{name}_n{axis} = {bare(value.dims[axis])};")
        return lines

    def _new_array(self, target: ast.Name, source: ast.expr, block: Block) -> list[str]:
        """`x = np.zeros(n, dtype)`, `x = np.empty(n, dtype)`: an array that lives as long as the call."""
        match source:
            case ast.Call(func=ast.Attribute() as called, args=[size, *types], keywords=[]) if (
                len(types) < 2
            ):
                pass
            case _:
                return []
        if not isinstance(called.value, ast.Name) or self.function.scope.is_local(called.value.id):
            return []
        made = self.resolve(called)
        if made not in (np.zeros, np.empty):
            return []
        if self._loops or target.id in self.variables:
            raise self.refused(
                source, "an array made within a loop, or twice", "make it once, before the loop"
            )
        element = self._element_type(source, types)
        count = self.integer(size)
        if count.has_call or (count.constant is not None and count.constant > MOST_ON_STACK):
            raise self.refused(
                size, f"an array of {shown(size)}", "take a smaller one, or hand it in"
            )
        return self._declare_array(target, block, element, count, made is np.zeros)

    def _element_type(self, node: ast.AST, types: list[ast.expr]) -> Element:
        element = element_of(np.dtype(self.resolve(types[0]) if types else np.float64))
        if element is None:
            raise self.refused(node, "an array of this type", "use a NumPy number")
        return element

    def _declare_array(
        self, target: ast.Name, block: Block, element: Element, count: Value, clear: bool
    ) -> list[str]:
        name, home = target.id, self.function.scope.homes[target.id]
        if home != id(block):
            raise self.refused(
                target, f"`{name}` is made in a block and used outside it", "make it before"
            )
        known = count.constant
        if known is not None:
            self.variables[name] = Value(Array(element, (known,)), name, (str(known),), root=name)
            return [f"{element.c} {name}[{max(known, 1)}]{' = {0}' if clear else ''};"]
        self.variables[name] = Value(Array(element, (None,)), name, (f"{name}_n0",), root=name)
        size = (
            f"array_size({bare(count.code)}, {self.place(target)})"
            if self.program.checked
            else bare(count.code)
        )
        # An array of no elements has no place in C.
        lines = [f"int64_t {name}_n0 = {size};", f"{element.c} {name}[{name}_n0 + 1];"]
        return [*lines, f"memset({name}, 0, sizeof {name});"] if clear else lines

    # --- elements and fields ---

    def _store_element(self, target: ast.Subscript | ast.Attribute, value: Value) -> list[str]:
        place = self.expression(target)
        self._written(place)
        if isinstance(place.kind, Array):
            return self._fill(target, place, value)
        self.in_any_order(
            target, dataclasses.replace(place, reads=place.reads - {place.root}), value
        )
        if isinstance(place.kind, Record):
            if value.kind != place.kind:
                raise self.refused(
                    target,
                    f"a {value.kind} put into a {place.kind}",
                    "copy a record of the same kind",
                )
            return [f"*{place.code} = *{value.code};"]
        return [f"{place.code} = {self._fitted(target, place, value)};"]

    def _written(self, place: Value) -> None:
        if place.root is None:
            raise self.refused(
                self.function.node, f"`{place.code}` is a constant", "constants are not written to"
            )
        if place.root in self.function.scope.parameters:
            self.function.writes.add(place.root)

    def _fitted(self, target: ast.expr, place: Value, value: Value) -> str:
        """A number as it is stored: floats in their own width, ints cut to the width of the field."""
        kind = place.kind
        assert isinstance(kind, Scalar)
        if kind is SINGLE and value.kind in (FLOAT, INT, BOOL):
            return f"(float){value.code}"
        if kind is BOOL and value.kind is not BOOL:
            raise self.refused(
                target, f"a {value.kind} put into an array of bools", "compare: (... != 0)"
            )
        converted = self.convert(target, value, kind, "what is stored")
        limits = self._limits(target) if self.program.checked and kind is INT else None
        if limits is None or value.kind is BOOL or value.constant is not None:
            return bare(converted.code)
        return f"fitting({bare(converted.code)}, {limits[0]}, {limits[1]}, {self.place(target)})"

    def _limits(self, target: ast.expr) -> tuple[int, int] | None:
        """What fits into the element or field that is written to."""
        if isinstance(target, ast.Attribute):
            owner = self.expression(target.value)
            found = owner.kind.struct.field(target.attr) if isinstance(owner.kind, Record) else None
            return found[0].limits if found else None
        assert isinstance(target, ast.Subscript)
        base = self.expression(target.value)
        element = base.kind.element if isinstance(base.kind, Array) else None
        return element.limits if isinstance(element, Element) else None

    def _fill(self, target: ast.expr, place: Value, value: Value) -> list[str]:
        """`array[a:b] = number`, `array[:] = array`."""
        assert isinstance(place.kind, Array)
        element = place.kind.element
        if not isinstance(element, Element) or len(place.dims) != 1 or value.writes:
            raise self.refused(
                target, f"an assignment to `{shown(target)}`", "loop over the elements"
            )
        if isinstance(value.kind, Array):
            if value.kind.element != element or len(value.dims) != 1:
                raise self.refused(
                    target, f"{value.kind} put into {place.kind}", "loop over the elements"
                )
            source, item = f"{value.code}[k_]", None
        else:
            source, item = "", Value(element.scalar, place.code)
        number = source if item is None else self._fitted_constant(target, item, value)
        lines = [f"for (int64_t k_ = 0, end_ = {bare(place.dims[0])}; k_ < end_; ++k_) {{"]
        return [*lines, f"    {place.code}[k_] = {number};", "}"]

    def _fitted_constant(self, target: ast.expr, place: Value, value: Value) -> str:
        if not isinstance(value.kind, Scalar):
            raise self.refused(target, f"{value.kind} put into an array", "put in a number")
        if place.kind is SINGLE and value.kind in (FLOAT, INT, BOOL):
            return f"(float){value.code}"
        assert isinstance(place.kind, Scalar)
        return bare(self.convert(target, value, place.kind, "what is stored").code)

    def _change(self, node: ast.AugAssign) -> list[str]:
        """`place += value`, and the other operators."""
        place, value = self.expression(node.target), self.number(node.value)
        if place.writes:
            raise self.refused(node, "a call in the place that changes", "put it into a variable")
        if not isinstance(place.kind, Scalar):
            raise self.refused(node, f"{place.kind} changed as a whole", "loop over the elements")
        changed = self.binary(node, node.op, place, value)
        if isinstance(node.target, ast.Name):
            if changed.kind is not place.kind:
                raise self.refused(
                    node,
                    f"`{shown(node)}` makes {place.kind} a {changed.kind}",
                    "start with such a number",
                )
            return [f"{place.code} = {bare(changed.code)};"]
        self._written(place)
        return [f"{place.code} = {self._fitted(node.target, place, changed)};"]

    # --- several at once ---

    def _assign_several(self, target: ast.Tuple, source: ast.expr, block: Block) -> list[str]:
        if isinstance(source, ast.Tuple) and len(source.elts) == len(target.elts):
            return self._assign_each(target, source, block)
        value = self.expression(source)
        if not isinstance(value.kind, Several) or len(value.kind.kinds) != len(target.elts):
            raise self.refused(
                target, f"`{shown(target)}` = {value.kind}", "as many names as there are numbers"
            )
        temporary = f"several_{self.program.next_number(self.function)}"
        lines = [f"{self.program.several(value.kind)} {temporary} = {bare(value.code)};"]
        for k, (part, kind) in enumerate(zip(target.elts, value.kind.kinds, strict=True)):
            if not (isinstance(part, ast.Name) and part.id == "_"):
                lines += self._store(part, Value(kind, f"{temporary}.part_{k}"), block)
        return lines

    def _assign_each(self, target: ast.Tuple, source: ast.Tuple, block: Block) -> list[str]:
        """Python evaluates everything before it assigns anything."""
        values = [self.expression(part) for part in source.elts]
        self.in_any_order(source, *values)
        written = [part.id for part in target.elts if isinstance(part, ast.Name)]
        used = {
            node.id for part in source.elts for node in ast.walk(part) if isinstance(node, ast.Name)
        }
        is_memory_written = any(not isinstance(part, ast.Name) for part in target.elts)
        lines = []
        if used & set(written) or (is_memory_written and any(value.reads for value in values)):
            for k, value in enumerate(values):
                if value.constant is None:
                    if not isinstance(value.kind, Scalar):
                        raise self.refused(
                            target, "arrays that change places", "assign one after the other"
                        )
                    name = f"was_{self.program.next_number(self.function)}"
                    lines.append(f"{value.kind.c} {name} = {bare(value.code)};")
                    values[k] = Value(value.kind, name)
        for part, value in zip(target.elts, values, strict=True):
            lines += self._store(part, value, block)
        return lines


def _type(kind: Any) -> str:
    if isinstance(kind, Scalar):
        return f"{kind.c} "
    if isinstance(kind, Array):
        return f"{kind.element.c} *"
    assert isinstance(kind, Record)
    return f"{kind.struct.c} *"
