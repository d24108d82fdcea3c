"""The statements that are known: assignments, `if`, `while`, `for`, `return`, calls."""

from __future__ import annotations

import ast

from lampion.core.native.assignments import Assignments
from lampion.core.native.indexing import bare
from lampion.core.native.kinds import (
    INT,
    NOTHING,
    Array,
    Element,
    Scalar,
    Several,
    Value,
)
from lampion.core.native.refusal import shown
from lampion.core.native.scope import Block

STATEMENTS = "assignments, if, while, for, return, break, continue, pass and calls"


class Statements(Assignments):
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
            self.function.local(target.id)
            if own and target.id != "_"
            else f"k_{self.program.next_number(self.function)}"
        )
        end = bare(stop.code)
        opening = f"int64_t {counter} = {bare(start.code)}"
        if stop.constant is None:
            opening += f", {counter}_end_ = {end}"
            end = f"{counter}_end_"
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
        k = self.program.next_number(self.function)
        counter, items, before = f"k_{k}", several.code, list[str]()
        if several.root is not None:
            # The body may change what says where the array is; it stays where it was.
            items = f"from_{k}"
            before = [f"{several.kind.element.c} *{items} = {bare(several.code)};"]
        own = self.function.scope.is_own_of_loops(target.id)
        opening = f"int64_t {counter} = 0, {counter}_end_ = {bare(several.dims[0])}"
        head = f"for ({opening}; {counter} < {counter}_end_; ++{counter}) {{"
        item = Value(several.kind.element.scalar, f"{items}[{counter}]")
        return [*before, head, *self._with_target(node, target, counter, item, own, block), "}"]

    def _with_target(
        self, node: ast.For, target: ast.Name, counter: str, item: Value, own: bool, block: Block
    ) -> list[str]:
        """The body of a loop; the target is a variable of its own where other code may change or read it."""
        assert isinstance(item.kind, Scalar)
        first: list[str] = []
        before = self.variables.get(target.id)
        if own:
            c_name = self.function.local(target.id)
            self.variables[target.id] = Value(item.kind, c_name)
            if counter != c_name and target.id != "_":
                first = [f"    {item.kind.c} {c_name} = {item.code};"]
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
