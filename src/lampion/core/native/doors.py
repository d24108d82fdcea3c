"""The functions that Python calls: they check what they are given, and let rules run.

Each door is one function of a CPython extension. It checks the type, the number of axes and the layout of
every array, whether those that are written to may be, and every index that is a parameter; loops run
without the interpreter's lock.
"""

from __future__ import annotations

import typing
from collections.abc import Sequence
from typing import Any

import numpy as np

from lampion.core.compile import Door
from lampion.core.errors import UnknownGame
from lampion.core.game import game_of_record
from lampion.core.native.calls import scalar_of
from lampion.core.native.kinds import (
    BOOL,
    ELEMENT_TYPES,
    FLOAT,
    INT,
    Array,
    Element,
    Kind,
    Scalar,
    Several,
    Struct,
    element_of,
)
from lampion.core.native.program import Function, Program, _file, hints_of, short_path
from lampion.core.native.refusal import Untranslatable
from lampion.core.types import Elements, Room

AT_DOORS = (INT, BOOL, FLOAT)
"""The numbers that Python hands in and gets back."""
WASM_EXPORT = '__attribute__((export_name("{name}"), used))'


class Module:
    """The doors of one game as a file of C: an extension of Python, or WebAssembly."""

    def __init__(
        self, title: str, state: np.dtype[Any], entries: Sequence[Door], checked: bool = False
    ) -> None:
        structs = {"State": Struct("State", state)}
        wanted = [
            (entry, [_kind(entry, name, hint, structs) for name, hint in _hints(entry)])
            for entry in entries
        ]
        self.state = state
        self.structs = list(structs.values())
        self.program = Program(title, self.structs, checked)
        self.doors: dict[str, Function] = {}
        for entry, kinds in wanted:
            try:
                self.doors[entry.function.__name__] = self._opened(entry, kinds)
            except UnknownGame:
                # The game lacks something that only this door asks for, such as observations.
                continue
        self.loops = {entry.function.__name__ for entry in entries if entry.loops}

    def _opened(self, entry: Door, kinds: list[Kind]) -> Function:
        function = self.program.function(None, None, entry, kinds)
        returned = function.returns
        parts = returned.kinds if isinstance(returned, Several) else (returned,)
        for kind in parts:
            if isinstance(kind, Scalar) and kind not in AT_DOORS:
                problem = f"the door `{function.node.name}` returns {returned}"
                instead = "return int(...) or float(...), or write it into an array"
                raise Untranslatable(function.file, function.line, problem, instead)
        return function

    def types(self) -> list[str]:
        """The names of the types that `bind` of the extension is given."""
        return [*ELEMENT_TYPES, *(struct.name for struct in self.structs)]

    def extension(self, stamp: str) -> str:
        """The file for CPython. `STAMP` says what it was made from, `TYPES` what `bind` wants."""
        doors = [self._door(name, function) for name, function in self.doors.items()]
        methods = [f'    {{"{name}", door_{name}, FAST_CALL, 0}},' for name in self.doors]
        head = f"#define NUM_DTYPES {len(self.types())}\n{_file('python.h')}"
        table = "\n".join(
            [
                "static PyMethod methods[] = {",
                '    {"bind", bind, ONE_ARGUMENT, 0},',
                *methods,
                "    {0}",
                "};",
            ]
        )
        module = 'static PyModule module = {.base = {.head = {1, 0}}, .name = "rules", .size = -1, .methods = methods};'
        start = "\n".join([
            "EXPORTED PyObject *PyInit_rules(void) {",
            "    PyObject *made = PyModule_Create2(&module, ABI_VERSION);",
            f'    if (made) PyModule_AddStringConstant(made, "STAMP", "{stamp}");',
            f'    if (made) PyModule_AddStringConstant(made, "TYPES", "{" ".join(self.types())}");',
            "    return made;",
            "}",
        ])  # fmt: skip
        return self.program.text("\n\n".join([head, *doors, table, module, start]))

    def web_assembly(self) -> str:
        """The file for a browser: every door under its own name, arrays as addresses and lengths."""
        return self.program.text(
            "\n\n".join(self._export(name, function) for name, function in self.doors.items())
        )

    # --- one door ---

    def _door(self, name: str, function: Function) -> str:
        # No parameter has a name that begins like these.
        given = "PyObject *door_self, PyObject *const *door_args, intptr_t door_count"
        lines = [f"static PyObject *door_{name}({given}) {{"]
        checks = [f'are_given(door_count, {len(function.parameters)}, "{name}")']
        arguments = list[str]()
        for k, (parameter, kind) in enumerate(function.parameters):
            declared, check, passed = self._taken(function, k, parameter, kind)
            lines.append(f"    {declared}")
            checks.append(check)
            arguments += passed
        checks += [
            f'is_index({function.local(index)}, {function.local(array)}->dims[0], "{index}")'
            for index, array in sorted(function.guards)
        ]
        checks += [*self._rooms(function), *self._overlaps(function)]
        lines += ["    if (!(" + "\n          && ".join(checks) + ")) return 0;"]
        lines += self._call(name, function, f"{function.c_name}({', '.join(arguments)})")
        return "\n".join([*lines, f"    {self._given_back(function.returns)}", "}"])

    def _rooms(self, function: Function) -> list[str]:
        """Checks that arrays are as long as their annotations say."""
        rooms = [
            (name, _elements(hint)[1].room)
            for name, hint in hints_of(function.rule).items()
            if name != "return"
        ]
        return [
            f'has_room({function.local(name)}, {self._least(function, room)}, "{name}")'
            for name, room in rooms
            if room
        ]

    def _least(self, function: Function, room: Room) -> str:
        """How many elements that is for the game with these records."""
        if room == "one":
            return "1"
        if room == "actions":
            return str(game_of_record(self.state).ACTIONS.size)
        states = next(
            name for name, kind in function.parameters if kind == Array(self.structs[0], (None,))
        )
        found = f"((State *){function.local(states)}->data)[{function.local('index')}]"
        return f"{found}.num_players"

    def _overlaps(self, function: Function) -> list[str]:
        """Checks that arrays do not overlap that the rules change and read in no fixed order."""
        elements = {
            name: kind.element for name, kind in function.parameters if isinstance(kind, Array)
        }
        pairs = sorted(tuple(sorted(pair)) for pair in function.apart)
        return [
            f'are_apart({function.local(one)}, {function.local(other)}, "{one}", "{other}")'
            for one, other in pairs
            if elements[one] == elements[other]
        ]

    def _taken(
        self, function: Function, k: int, name: str, kind: Kind
    ) -> tuple[str, str, list[str]]:
        """The declaration, the check and the arguments for one parameter."""
        c_name, given = function.local(name), f"door_args[{k}]"
        if isinstance(kind, Scalar):
            taken = {INT: "int_of", BOOL: "int_of", FLOAT: "float_of"}[kind]
            return (
                f"{'double' if kind is FLOAT else 'int64_t'} {c_name};",
                f"{taken}({given}, &{c_name})",
                [c_name],
            )
        assert isinstance(kind, Array)
        flags = "CONTIGUOUS | ALIGNED" + (" | WRITEABLE" if name in function.writes else "")
        wanted = f'"{name}", {self._dtype(kind)}, {len(kind.shape)}, {flags}'
        check = f"array_of({given}, {wanted}, &{c_name})"
        dims = [f"{c_name}->dims[{axis}]" for axis in range(len(kind.shape))]
        return f"PyArray *{c_name};", check, [f"({kind.element.c} *){c_name}->data", *dims]

    def _dtype(self, kind: Array) -> int:
        if isinstance(kind.element, Struct):
            return len(ELEMENT_TYPES) + self.structs.index(kind.element)
        return ELEMENT_TYPES.index(kind.element.name)

    def _call(self, name: str, function: Function, call: str) -> list[str]:
        c = self.program.c_of(function.returns)
        is_loop, checked = name in self.loops, self.program.checked
        lines = [f"    {c} door_result;"] if c != "void" else []
        lines += ["    void *door_thread = PyEval_SaveThread();"] if is_loop else []
        run = f"{'door_result = ' if c != 'void' else ''}{call};"
        lines += (
            ["    bool door_failed = __builtin_setjmp(way_out);", f"    if (!door_failed) {run}"]
            if checked
            else [f"    {run}"]
        )
        lines += ["    PyEval_RestoreThread(door_thread);"] if is_loop else []
        if checked:
            lines.append(
                '    if (door_failed) return PyErr_Format(PyExc_IndexError, "%s: %s", problem_place, problem);'
            )
        return lines

    def _given_back(self, kind: Kind) -> str:
        if isinstance(kind, Several):
            sign = {INT: "L", BOOL: "L", FLOAT: "d"}
            parts = "".join(sign[part] for part in kind.kinds)
            values = ", ".join(
                f"{'(long long)' if sign[part] == 'L' else ''}door_result.part_{k}"
                for k, part in enumerate(kind.kinds)
            )
            return f'return Py_BuildValue("({parts})", {values});'
        made = {
            INT: "PyLong_FromLongLong(door_result)",
            BOOL: "PyBool_FromLong(door_result)",
            FLOAT: "PyFloat_FromDouble(door_result)",
        }
        if isinstance(kind, Scalar):
            return f"return {made[kind]};"
        return "Py_IncRef(&_Py_NoneStruct);\n    return &_Py_NoneStruct;"

    def _export(self, name: str, function: Function) -> str:
        parameters, arguments = [], []
        for name_in_python, kind in function.parameters:
            parameter = function.local(name_in_python)
            if isinstance(kind, Scalar):
                parameters.append(f"{kind.c if kind is FLOAT else 'int32_t'} {parameter}")
                arguments.append(parameter)
            else:
                assert isinstance(kind, Array)
                dims = [f"{parameter}_n{axis}" for axis in range(len(kind.shape))]
                parameters += [
                    f"{kind.element.c} *{parameter}",
                    *(f"int32_t {dim}" for dim in dims),
                ]
                arguments += [parameter, *dims]
        several = isinstance(function.returns, Several)
        kind_of_result = function.returns
        c = (
            "void"
            if not isinstance(kind_of_result, Scalar)
            else "double"
            if kind_of_result is FLOAT
            else "int32_t"
        )
        parameters += ["int32_t *door_results"] if several else []
        lines = [
            f"{WASM_EXPORT.format(name=name)}",
            f"{c} export_{name}({', '.join(parameters)}) {{",
        ]
        call = f"{function.c_name}({', '.join(arguments)})"
        if isinstance(kind_of_result, Several):
            lines.append(f"    {self.program.several(kind_of_result)} door_result = {call};")
            lines += [
                f"    door_results[{k}] = (int32_t)door_result.part_{k};"
                for k in range(len(kind_of_result.kinds))
            ]
        else:
            lines.append(f"    {'' if c == 'void' else f'return ({c})'}{call};")
        return "\n".join([*lines, "}"])


