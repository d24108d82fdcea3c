"""What the translator does not know it refuses, with file, line and what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from lampion.core.native.refusal import Untranslatable
from tests.native.compiling import module_of, translated

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
    "'text'": "no number",
    "1e400 > x": "finite",
}


@pytest.mark.parametrize("expression", REFUSED)
def test_an_unknown_expression_is_refused_with_its_place(expression: str, tmp_path: Path) -> None:
    text = f"""
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
    "out += 1": "loop over the elements",
    "out[0] = 0.5": "int(...)",
    "double = 1": "another name",
    "x = out": "another name",
    "out[0], out[1] = x": "as many names",
    "return None": "no number",
    "print(x)": "what can be called",
    "x += 0.5": "start with",
}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_an_unknown_statement_is_refused(statement: str, tmp_path: Path) -> None:
    text = f"""
TABLE = np.zeros(3, np.int32)

@entry
def door(x: int, out: IntArray) -> int:
    {statement}
    return x
"""
    with pytest.raises(Untranslatable) as refused:
        translated(module_of(text, tmp_path))
    assert STATEMENTS[statement] in str(refused.value)
