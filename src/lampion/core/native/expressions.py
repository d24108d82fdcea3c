"""The expressions that are known: names, comparisons, choices, and numbers (`arithmetic`)."""

from __future__ import annotations

import ast
import dataclasses
from typing import TYPE_CHECKING, Any

from lampion.core.native import calls, indexing
from lampion.core.native.arithmetic import Arithmetic, article, joined, like, widened
from lampion.core.native.kinds import BOOL, INT, UNSIGNED, Scalar, Value
from lampion.core.native.refusal import shown

if TYPE_CHECKING:
    pass

_COMPARISONS = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


class Expressions(Arithmetic):
    """Translates the expressions of one function."""

    # --- dispatch ---

    def expression(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant():
                return self.literal(node, node.value)
            case ast.Name():
                return self.name(node)
            case ast.Attribute():
                return indexing.attribute(self, node)
            case ast.Subscript():
                return indexing.subscript(self, node)
            case ast.Call():
                return calls.call(self, node)
            case ast.BinOp():
                return self.binary(
                    node, node.op, self.expression(node.left), self.expression(node.right)
                )
            case ast.UnaryOp():
                return self.unary(node)
            case ast.Compare():
                return self.comparison(node)
            case ast.BoolOp():
                return self.junction(node, is_condition=False)
            case ast.IfExp():
                return self.choice(node)
        raise self.refused(
            node, f"`{shown(node)}` cannot be translated", "use numbers, arrays and plain calls"
        )

    def number(self, node: ast.expr) -> Value:
        value = self.expression(node)
        if not isinstance(value.kind, Scalar):
            raise self.refused(
                node, f"`{shown(node)}` is {article(value.kind)}", "a number is wanted here"
            )
        return value

    def integer(self, node: ast.expr) -> Value:
        """A number that can be an index or the end of a range."""
        value = self.number(node)
        if value.kind is not INT:
            raise self.refused(node, f"`{shown(node)}` is a {value.kind}", "write int(...)")
        return value

    def condition(self, node: ast.expr) -> Value:
        """A number that only has to be zero or not."""
        if isinstance(node, ast.BoolOp):
            return self.junction(node, is_condition=True)
        return self.number(node)

    # --- names and numbers ---

    def name(self, node: ast.Name) -> Value:
        if node.id in self.variables and node.id != "_":
            return self.variables[node.id]
        if self.function.scope.is_local(node.id):
            raise self.refused(node, f"`{node.id}` may not have a value here", "give it one before")
        return self.program.constant(self, node, node.id, self.resolve(node))

    def resolve(self, node: ast.expr) -> Any:
        """What a name, or an attribute of a module, means to Python."""
        if isinstance(node, ast.Attribute):
            owner = self.resolve(node.value)
            if not hasattr(owner, node.attr):
                raise self.refused(
                    node, f"`{shown(node)}` is not known", f"what can be called: {calls.KNOWN}"
                )
            return getattr(owner, node.attr)
        if not isinstance(node, ast.Name) or self.function.scope.is_local(node.id):
            raise self.refused(node, f"`{shown(node)}` is no global name", "see docs/compile.md")
        python = self.function.rule.function
        if node.id in python.__globals__:
            return python.__globals__[node.id]
        builtins = python.__globals__["__builtins__"]
        found = (
            builtins.get(node.id)
            if isinstance(builtins, dict)
            else getattr(builtins, node.id, None)
        )
        if found is None:
            raise self.refused(
                node,
                f"`{node.id}` is not known",
                "it has to be a parameter, a variable or a global name",
            )
        return found

    def unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            value = self.condition(node.operand)
            return like(value, BOOL, f"(!{value.code})")
        value = self.number(node.operand)
        if value.constant is not None and isinstance(node.op, ast.USub):
            return self.literal(node, -value.constant)
        if value.kind is BOOL:
            raise self.refused(node, f"`{shown(node)}` of a bool", "write `not`, or int(...)")
        if isinstance(node.op, ast.USub) and value.kind is not UNSIGNED:
            assert isinstance(value.kind, Scalar)
            return like(value, value.kind, f"(-{widened(value).code})")
        if isinstance(node.op, ast.Invert) and value.kind in (INT, UNSIGNED):
            assert isinstance(value.kind, Scalar)
            return like(value, value.kind, f"(~{widened(value).code})")
        raise self.refused(node, f"`{shown(node)}` cannot be translated", "write it with + - * /")

    # --- comparisons and choices ---

    def comparison(self, node: ast.Compare) -> Value:
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
            return self._membership(node)
        values = [self.number(part) for part in (node.left, *node.comparators)]
        if any(value.has_call for value in values[1:-1]):
            raise self.refused(
                node, "a call in the middle of a comparison", "put it into a variable"
            )
        self.in_any_order(node, *values)
        parts = []
        for left, operator, right in zip(values, node.ops, values[1:], strict=False):
            if type(operator) not in _COMPARISONS:
                raise self.refused(
                    node, f"`{shown(node)}` cannot be translated", "compare with == != < <= > >="
                )
            _, (a, b) = self.unify(node, [left, right])
            parts.append(f"({a.code} {_COMPARISONS[type(operator)]} {b.code})")
        code = parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"
        return joined(BOOL, code, *values)

    def _membership(self, node: ast.Compare) -> Value:
        wanted, several = self.number(node.left), node.comparators[0]
        if not isinstance(several, ast.Tuple) or wanted.has_call:
            raise self.refused(
                node,
                f"`{shown(node)}` cannot be translated",
                "write a name, `in` and a tuple: k in (1, 2)",
            )
        values = [self.number(part) for part in several.elts]
        if any(value.writes for value in values):
            raise self.refused(node, "a call that changes something", "put it into a variable")
        tests = []
        for value in values:
            _, (a, b) = self.unify(node, [wanted, value])
            tests.append(f"{a.code} == {b.code}")
        code = f"({' || '.join(tests)})"
        return joined(
            BOOL, code if isinstance(node.ops[0], ast.In) else f"(!{code})", wanted, *values
        )

    def junction(self, node: ast.BoolOp, is_condition: bool) -> Value:
        """`and`, `or`. As a value Python gives one of the operands, which is the same only for bools."""
        values = [self.condition(part) for part in node.values]
        if not is_condition and any(value.kind is not BOOL for value in values):
            raise self.refused(node, f"`{shown(node)}` is used as a number", "compare: (... != 0)")
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return joined(BOOL, f"({sign.join(value.code for value in values)})", *values)

    def choice(self, node: ast.IfExp) -> Value:
        test = self.condition(node.test)
        kind, (a, b) = self.unify(node, [self.number(node.body), self.number(node.orelse)])
        chosen = joined(kind, f"({test.code} ? {a.code} : {b.code})", test, a, b)
        return dataclasses.replace(chosen, is_narrow=a.is_narrow and b.is_narrow)