def _hints(entry: Door) -> list[tuple[str, Any]]:
    hints = hints_of(entry)
    names = entry.function.__code__.co_varnames[: entry.function.__code__.co_argcount]
    return [(name, hints.get(name)) for name in names]


def _kind(entry: Door, name: str, hint: Any, structs: dict[str, Struct]) -> Kind:
    """What a parameter of a door is, from its annotation alone: a number, records of the game, or an array."""
    if hint is Any:
        return Array(structs["State"], (None,))
    if hint is None:
        raise _refused(entry, name, "anything", "annotate it")
    if kind := scalar_of(hint):
        if kind not in AT_DOORS:
            raise _refused(entry, name, hint, "take an int, a float, or an array of one element")
        return kind
    hint, elements = _elements(hint)
    shape = (None,) * elements.axes
    if elements.dtype is not None:
        struct = structs.setdefault(elements.name, Struct(elements.name, elements.dtype))
        return Array(struct, shape)
    element = _element(hint)
    if element is None:
        raise _refused(entry, name, hint, "say which NumPy type its elements have")
    return Array(element, shape)


def _elements(hint: Any) -> tuple[Any, Elements]:
    """An annotation, and what it says about an array."""
    if typing.get_origin(hint) is not typing.Annotated:
        return hint, Elements()
    hint, *notes = typing.get_args(hint)
    return hint, next((note for note in notes if isinstance(note, Elements)), Elements())


def _element(hint: Any) -> Element | None:
    """The number type in an annotation such as `NDArray[np.int32]`."""
    match typing.get_args(hint):
        case (_, dtype) if typing.get_origin(hint) is np.ndarray:
            kinds = typing.get_args(dtype)
            is_number = len(kinds) == 1 and isinstance(kinds[0], type)
            return element_of(np.dtype(kinds[0])) if is_number else None
    return None


def _refused(entry: Door, name: str, hint: Any, instead: str) -> Untranslatable:
    code = entry.function.__code__
    problem = f"the parameter `{name}` of the door `{entry.function.__name__}` is {hint}"
    return Untranslatable(short_path(code.co_filename), code.co_firstlineno, problem, instead)
