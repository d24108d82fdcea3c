"""The order in which a statement works things out is Python's: the value, then the place, from left
to right. C leaves most of it open, so each C compiler has its own."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from lampion.core.native import compilers
from lampion.core.native.refusal import Untranslatable
from tests.native.compiling import compiled, module_of, translated

pytestmark = pytest.mark.skipif(compilers.find() is None, reason="there is no C compiler")

COUNT = 40
RULES = """
from typing import Annotated, Any

PAIR = np.dtype((np.record, np.dtype([("left", "i4"), ("right", "i4", (3,)), ("seed", "u8")])))
Pairs = Annotated[npt.NDArray[np.void], Elements(name="Pair", dtype=PAIR)]

@rule
def touch(cells: IntArray, k: int) -> int:
    \"\"\"Change an element and return a number that depends on all of them.\"\"\"
    cells[k % 3] = (cells[k % 3] * 3 + cells[(k + 1) % 3] + 1) % 11
    return (cells[0] + 2 * cells[1] + 3 * cells[2]) % 3

@rule
def touch_pair(pair: Any, k: int) -> int:
    pair.left = (pair.left + pair.right[k % 3] + 1) % 7
    pair.right[pair.left % 3] = k % 5
    return pair.left % 3

@rule
def mixed(words: Words, k: int) -> int:
    words[0] = words[0] * np.uint64(5) + np.uint64(7)
    return int((words[0] >> np.uint64(40)) & np.uint64(1))

@rule
def drawn(words: Words) -> np.uint64:
    words[0] = words[0] * np.uint64(9) + words[1]
    return words[0]

@rule
def carried(to: IntArray, from_: IntArray, k: int) -> int:
    \"\"\"Both may be the same array.\"\"\"
    to[from_[k % 3] % 3] = touch(from_, k)
    return to[k % 3] % 3

@rule
def both(to: Any, from_: Any, k: int) -> int:
    to.right[from_.left % 3] = touch_pair(from_, k)
    return to.left % 3
