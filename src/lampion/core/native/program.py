"""Which functions a set of doors needs, and the file of C that holds them all."""

from __future__ import annotations

import ast
import typing
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lampion.core.compile import Door, Rule
from lampion.core.native.calls import parameter_kind, scalar_of
from lampion.core.native.flow import Flow
from lampion.core.native.kinds import (
    ELEMENT_TYPES,
    NOTHING,
    Array,
    Kind,
    Record,
    Scalar,
    Several,
    Struct,
    Value,
    element_of,
)
from lampion.core.native.names import field_name, is_free_outside, local_name
from lampion.core.native.refusal import Untranslatable
from lampion.core.native.scope import Scope, source_of
from lampion.core.native.statements import Statements

if TYPE_CHECKING:
    from lampion.core.native.expressions import Expressions


@dataclass
class Function:
    """One rule for one set of argument types."""

    rule: Rule
    c_name: str
    file: str
    line: int
    node: ast.FunctionDef
    scope: Scope
    parameters: list[tuple[str, Kind]]
    returns: Kind
    lines: list[str] = field(default_factory=list)
    writes: set[str] = field(default_factory=set)
    """The parameters that it changes, or lets others change."""
    apart: set[frozenset[str]] = field(default_factory=set)
    """Pairs of parameters that must not be the same array: one is changed while the other is read,
    in an order that C leaves open."""
    guards: set[tuple[str, str]] = field(default_factory=set)
    """Parameters of a door that are used as an index, and of which array."""
    num_temporaries: int = 0
    uses: set[str] = field(default_factory=set)
    """What C calls the other rules and the constants that it needs."""
    locals: dict[str, str] = field(default_factory=dict)
    """What C calls its parameters and variables."""
    avoided: set[str] = field(default_factory=set)

    def local(self, name: str) -> str:
        """What C calls a parameter or a variable. No two have the same name, and none that of a
        rule or a constant that the function needs."""
        if name not in self.locals:
            others = (self.scope.homes.keys() | set(self.scope.parameters)) - {name}
            taken = {*others, *self.locals.values(), *self.avoided, self.c_name}
            self.locals[name] = local_name(name, taken)
        return self.locals[name]

    @property
    def is_door(self) -> bool:
        return isinstance(self.rule, Door)


