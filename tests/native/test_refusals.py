"""What the translator does not know it refuses, with file, line and what to write instead."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lampion.core.native import compilers
from lampion.core.native.refusal import Untranslatable
from tests.native.compiling import compiled, module_of, translated

needs_compiler = pytest.mark.skipif(compilers.find() is None, reason="there is no C compiler")

REFUSED = {
    "x ** 2": "write it with",
    "[x, x][0]": "use numbers, arrays",
    "sum(out)": "what can be called",
    "abs(x)": "what can be called",
    "math.exp(1.0)": "what can be called",
    "out[-1]": "count from 0",
    "out[x > 0]": "write int(...)",
    "out[x:-1][0]": "counted from the end",
    "out[0:4:2][0]": "with a step",
    "int(x=1)": "in order",
    "x if x > 0 else out": "a number is wanted",
    "(x > 0) + (x > 1)": "write int(...)",
    "-(x > 0)": "write `not`",
    "x or 3": "compare",
    "x << 64": "0 to 63",
    "x % 0": "divide by something else",
    "2 ** 70": "write it with",
    "99999999999999999999": "64 bits",
    "x @ x": "write it with",
    "x // 2.0": "for ints",
    "np.uint64(x) + x": "mixes with no other",
    "int(np.float32(0.5) * x)": "np.float32(...) or float(...)",
    "later": "global name",
    "x.real": "only records",
    "(lambda: 1)()": "what can be called",
    "len(x)": "only an array",
    "max(x, x, x)": "two numbers",
    "x in [1, 2]": "a tuple",
    "0 < first(out, x) < 3": "into a variable",
    "first(out, x) + first(out, x)": "into a variable",
    "out[0] + first(out, x)": "into a variable",
    "recursive(x)": "calls itself",
    "out": "one number",
    "missing(x)": "annotate it",
    "changed(x)": "start it with",
    "'text'": "not a number",
    "1e400 > x": "finite",
    "out[0:2].sum()": "is a method; loop over the elements",
    "out[0].item()": "is a method",
    "out.copy()": "is a method",
    "math.nothing": "`math.nothing` is not known",
    "math.nothing(x)": "`math.nothing` is not known",
    "np.random.rand()": "what can be called",
    "RAGGED[0][0]": "rows of one length",
    "unknown_kind(x)": "not under TYPE_CHECKING",
    "np.uint64(-1)": "from 0 up",
    "to_act()": "a verb is asked about a record",
    "to_act(x)": "`x` is not a record",
    "made_elsewhere(x)": "write it as `def` in a file",
}


@pytest.mark.parametrize("expression", REFUSED)
def test_an_unknown_expression_is_refused_with_its_place(expression: str, tmp_path: Path) -> None:
    text = f"""
from typing import TYPE_CHECKING

from lampion.core.game import to_act

if TYPE_CHECKING:
    from lampion.core.types import Player

RAGGED = ((1, 2), (3,))
made_elsewhere = rule(lambda x: x)
made_elsewhere.function.__annotations__ = dict(x=int)

@rule
def unknown_kind(x: "Player") -> int:
    return x

@rule
def first(out: IntArray, x: int) -> int:
    out[0] += x
    return out[0]

@rule
def recursive(x: int) -> int:
    return recursive(x - 1)

@rule
def missing(x) -> int:
    return 0

@rule
def changed(x: int) -> int:
    total = 0
    total = total + 0.5
    return int(total)

@entry
def door(x: int, out: IntArray) -> int:
    return int({expression})
"""
    with pytest.raises(Untranslatable) as refused:
        translated(module_of(text, tmp_path))
    assert REFUSED[expression] in str(refused.value)
    assert "tried.py:" in str(refused.value)
    assert int(str(refused.value).split(":")[1]) >= 14


STATEMENTS = {
    "for k in range(0, 4, x): x += 1": "write it out",
    "for k in range(3): pass\n    else: x = 1": "what is known",
    "while x > 0: x -= 1\n    else: x = 1": "what is known",
    "for a, b in out: pass": "one name",
    "for k in (1, x): pass": "use numbers",
    "a = b = 0": "what is known",
    "del x": "what is known",
    "assert x": "what is known",
    "try: x = 1\n    finally: x = 2": "what is known",
    "with x: pass": "what is known",
    "raise x": "what is known",
    "import math": "what is known",
    "def inner() -> None: pass": "what is known",
    "global y": "what is known",
    "x: int": "what is known",
    "TABLE[0] = 1": "not written to",
    "for k in range(3):\n        scratch = np.zeros(3)": "before the loop",
    "scratch = np.zeros(1 << 20)": "smaller",
    "scratch = np.zeros(-1)": "smaller",
    "scratch = np.zeros(3, 'i4')": "no global name",
    "scratch = np.zeros(3, math.pi)": "use a NumPy number",
    "out += 1": "loop over the elements",
    "out[0] = 0.5": "int(...)",
    "x = out": "another name",
    "out[0], out[1] = x": "as many names",
    "return None": "not a number",
    "print(x)": "what can be called",
    "x += 0.5": "start with",
    "if x: late = 1\n    x = late": "outside every `if` and loop",
    "for k in range(x): late = k\n    x = late": "outside every `if` and loop",
    "for k in range(x): pass\n    x = k": "outside every `if` and loop",
    "for k in range(x):\n        if k == 0: late = 5\n        else: late = late + 1": "every `if`",
    "for k in range(x):\n        if k == 0: late = 5\n        else: late += 1": "every `if`",
    "while x:\n        if x > 3: break\n        late = 1\n    x = late": "every `if`",
    "for k in range(3):\n        if x: continue\n        late = 1\n    x = late": "every `if`",
    "if x: part = out[1:]\n    part[0] = 1": "every `if`",
    "if x: return 1": None,
    "while True:\n        late = 1\n        if x: break\n    x = late": None,
    "for k in range(3): late = k\n    x = late": None,
    "if x: late = 1\n    else: return 2\n    x = late": None,
    "scratch = np.zeros(4)\n    scratch[1:9] = 1": "within the array",
    "scratch = np.zeros(4)\n    scratch[3:1] = 1": "within the array",
    "scratch = np.zeros(4)\n    scratch[0:2] = scratch[0:3]": "as many elements as fit",
    "scratch = np.zeros(4, np.int8)\n    scratch[0] = 128": "does not fit",
    "for _ in range(3): x += _": "may not have a value",
    "x = int(x in (first(out), 2))": "into a variable",
}
"""A statement and what is said of it; nothing is said of those that are known."""


@pytest.mark.parametrize("statement", STATEMENTS)
def test_an_unknown_statement_is_refused(statement: str, tmp_path: Path) -> None:
    text = f"""
