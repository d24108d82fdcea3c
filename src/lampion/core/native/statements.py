"""The statements that are known: assignments, `if`, `while`, `for`, `return`, calls."""

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
    NOTHING,
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

STATEMENTS = "assignments, if, while, for, return, break, continue, pass and calls"
MOST_ON_STACK = 1 << 16
"""Elements of a local array whose length is known."""


class Statements(Expressions):
    """Translates the body of one function into lines of C."""

    def body(self, block: Block) -> list[str]:
        self._late: dict[int, dict[str, str]] = {}
        self._loops = 0
        return self._block(block)

    def _block(self, block: Block) -> list[str]:
        """The statements of a block, after what has to be declared before all of them."""
        known = dict(self.variables)
        lines = [line for statement in block for line in self._statement(statement, block)]
        if id(block) != id(self.function.node.body):
            # What was declared in this block ends with it.
            self.variables = {
                name: value
                for name, value in self.variables.items()
                if name in known or not self._ends(name, block)
            }
        return [*self._late.pop(id(block), {}).values(), *lines]

    def _ends(self, name: str, block: Block) -> bool:
        return self.function.scope.homes.get(name) == id(block)

    def _statement(self, node: ast.stmt, block: Block) -> list[str]:
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                return []
            case ast.Expr(value=ast.Call()):
                return [f"{bare(self.expression(node.value).code)};"]
            case ast.Assign(targets=[target]):
                return self._assign(target, node.value, block)
            case ast.AnnAssign(value=ast.expr() as source, simple=1):
                return self._assign(node.target, source, block)
            case ast.AugAssign():
                return self._change(node)
            case ast.If():
                return self._if(node)
            case ast.While(orelse=[]):
                test = bare(self.condition(node.test).code)
                return [f"while ({test}) {{", *self._loop_body(node), "}"]
            case ast.For(orelse=[]):
                return self._for(node, block)
            case ast.Return():
                return self._return(node)
            case ast.Break():
                return ["break;"]
            case ast.Continue():
                return ["continue;"]
        raise self.refused(
            node,
            f"`{shown(node).splitlines()[0]}` cannot be translated",
            f"what is known: {STATEMENTS}",
        )

    def _inside(self, block: Block) -> list[str]:
        return [f"    {line}" for line in self._block(block)]

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

    # --- control ---

    def _if(self, node: ast.If) -> list[str]:
        lines = [f"if ({bare(self.condition(node.test).code)}) {{", *self._inside(node.body)]
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            first, *rest = self._block(node.orelse)
            if first.startswith("if "):
                return [*lines, f"}} else {first}", *rest]
            return [*lines, "} else {", *[f"    {line}" for line in (first, *rest)], "}"]
        if node.orelse:
            lines += ["} else {", *self._inside(node.orelse)]
        return [*lines, "}"]

    def _for(self, node: ast.For, block: Block) -> list[str]:
        if not isinstance(node.target, ast.Name):
            raise self.refused(node, f"a loop over `{shown(node.target)}`", "loop over one name")
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=[*bounds], keywords=[]) if (
                1 <= len(bounds) <= 3
            ):
                return self._for_range(node, node.target, bounds, block)
        return self._for_each(node, node.target, block)

    def _loop_body(self, node: ast.For | ast.While) -> list[str]:
        self._loops += 1
        lines = self._inside(node.body)
        self._loops -= 1
        return lines

    def _for_range(
        self, node: ast.For, target: ast.Name, bounds: list[ast.expr], block: Block
    ) -> list[str]:
        values = [self.integer(bound) for bound in bounds]
        self.in_any_order(node, *values)
        start = values[0] if len(values) > 1 else self.literal(node, 0)
        stop, step = values[min(1, len(values) - 1)], values[2].constant if len(values) == 3 else 1
        if not isinstance(step, int) or step == 0:
            raise self.refused(
                node, "the step of a range is not a known number", "write it out: range(a, b, -1)"
            )
        start, stop = (
            self.convert(node, value, INT, "an end of a range") for value in (start, stop)
        )
        own = self.function.scope.is_own_of_loops(target.id)
        counter = (
            target.id
            if own and target.id != "_"
            else f"k_{self.program.next_number(self.function)}"
        )
        end = bare(stop.code)
        opening = f"int64_t {counter} = {bare(start.code)}"
        if stop.constant is None:
            opening += f", {counter}_end = {end}"
            end = f"{counter}_end"
        move = (
            f"++{counter}"
            if step == 1
            else f"--{counter}"
            if step == -1
            else f"{counter} += {step}"
        )
        head = f"for ({opening}; {counter} {'<' if step > 0 else '>'} {end}; {move}) {{"
        return [
            head,
            *self._with_target(node, target, counter, Value(INT, counter), own, block),
            "}",
        ]

    def _for_each(self, node: ast.For, target: ast.Name, block: Block) -> list[str]:
        """The elements of an array, or of a tuple of numbers that is a constant."""
        several = self.expression(node.iter)
        if (
            not isinstance(several.kind, Array)
            or len(several.dims) != 1
            or not isinstance(several.kind.element, Element)
        ):
            raise self.refused(
                node,
                f"a loop over `{shown(node.iter)}`",
                "loop over a range or an array of numbers",
            )
        if several.has_call or several.writes:
            raise self.refused(node, f"a call in `{shown(node.iter)}`", "put it into a variable")
        counter = f"k_{self.program.next_number(self.function)}"
        own = self.function.scope.is_own_of_loops(target.id)
        head = f"for (int64_t {counter} = 0; {counter} < {several.dims[0]}; ++{counter}) {{"
        item = Value(several.kind.element.scalar, f"{several.code}[{counter}]")
        return [head, *self._with_target(node, target, counter, item, own, block), "}"]

    def _with_target(
        self, node: ast.For, target: ast.Name, counter: str, item: Value, own: bool, block: Block
    ) -> list[str]:
        """The body of a loop; the target is a variable of its own where somebody else may change or read it."""
        assert isinstance(item.kind, Scalar)
        first: list[str] = []
        before = self.variables.get(target.id)
        if own:
            self.variables[target.id] = Value(item.kind, target.id)
            if counter != target.id and target.id != "_":
                first = [f"    {item.kind.c} {target.id} = {item.code};"]
        else:
            first = [f"    {line}" for line in self._store_name(target, item, [])]
        lines = [*first, *self._loop_body(node)]
        if own and before is None:
            self.variables.pop(target.id, None)
        return lines

    def _return(self, node: ast.Return) -> list[str]:
        wanted = self.function.returns
        if node.value is None or wanted is NOTHING:
            if node.value is not None or wanted is not NOTHING:
                raise self.refused(
                    node,
                    f"`{shown(node)}` in a function that returns {wanted}",
                    "return what it says",
                )
            return ["return;"]
        if isinstance(wanted, Several):
            return self._return_several(node, wanted)
        assert isinstance(wanted, Scalar)
        value = self.number(node.value)
        return [f"return {bare(self.convert(node, value, wanted, 'what is returned').code)};"]

    def _return_several(self, node: ast.Return, wanted: Several) -> list[str]:
        if not isinstance(node.value, ast.Tuple) or len(node.value.elts) != len(wanted.kinds):
            raise self.refused(
                node,
                f"`{shown(node)}` in a function that returns {wanted}",
                "return a tuple: return a, b",
            )
        values = [self.number(part) for part in node.value.elts]
        self.in_any_order(node, *values)
        parts = [
            bare(self.convert(node, value, kind, "what is returned").code)
            for value, kind in zip(values, wanted.kinds, strict=True)
        ]
        return [f"return ({self.program.several(wanted)}){{{', '.join(parts)}}};"]


def _type(kind: Any) -> str:
    if isinstance(kind, Scalar):
        return f"{kind.c} "
    if isinstance(kind, Array):
        return f"{kind.element.c} *"
    assert isinstance(kind, Record)
    return f"{kind.struct.c} *"