class Program:
    """Everything that goes into one file."""

    def __init__(self, title: str, structs: Iterable[Struct], checked: bool = False) -> None:
        self.title, self.checked = title, checked
        self.structs = {struct.name: struct for struct in structs}
        self.functions: dict[tuple[Any, ...], Function] = {}
        self._unfinished: set[tuple[Any, ...]] = set()
        self._names = {"State", *self.structs}
        self._constants: dict[tuple[str, str], Value] = {}
        self._constant_lines: list[str] = []
        self._constant_names: dict[str, str] = {}
        self._several: dict[Several, str] = {}

    # --- functions ---

    def function(
        self, within: Expressions | None, node: ast.AST | None, rule: Rule, given: list[Kind]
    ) -> Function:
        """The translation of a rule for arguments of these kinds, made when it is first called."""
        key = (id(rule), tuple(given))
        if key in self._unfinished:
            assert within is not None and node is not None
            raise within.refused(
                node,
                f"`{rule.function.__name__}` calls itself",
                "use a loop and an array of your own",
            )
        if key not in self.functions:
            self._unfinished.add(key)
            self.functions[key] = self._translate(rule, given)
            self._unfinished.discard(key)
        return self.functions[key]

    def _translate(self, rule: Rule, given: list[Kind]) -> Function:
        node, code = source_of(rule.function), rule.function.__code__
        file, hints = short_path(code.co_filename), hints_of(rule)
        if (
            len(given) != code.co_argcount
            or node.args.defaults
            or node.args.vararg
            or node.args.kwonlyargs
        ):
            raise Untranslatable(
                file,
                node.lineno,
                f"`{node.name}` has other parameters than it is given",
                "count them",
            )
        missing = [
            name for name in (*code.co_varnames[: code.co_argcount], "return") if name not in hints
        ]
        if missing:
            raise Untranslatable(
                file,
                node.lineno,
                f"`{node.name}` does not say what `{missing[0]}` is",
                "annotate it",
            )
        names = code.co_varnames[: code.co_argcount]
        function = Function(
            rule,
            self._name(node.name, rule.function.__module__),
            file,
            node.lineno,
            node,
            Scope(node),
            [],
            NOTHING,
        )
        function.parameters = [
            (name, parameter_kind(function, hints[name], kind))
            for name, kind in zip(names, given, strict=True)
        ]
        function.returns = _returned(function, hints["return"])
        self._write_body(function)
        self._follow(function)
        return function

    def _write_body(self, function: Function) -> None:
        body = Statements(self, function)
        for name, kind in function.parameters:
            c_name = function.local(name)
            dims = _dims(c_name, kind) if isinstance(kind, Array) else ()
            root = None if isinstance(kind, Scalar) else name
            body.variables[name] = Value(kind, c_name, dims, root=root)
        function.lines = body.body(function.node.body)
        if clashes := function.uses & set(function.locals.values()) - function.avoided:
            # Only now is it known what C calls everything else: once more, with other names.
            function.avoided |= clashes
            function.locals, function.num_temporaries = {}, 0
            self._write_body(function)

    def _follow(self, function: Function) -> None:
        def unset(node: ast.Name) -> Untranslatable:
            problem = f"`{node.id}` may not have a value here"
            instead = "give it one before, outside every `if` and loop around this place"
            return Untranslatable(function.file, node.lineno, problem, instead)

        flow = Flow(function.node, function.scope, unset)
        if flow.reaches_end and function.returns is not NOTHING:
            problem = f"`{function.node.name}` can end without a result"
            line = function.node.body[-1].lineno
            raise Untranslatable(function.file, line, problem, "return something at its end")

    def _name(self, name: str, module: str) -> str:
        """The same name as in Python, if nobody else has it."""
        tail = module.rpartition(".")[2]
        for wanted in (name, f"{tail}_{name}", *(f"{tail}_{name}_{k}" for k in range(2, 99))):
            if wanted not in self._names and is_free_outside(wanted):
                self._names.add(wanted)
                return wanted
        raise AssertionError(f"too many versions of {name}")

    def next_number(self, function: Function) -> int:
        function.num_temporaries += 1
        return function.num_temporaries

    def c_of(self, returned: Kind) -> str:
        """What C calls the type of a result."""
        if isinstance(returned, Several):
            return self.several(returned)
        return returned.c if isinstance(returned, Scalar) else "void"

    def several(self, kind: Several) -> str:
        if kind not in self._several:
            self._several[kind] = f"Several{len(self._several) + 1}"
        return self._several[kind]

    # --- constants ---

    def constant(self, within: Expressions, node: ast.AST, name: str, value: Any) -> Value:
        """A global name: a number, a table, or a tuple of ints."""
        if isinstance(value, np.ndarray | tuple):
            return self._table(within, node, name, value)
        literal = within.literal(node, value)
        assert isinstance(literal.kind, Scalar)
        if len(name) < 2 or not name.isupper():
            return literal
        c_name = self._constant_name(within, name, repr(value))
        within.function.uses.add(c_name)
        if (c_name, "") not in self._constants:
            self._constants[c_name, ""] = literal
            self._constant_lines.append(f"static const {literal.kind.c} {c_name} = {literal.code};")
        return Value(literal.kind, c_name, constant=literal.constant)

    def _constant_name(self, within: Expressions, name: str, content: str) -> str:
        """Constants of the same name and value are one."""
        for wanted in (
            name,
            f"{name}_{within.function.rule.function.__module__.rpartition('.')[2].upper()}",
        ):
            if self._constant_names.get(wanted) == content:
                return wanted
            if wanted not in self._names and is_free_outside(wanted):
                self._names.add(wanted)
                self._constant_names[wanted] = content
                return wanted
        return self._name(name, "other")

    def _table(self, within: Expressions, node: ast.AST, name: str, value: Any) -> Value:
        try:
            table = np.array(value)
        except ValueError:  # rows of different lengths
            table = np.empty(0)
        element = element_of(table.dtype)
        if element is None or not table.size:
            raise within.refused(
                node,
                f"`{name}` is no table of numbers",
                "use np.array of a number type, with rows of one length",
            )
        kind, dims = Array(element, table.shape), tuple(map(str, table.shape))
        c_name = self._constant_name(
            within, name, f"{table.dtype} {table.shape} {hash(table.tobytes())}"
        )
        within.function.uses.add(c_name)
        if (c_name, "table") not in self._constants:
            items = [within.literal(node, item).code for item in table.reshape(-1)]
            shape = " x ".join(dims)
            self._constant_lines.append(
                f"static const {element.c} {c_name}[{table.size}] = {{  // {shape}"
            )
            self._constant_lines += [f"    {line}," for line in _in_lines(items)]
            self._constant_lines.append("};")
            self._constants[c_name, "table"] = Value(kind, c_name, dims)
        return self._constants[c_name, "table"]

    # --- the file ---

    def text(self, doors: str = "") -> str:
        parts = [
            f"/* {self.title.replace('*/', '* /')}\n\n   Translated from Python by lampion.core.native; edit the rules, not this file. */",
            _file("prelude.h"),
            *(_struct_text(struct) for struct in self.structs.values()),
            *(_several_text(kind, name) for kind, name in self._several.items()),
            "\n".join(self._constant_lines),
        ]
        functions = sorted(
            self.functions.values(), key=lambda function: (function.file, function.line)
        )
        parts.append("\n".join(f"{self._signature(function)};" for function in functions))
        file = ""
        for function in functions:
            if function.file != file:
                file = function.file
                parts.append(f"// --- {file} {'-' * (90 - len(file))}")
            parts.append(self._function_text(function))
        return "\n\n".join([*(part for part in parts if part), doors]).rstrip() + "\n"

    def _function_text(self, function: Function) -> str:
        docstring = ast.get_docstring(function.node)
        # A backslash at the end of a line would make the next one part of the comment.
        about = f"// {' '.join(docstring.split())}".rstrip("\\") + "\n" if docstring else ""
        return (
            f"{about}{self._signature(function)} {{\n"
            + "".join(f"    {line}\n" for line in function.lines)
            + "}"
        )

    def _signature(self, function: Function) -> str:
        words = "static ALWAYS_INLINE" if function.rule.inline else "static"
        returned = self.c_of(function.returns)
        parameters = [
            text
            for name, kind in function.parameters
            for text in _parameter(function.local(name), kind)
        ]
        return f"{words} {returned} {function.c_name}({', '.join(parameters) or 'void'})"