TABLE = np.zeros(3, np.int32)

@rule
def first(out: IntArray) -> int:
    out[0] += 1
    return out[0]

@entry
def door(x: int, out: IntArray) -> int:
    {statement}
    return x
"""
    words, module = STATEMENTS[statement], module_of(text, tmp_path)
    if words is None:
        translated(module)
        return
    with pytest.raises(Untranslatable) as refused:
        translated(module)
    assert words in str(refused.value)
    assert 21 <= int(str(refused.value).split(":")[1]) <= 25


DOORS = {
    "x: np.uint64) -> int": "an array of one element",
    "x: np.float32) -> int": "an array of one element",
    "x: list[int]) -> int": "which NumPy type",
    "x: npt.NDArray[np.str_]) -> int": "which NumPy type",
    "x: 'Missing') -> int": "import it for good",
    "x) -> int": "annotate it",
    "x: int) -> np.uint64": "return int(...)",
    "x: int) -> tuple[int, np.float32]": "return int(...)",
    "x: int) -> list[int]": "a tuple of numbers, or None",
}


@pytest.mark.parametrize("signature", DOORS)
def test_a_door_refuses_what_python_cannot_hand_in_or_take(signature: str, tmp_path: Path) -> None:
    returned = {"np.uint64": "np.uint64(1)", "tuple[int, np.float32]": "1, np.float32(1)"}
    result = returned.get(signature.partition("-> ")[2], "1")
    text = f"\n@entry\ndef door({signature}:\n    return {result}\n"
    with pytest.raises(Untranslatable) as refused:
        translated(module_of(text, tmp_path))
    assert DOORS[signature] in str(refused.value)
    assert "tried.py:" in str(refused.value)


@pytest.mark.parametrize(
    "body", ["if x: return 1", "while x: return 1", "for k in range(x): return k", "x += 1"]
)
def test_a_rule_that_can_end_without_a_result_is_refused(body: str, tmp_path: Path) -> None:
    text = f"@entry\ndef door(x: int) -> int:\n    {body}\n"
    with pytest.raises(Untranslatable, match="return something at its end"):
        translated(module_of(text, tmp_path))


NAMES = r'''
TABLE, EQUAL = np.array([5, 6], np.int32), 4
methods = np.array([7, 8], np.int32)

@rule
def modulo(x: int) -> int:
    return x * 2

@rule
def bind(x: int) -> int:
    """Doubled: \\"""
    return modulo(x)

@rule
def door_clash(x: int) -> int:
    return bind(x) % 1000

@entry
def clash(count: int, self: int, args: int, result: int, thread: int, failed: int) -> int:
    """Ends in a backslash \\"""
    return count + self + args + result + thread + failed

@entry
def locals_of_c(out: IntArray, double: IntArray) -> int:
'''


@needs_compiler
def test_names_that_mean_something_in_c_are_as_good_as_others(tmp_path: Path) -> None:
    """Parameters, variables, rules, tables and loops with the names of keywords, macros and
    whatever the translator writes itself."""
    text = (
        NAMES
        + """    asm, unix, linux, k_1, out_n0, int64_t = 1, 2, 3, 4, 5, 6
    memset, floor_divide, State, was_1, bool_ = 7, 8, 9, 10, 11
    double[0] = asm + unix + linux + k_1 + out_n0 + int64_t
    for double_ in out:
        asm += double_ % 3 + methods[0] + EQUAL
    for register in range(floor_divide):
        register *= 2
        asm += register + bind(register) + door_clash(register) % 7
    modulo_ = memset // bool_ + State % was_1
    return asm + modulo_ + len(out)
"""
    )
    module = module_of(text, tmp_path, "named")
    doors = compiled(module, tmp_path)
    assert doors.clash(1, 2, 3, 4, 5, 6) == 21
    out, double = np.arange(4, dtype=np.int32), np.zeros(2, np.int32)
    expected = module.locals_of_c.entry.function(out, np.zeros(2, np.int32))
    assert doors.locals_of_c(out, double) == expected
    assert double[0] == 21
    double.flags.writeable = False
    with pytest.raises(ValueError, match="double has to be"):
        doors.locals_of_c(out, double)


@needs_compiler
def test_a_variable_may_have_the_name_of_a_rule_from_elsewhere(tmp_path: Path) -> None:
    other = module_of("@rule\ndef reset(x: int) -> int:\n    return x + 40\n", tmp_path, "other")
    assert other.reset(2) == 42
    text = """
from other import reset as restart

@entry
def door(reset: int) -> int:
    restarted = restart(reset)
    return restarted + reset
"""
    doors = compiled(module_of(text, tmp_path, "renamed"), tmp_path)
    assert doors.door(2) == 44
