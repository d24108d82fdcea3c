"""Assignments: to variables, elements and fields, one or several at a time; and local arrays."""

from __future__ import annotations

import ast
import re
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
from lampion.core.native.scope import Block

MOST_ON_STACK = 1 << 16
"""Elements of a local array whose length is known."""


class Assignments(Expressions):
    """Translates what changes something."""

    _late: dict[int, dict[str, str]]
    """Declarations that a block has to begin with, by block and name."""
    _loops: int

    # --- variables ---

    def _declare(self, name: str, kind: Kind, block: Block) -> str:
        """The words before a first assignment: the type, if it declares, or nothing, if that is done further out."""
        self.variables[name] = self._variable(name, kind)
        c, c_name = _type(kind), self.function.local(name)
        home = self.function.scope.homes[name]
        if home == id(block):
            return c
        self._late.setdefault(home, {})[name] = f"{c}{c_name} = 0;"
        if isinstance(kind, Array):
            for axis, length in enumerate(kind.shape):
                if length is None:
                    late = f"int64_t {c_name}_n{axis} = 0;"
                    self._late[home][f"{name}_n{axis}"] = late
        return ""

    def _variable(self, name: str, kind: Kind, root: str | None = None) -> Value:
        c_name = self.function.local(name)
        if isinstance(kind, Array):
            dims = tuple(
                f"{c_name}_n{axis}" if n is None else str(n) for axis, n in enumerate(kind.shape)
            )
            return Value(kind, c_name, dims, root=root)
        return Value(kind, c_name, root=root)

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
            words = self._declare(name, kind, block)
            return [f"{words}{self.function.local(name)} = {bare(value.code)};"]
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
        return [f"{known.code} = {bare(self.convert(target, value, known.kind, name).code)};"]

    def _store_view(self, target: ast.Name, value: Value, block: Block) -> list[str]:
        """A name for part of something. The view stays where it is: nothing is copied."""
        name, kind = target.id, value.kind
        assert isinstance(kind, Array | Record)
        known = self.variables.get(name)
        if known is not None and known.kind != kind:
            raise self.refused(
                target, f"`{name}` is {known.kind} and then {kind}", "use another name"
            )
        words = self._declare(name, kind, block) if known is None else ""
        if known is not None and known.root != value.root:
            raise self.refused(
                target,
                f"`{name}` is part of `{known.root}` and then of `{value.root}`",
                "use another name",
            )
        self.variables[name] = self._variable(name, kind, value.root)
        if isinstance(kind, Record):
            return [f"{words}{self.function.local(name)} = {bare(value.code)};"]
        return self._view_of_array(self.function.local(name), words, value)

    def _view_of_array(self, c_name: str, words: str, value: Value) -> list[str]:
        assert isinstance(value.kind, Array)
        before, lines = [], [f"{words}{c_name} = {address(value)};"]
        for axis, known in enumerate(value.kind.shape):
            if known is None:
                length = bare(value.dims[axis])
                if re.search(rf"\b{c_name}(_n\d+)?\b", length):
                    # The length is read from what the name meant until now.
                    was = f"was_{self.program.next_number(self.function)}"
                    before.append(f"int64_t {was} = {length};")
                    length = was
                lines.append(f"{'int64_t ' if words else ''}{c_name}_n{axis} = {length};")
        return [*before, *lines]

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
        if count.has_call or not 0 <= (count.constant or 0) <= MOST_ON_STACK:
            raise self.refused(
                size, f"an array of {shown(size)}", "take a smaller one, or hand it in"
            )
        return self._declare_array(target, block, element, count, made is np.zeros)

    def _element_type(self, node: ast.AST, types: list[ast.expr]) -> Element:
        named = self.resolve(types[0]) if types else np.float64
        element = element_of(np.dtype(named)) if isinstance(named, type) else None
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
        known, c_name = count.constant, self.function.local(name)
        if known is not None:
            array = Value(Array(element, (known,)), c_name, (str(known),), root=name)
            self.variables[name] = array
            return [f"{element.c} {c_name}[{max(known, 1)}]{' = {0}' if clear else ''};"]
        self.variables[name] = Value(Array(element, (None,)), c_name, (f"{c_name}_n0",), root=name)
        size = (
            f"array_size({bare(count.code)}, {self.place(target)})"
            if self.program.checked
            else bare(count.code)
        )
        # An array of no elements has no place in C.
        lines = [f"int64_t {c_name}_n0 = {size};", f"{element.c} {c_name}[{c_name}_n0 + 1];"]
        return [*lines, f"memset({c_name}, 0, sizeof {c_name});"] if clear else lines

    # --- elements and fields ---

    def _store_element(self, target: ast.Subscript | ast.Attribute, value: Value) -> list[str]:
        place = self.expression(target)
        self._written(place)
        if isinstance(place.kind, Array):
            return self._fill(target, place, value)
        before, value = self._before(place, value)
        return [*before, self._stored(target, place, value)]

    def _before(self, place: Value, value: Value) -> tuple[list[str], Value]:
        """Python works out the value first and then the place, C in any order: where one of them
        changes something, the value gets a line of its own."""
        if not (place.writes or value.writes) or value.constant is not None:
            return [], value
        if not isinstance(value.kind, Scalar | Record):
            return [], value  # refused for its kind
        name = f"from_{self.program.next_number(self.function)}"
        found = Value(value.kind, name, root=value.root)
        return [f"{_type(value.kind)}{name} = {bare(value.code)};"], found

    def _stored(self, target: ast.expr, place: Value, value: Value) -> str:
        if isinstance(place.kind, Record):
            if value.kind != place.kind:
                raise self.refused(
                    target,
                    f"a {value.kind} put into a {place.kind}",
                    "copy a record of the same kind",
                )
            return f"*{place.code} = *{value.code};"
        return f"{place.code} = {self._fitted(target, place, value)};"

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
        limits = self._limits(target) if kind is INT else None
        if limits and value.constant is not None and not limits[0] <= value.constant <= limits[1]:
            raise self.refused(
                target, f"{value.constant} does not fit here", f"{limits[0]} to {limits[1]} do"
            )
        is_sure = value.kind is BOOL or value.constant is not None
        if limits is None or is_sure or not self.program.checked:
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
        if not isinstance(element, Element) or len(place.dims) != 1 or place.writes or value.writes:
            raise self.refused(
                target, f"an assignment to `{shown(target)}`", "loop over the elements"
            )
        if isinstance(value.kind, Array):
            return self._copy(target, place, value)
        number = self._fitted_element(target, element, value)
        k = self.program.next_number(self.function)
        lines = []
        if value.constant is None:
            # What is filled may hold what the number was read from.
            lines, number = [f"{element.c} from_{k} = {number};"], f"from_{k}"
        opening = (
            f"{element.c} *to_{k} = {bare(place.code)}, *to_{k}_end_ = to_{k} + {place.dims[0]}"
        )
        return [*lines, f"for ({opening}; to_{k} < to_{k}_end_; ++to_{k}) *to_{k} = {number};"]

    def _copy(self, target: ast.expr, place: Value, value: Value) -> list[str]:
        """Elements of an array put into another, or elsewhere into the same one."""
        assert isinstance(place.kind, Array) and isinstance(value.kind, Array)
        element, lengths = place.kind.element, {*place.kind.shape, *value.kind.shape}
        if value.kind.element != element or len(value.dims) != 1:
            raise self.refused(
                target, f"{value.kind} put into {place.kind}", "loop over the elements"
            )
        if None not in lengths and len(lengths) > 1:
            raise self.refused(
                target, f"{value.kind} put into {place.kind}", "take as many elements as fit"
            )
        to, from_ = bare(place.dims[0]), bare(value.dims[0])
        count = to if to == from_ else f"int_min({to}, {from_})"
        if self.program.checked and to != from_:
            count = f"same_length({to}, {from_}, {self.place(target)})"
        size = f"{count} * sizeof({element.c})"
        return [f"__builtin_memmove({bare(place.code)}, {bare(value.code)}, {size});"]

    def _fitted_element(self, target: ast.expr, element: Element, value: Value) -> str:
        """A number as an array holds it."""
        if not isinstance(value.kind, Scalar):
            raise self.refused(target, f"{value.kind} put into an array", "put in a number")
        return self._fitted(target, Value(element.scalar, ""), value)

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