def _file(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8").rstrip()


def hints_of(rule: Rule) -> dict[str, Any]:
    """What the parameters and the result of a rule are."""
    try:
        return typing.get_type_hints(rule.function, include_extras=True)
    except (NameError, AttributeError) as unknown:
        code = rule.function.__code__
        problem = f"`{rule.function.__name__}` has an annotation that means nothing here: {unknown}"
        instead = "import it for good, not under TYPE_CHECKING"
        raise Untranslatable(
            short_path(code.co_filename), code.co_firstlineno, problem, instead
        ) from None


def short_path(file: str) -> str:
    """A path relative to the project, as contributors write it."""
    path = Path(file)
    return "/".join(path.parts[-2:])


def _dims(name: str, kind: Array) -> tuple[str, ...]:
    return tuple(f"{name}_n{axis}" if n is None else str(n) for axis, n in enumerate(kind.shape))


def _parameter(name: str, kind: Kind) -> list[str]:
    if isinstance(kind, Scalar):
        return [f"{kind.c} {name}"]
    if isinstance(kind, Array):
        unknown = [dim for dim, n in zip(_dims(name, kind), kind.shape, strict=True) if n is None]
        return [f"{kind.element.c} *{name}", *(f"int64_t {dim}" for dim in unknown)]
    assert isinstance(kind, Record)
    return [f"{kind.struct.c} *{name}"]


def _returned(function: Function, annotation: Any) -> Kind:
    if annotation is type(None):
        return NOTHING
    if kind := scalar_of(annotation):
        return kind
    parts = [scalar_of(part) for part in typing.get_args(annotation)]
    if typing.get_origin(annotation) is tuple and parts and all(parts):
        return Several(tuple(part for part in parts if part))
    problem = f"`{function.node.name}` returns {annotation}"
    raise Untranslatable(
        function.file, function.line, problem, "return a number, a tuple of numbers, or None"
    )


def _struct_text(struct: Struct) -> str:
    """The fields of a record, where NumPy has them: an assertion in the compiler holds C to it."""
    lines, checks = [], []
    for name in struct.dtype.names or ():
        found = struct.field(name)
        assert struct.dtype.fields is not None
        if found is None:
            problem = f"the field `{name}` is {struct.dtype.fields[name][0]}"
            raise Untranslatable(
                f"record {struct.name}", 0, problem, f"use {', '.join(ELEMENT_TYPES)}"
            )
        element, shape = found
        count = f"[{int(np.prod(shape))}]" if shape else ""
        shown = f"  // {' x '.join(map(str, shape))}" if len(shape) > 1 else ""
        c_name = field_name(name)
        lines.append(f"    {element.c} {c_name}{count};{shown}")
        checks.append(f"SAME(offsetof({struct.c}, {c_name}), {struct.dtype.fields[name][1]});")
    checks.append(f"SAME(sizeof({struct.c}), {struct.dtype.itemsize});")
    return "\n".join([f"typedef struct {struct.c} {{", *lines, f"}} {struct.c};", *checks])


def _several_text(kind: Several, name: str) -> str:
    fields = " ".join(f"{part.c} part_{k};" for k, part in enumerate(kind.kinds))
    return f"typedef struct {name} {{ {fields} }} {name};"


def _in_lines(items: list[str], width: int = 90) -> list[str]:
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) > width:
            lines[-1] = lines[-1].rstrip(" ,")
            lines.append("")
        lines[-1] += f"{item}, "
    lines[-1] = lines[-1].rstrip(" ,")
    return lines