"""
STATEMENTS = (
    "cells[cells[{a}] % 3] = touch(cells, {b})",
    "cells[touch(cells, {a})] = cells[{b}]",
    "cells[touch(cells, {a})] = touch(cells, {b}) + cells_or_one",
    "table[touch(cells, {a}), {b}] = cells[{c}]",
    "table[{a}, cells[{b}] % 2] = touch(cells, {c})",
    "table[cells[{a}] % 3, table[{b}, 0] % 2] = touch(table[{c}], {a})",
    "table[{a}][touch(cells, {b})] = touch(cells, {c})",
    "part = table[{a}]; part[part[{b}] % 3] = touch(part, {c})",
    "row = cells[1:]; row[cells[{a}] % 2] = touch(cells, {b})",
    "pairs[pairs[{a}].left % 3].left = touch_pair(pairs[{a}], {b})",
    "pairs[touch_pair(pairs[{a}], {b})].right[{c}] = pairs[{a}].left",
    "pairs[pairs[{a}].right[{b}] % 3] = pairs[touch_pair(pairs[{a}], {c})]",
    "pair = pairs[{a}]; pair.right[pair.left % 3] = touch_pair(pair, {b})",
    "pairs[cells[{a}] % 3].seed = drawn(words)",
    "words[int(words[1] & np.uint64(1))] = drawn(words)",
    "words[mixed(words, {a}) % 2] = words[1] ^ words[0]",
    "cells[mixed(words, {a})] = touch(cells, mixed(words, {b}))",
    "cells[{a}] = carried(cells, cells, {b})",
    "cells[carried(cells, table[{a}], {b})] = carried(table[{c}], cells, {a})",
    "cells[{a}] = both(pairs[{b}], pairs[{b}], {c})",
    "cells[{a}] = both(pairs[{a}], pairs[{b}], {c})",
    "cells[cells[{a}] % 3], cells[{b}] = touch(cells, {c}), 1",
    "cells[{a}], cells[cells[{a}] % 3] = cells[{b}], cells[{c}]",
    "cells[{a}] += 1 + cells[touch(table[{b}], {c})]",
)
"""Those separated by a semicolon are two lines."""


def random_door(chooser: random.Random, number: int) -> str:
    head = (
        f"@entry\ndef door_{number}(cells: IntArray, table: IntTable, pairs: Pairs, words: Words)"
        " -> None:"
    )
    lines = [head, "    cells_or_one = 1"]
    for _ in range(8):
        a, b, c = (str(chooser.randrange(3)) for _ in range(3))
        filled = chooser.choice(STATEMENTS).format(a=a, b=b, c=c)
        lines += [f"    {line}" for line in filled.split("; ")]
    return "\n".join(lines)


def arguments(pair: np.dtype[Any], seed: int) -> tuple[Any, ...]:
    chooser = np.random.default_rng(seed)
    pairs = np.zeros(3, pair)
    pairs["left"], pairs["right"] = chooser.integers(0, 9, 3), chooser.integers(0, 9, (3, 3))
    return (
        chooser.integers(0, 9, 3, dtype=np.int32),
        chooser.integers(0, 9, (3, 3), dtype=np.int32),
        pairs.view((np.record, pair)),
        chooser.integers(0, 2**63, 2, dtype=np.uint64),
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    chooser = random.Random(20261119)
    doors = [random_door(chooser, number) for number in range(COUNT)]
    return module_of(RULES + "\n\n".join(doors), tmp_path_factory.mktemp("order"), "orders")


@pytest.mark.parametrize("name", ["zig", "gcc", "clang"])
def test_what_a_statement_changes_happens_in_the_order_of_python(
    name: str, written: ModuleType, tmp_path: Path
) -> None:
    path = shutil.which(name)
    compiler = compilers.find() if name == "zig" else None
    if path and name != "zig":
        compiler = compilers.Compiler((path,), is_zig=False)
    if compiler is None or compiler.is_zig != (name == "zig"):
        pytest.skip(f"{name} is not installed")
    doors = compiled(written, tmp_path, compiler=compiler)
    for number in range(COUNT):
        for seed in range(12):
            ours, theirs = arguments(written.PAIR, seed), arguments(written.PAIR, seed)
            with np.errstate(over="ignore"):
                getattr(written, f"door_{number}").entry.function(*ours)
            getattr(doors, f"door_{number}")(*theirs)
            for mine, other in zip(ours, theirs, strict=True):
                assert mine.tobytes() == other.tobytes(), (number, seed, mine, other)


ALIASES = """
@rule
def touch(cells: IntArray) -> int:
    cells[0] += 1
    return cells[0]

@rule
def summed(to: IntArray, from_: IntArray) -> int:
    return to[0] + touch(from_)

@rule
def passed_on(to: IntArray, from_: IntArray) -> int:
    return summed(to, from_)
"""


@pytest.mark.parametrize("call", ["summed(x, x)", "summed(x[1:], x)", "passed_on(x, x)"])
def test_one_array_for_two_parameters_is_refused_where_the_order_matters(
    call: str, tmp_path: Path
) -> None:
    text = f"{ALIASES}\n@entry\ndef door(x: IntArray) -> int:\n    return {call}\n"
    with pytest.raises(Untranslatable, match=r"both part of `x`.*into a variable there"):
        translated(module_of(text, tmp_path))


def test_a_door_refuses_one_array_for_two_parameters_where_the_order_matters(
    tmp_path: Path,
) -> None:
    text = f"{ALIASES}\n@entry\ndef door(x: IntArray, y: IntArray) -> int:\n    return passed_on(x, y)\n"
    doors = compiled(module_of(text, tmp_path, "aliases"), tmp_path)
    whole = np.arange(6, dtype=np.int32)
    assert doors.door(whole[:3], whole[3:]) == 4
    for x, y in ((whole, whole), (whole[:3], whole[2:]), (whole[2:], whole[:3])):
        with pytest.raises(ValueError, match="share memory"):
            doors.door(x, y)
