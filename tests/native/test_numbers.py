"""What numbers mean, compiled and in plain Python: random expressions and small random functions through both.

Each test compiles one file with many functions, so that a compiler starts once and not once for each of them.
"""

from __future__ import annotations

import random
import struct
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lampion.core.native import compilers
from tests.native.compiling import compiled, module_of
from tests.support import IS_NIGHT

pytestmark = pytest.mark.skipif(compilers.find() is None, reason="there is no C compiler")

INTS = st.one_of(st.integers(-70, 70), st.integers(-(2**31), 2**31 - 1))
FLOATS = st.floats(-1e6, 1e6, allow_nan=False)
COUNT, FEW = 150, 40
BIG = 2**62


class Writer:
    """Writes random expressions that are meant to be known to the translator."""

    def __init__(self, seed: int) -> None:
        self.chooser = random.Random(seed)

    def pick(self, *choices: str) -> str:
        return self.chooser.choice(choices)

    def integer(self, depth: int) -> str:
        if depth == 0:
            return self.pick(
                "a",
                "b",
                "c",
                "row[k]",
                "table[k, 1]",
                "narrow[k]",
                "7",
                "-3",
                "0",
                "1",
                "TABLE[k]",
                "len(row)",
            )
        one, two = self.integer(depth - 1), self.integer(depth - 1)
        return self.pick(
            f"({one} + {two})", f"({one} - {two})", f"(({one}) % 1009 * (({two}) % 97))",
            f"({one} // ({two} if {two} else 3))", f"({one} % ({two} if {two} else -3))",
            f"({one} // {self.pick('8', '7', '-5', '1')})", f"({one} % {self.pick('16', '9', '-4', '1')})",
            f"({one} & {two})", f"({one} | {two})", f"({one} ^ {two})", f"(~{one})", f"(-{one})",
            f"(({one}) % 4096 << ({two}) % 20)", f"({one} >> ({two}) % 40)", f"min({one}, {two})", f"max({one}, {two})",
            f"({one} if {self.truth(depth - 1)} else {two})", f"int({self.truth(depth - 1)})", f"helper({one}, {two})",
            f"int({self.real(depth - 1)})", f"({self.bare()} * {self.bare()} % 1000003)", f"((-{self.bare()} << 20) % 100003)",
            f"(int({self.bare()}) * {self.bare()} // 4099)", f"(len(row[:{self.bare()} % 3]) * 50000 * 90000 % 1000003)",
        )  # fmt: skip

    def bare(self) -> str:
        """A choice between numbers of which C would make 32 bits."""
        numbers = ("100000", "-70000", "row[k]", "narrow[k]", "TABLE[k]", "int(row[0])")
        one, two = self.pick(*numbers), self.pick(*numbers)
        return f"({one} if {self.pick('k', 'a > b', 'x < y')} else {two})"

    def truth(self, depth: int) -> str:
        one, two, three = (self.integer(max(0, depth - 1)) for _ in range(3))
        return self.pick(
            f"({one} < {two})", f"({one} == {two})", f"({one} != {two})", f"({one} <= a < {three})",
            f"(not {one})", f"({one} < {two} and {two} > {three})", f"({one} < {two} or {two} == 0)", "(a in (1, 2, 3))",
            f"({self.real(max(0, depth - 1))} > {one})",
        )  # fmt: skip

    def real(self, depth: int) -> str:
        """Kept within bounds, so that its int part fits."""
        if depth == 0:
            return self.pick("x", "y", "0.5", "-1.25", "floats[k]", "float(single[k])", "float(a)")
        one, two = self.real(depth - 1), self.real(depth - 1)
        return self.pick(
            f"({one} + {two})", f"({one} - {two})", f"({one} * 0.37)", f"({one} / 3.0)", f"(-{one})", f"min({one}, {two})",
            f"max({one}, 0.0)", f"math.sqrt(max({one}, 0.0))", f"({one} if {self.truth(0)} else {two})", f"(a / {self.pick('7', '-3')})",
            f"(0.25 * {self.truth(0)})", f"float(np.float32({one}))", f"float(single[k] * np.float32({one}) + np.float32(0.1))",
            "float(single[k] - 0.3)",
        )  # fmt: skip

    def function(self, number: int) -> str:
        """A door with a loop, a branch and an array of its own."""
        lines = [
            f"@entry\ndef door_{number}(a: int, b: int, k: int, x: float, y: float, row: IntArray, table: IntTable, narrow: Bytes,",
            "        floats: Floats, single: Singles, out: Floats) -> tuple[int, float]:",
            "    own = np.zeros(5, np.int64)",
            "    c, total = 2, 0.0",
            f"    for i in range({self.pick('4', '1, 5', '4, -1, -1', '0, 9, 2')}):",
            f"        own[i % 5] += {self.integer(2)} % 1000003",
            f"        if {self.truth(2)}:",
            f"            c = {self.integer(1)} % 100003",
            f"            {self.pick('continue', 'break', 'pass', 'total += 1.0')}",
            f"        total += {self.real(2)} * 0.001",
            f"    while c > 3 and {self.truth(1)}:",
            "        c //= 3",
            *self.loops(),
            f"    a, b = {self.pick('b, a', 'a + 1, b', 'c, a')}",
            "    single[0] += np.float32(0.1) * (a > b)",
            "    out[0] = total",
            f"    return {self.integer(3)} + carried % 4099, {self.real(3)} + own[2]",
        ]
        return "\n".join(lines)

    def loops(self) -> list[str]:
        """Variables that go from one time round to the next, targets that change, parts that overlap."""
        first, last = self.chooser.randrange(3), self.chooser.randrange(2, 5)
        return [
            f"    carried = {self.integer(1)}",
            "    for i in range(3):",
            f"        fresh = {self.bare()}",
            f"        if {self.truth(1)}:",
            "            before = fresh",
            "        else:",
            f"            before = carried {self.pick('+', '-', '^')} i",
            "        carried = (carried * 3 + before) % 1000003",
            f"        i {self.pick('+=', '*=', '-=')} {self.integer(1)} % 97",
            f"        for {self.pick('i', 'j')} in range({self.pick('2', '0, 5, 2', '3, 0, -1')}):",
            "            carried += i",
            f"        carried = carried {self.pick('+', '-', '^')} i",
            f"    own[{first}:{first + 2}] = own[{2 - first}:{4 - first}]",
            f"    own[1:{last}] = own[1] % 1009",
            f"    for part in own[{self.pick('', '1', 'k')}:{self.pick('', '4', 'k + 1', 'c % 9')}]:",
            "        carried += part % 4099",
        ]


HELPER = """
TABLE = np.array([5, -7, 11], np.int16)

@rule
def helper(p: int, q: int) -> int:
    return p - q if p > q else q - p + 1
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[ModuleType, Any]]:
    """A module of random functions, and the same compiled."""
    return [random_functions(tmp_path_factory.mktemp("numbers"), 20261117, COUNT)]


def random_functions(folder: Path, seed: int, count: int) -> tuple[ModuleType, Any]:
    writer = Writer(seed)
    text = HELPER + "\n\n".join(writer.function(number) for number in range(count))
    module = module_of(text, folder, f"random_functions_{seed}")
    doors = compiled(module, folder)
    module.TABLE = Ints(module.TABLE)  # type: ignore[attr-defined]
    return module, doors


def arguments(a: int, b: int, k: int, x: float, y: float, numbers: list[int]) -> tuple[Any, ...]:
    row = np.array(numbers, np.int64).astype(np.int32)
    narrow = (row % 120).astype(np.int8)
    return (
        a, b, k, x, y, row, np.stack([row, row[::-1]], axis=1).copy(), narrow, np.array([x, y, 0.1]),
        np.array([y, x, 0.2], np.float32), np.zeros(1),
    )  # fmt: skip


def plain(function: Any, given: tuple[Any, ...]) -> Any:
    """What Python says; nothing where it would divide by zero or leave 64 bits, which compiled rules do not promise anything for."""
    widened = tuple(
        part.astype(np.int64) if isinstance(part, np.ndarray) and part.dtype.kind == "i" else part
        for part in given
    )
    try:
        with np.errstate(all="raise"):
            number, real = function.entry.function(*_python(widened))
    except (ZeroDivisionError, OverflowError, FloatingPointError):
        return None
    return (int(number), float(real)) if abs(int(number)) < BIG else None


class Ints:
    """An array of ints that are Python's own, so that nothing wraps around unnoticed."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __getitem__(self, index: Any) -> Any:
        found = self.array[index]
        return Ints(found) if isinstance(index, slice) else int(found)

    def __len__(self) -> int:
        return len(self.array)


def _python(given: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(
        Ints(part) if isinstance(part, np.ndarray) and part.dtype.kind == "i" else part
        for part in given
    )


def bits(number: float) -> bytes:
    return struct.pack("<d", number)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    a=INTS,
    b=INTS,
    k=st.integers(0, 2),
    x=FLOATS,
    y=FLOATS,
    row=st.lists(INTS, min_size=3, max_size=3),
    start=st.integers(0, COUNT - 1),
)
def test_random_functions_mean_the_same(
    written: list[tuple[ModuleType, Any]],
    a: int,
    b: int,
    k: int,
    x: float,
    y: float,
    row: list[int],
    start: int,
) -> None:
    for number in range(start, min(start + 25, COUNT)):
        compare(written[0], number, (a, b, k, x, y, row))


@settings(max_examples=100 if IS_NIGHT else 3, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_functions_of_any_seed_mean_the_same(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    written = random_functions(tmp_path_factory.mktemp("seeds"), seed, FEW)
    chooser = random.Random(seed)
    for number in range(FEW):
        for _ in range(4):
            a, b, *row = (
                chooser.choice((chooser.randrange(-70, 71), chooser.randrange(-(2**31), 2**31)))
                for _ in range(5)
            )
            k, x, y = chooser.randrange(3), chooser.uniform(-9, 9), chooser.uniform(-1e6, 1e6)
            compare(written, number, (a, b, k, x, y, row))


def compare(written: tuple[ModuleType, Any], number: int, drawn: tuple[Any, ...]) -> None:
    """One random function, compiled and in plain Python."""
    module, doors = written
    name, given, again = f"door_{number}", arguments(*drawn), arguments(*drawn)
    expected = plain(getattr(module, name), given)
    if expected is None:
        return
    found = getattr(doors, name)(*again)
    assert found[0] == expected[0], name
    assert bits(found[1]) == bits(expected[1]), (name, found, expected)
    assert again[-1].tobytes() == given[-1].tobytes(), name
    assert again[-2].tobytes() == given[-2].tobytes(), name


DIVISIONS = """
GOLDEN = np.uint64(0x9E3779B97F4A7C15)

@entry
def divide(a: int, b: int) -> tuple[int, int]:
    return a // b, a % b

@entry
def by_seven(a: int) -> tuple[int, int]:
    return a // 7, a % -7

@entry
def by_eight(a: int) -> tuple[int, int]:
    return a // 8, a % 8

@entry
def shifts(a: int, b: int) -> tuple[int, int]:
    return a << b, a >> b

@entry
def hashed(words: Words) -> None:
    words[0] = (words[0] ^ (words[0] >> np.uint64(7))) * GOLDEN + words[1]

@entry
def stored(number: int, real: float, narrow: Bytes, single: Singles) -> float:
    narrow[0] = number
    single[0] = real
    single[1] += np.float32(real)
    return float(single[0]) * 2.0

@entry
def rounded(real: float) -> int:
    return int(real)

@entry
def compared(a: int, x: float) -> tuple[bool, bool, bool]:
    return a < x, a == x, x != x
"""


@pytest.fixture(scope="module")
def divisions(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[ModuleType, Any]]:
    folder = tmp_path_factory.mktemp("divisions")
    module = module_of(DIVISIONS, folder, "divisions")
    return [(module, compiled(module, folder))]


LARGE = st.integers(-(2**63) + 1, 2**63 - 1)


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    a=LARGE,
    b=LARGE.filter(bool),
    shift=st.integers(0, 62),
    small=st.integers(-127, 127),
    real=FLOATS,
)
def test_division_shifts_and_storing_are_python_s(
    divisions: list[tuple[ModuleType, Any]], a: int, b: int, shift: int, small: int, real: float
) -> None:
    _, doors = divisions[0]
    assert doors.divide(a, b) == (a // b, a % b)
    assert doors.by_seven(a) == (a // 7, a % -7)
    assert doors.by_eight(a) == (a // 8, a % 8)
    assert doors.shifts(small, shift)[1] == small >> shift
    assert doors.shifts(abs(small) % 2, shift)[0] == (abs(small) % 2) << shift
    assert doors.rounded(real) == int(real)
    assert doors.compared(small, real) == (small < real, small == real, False)
    words = np.array([a % 2**64, b % 2**64], np.uint64)
    mixed = a % 2**64
    mixed = ((mixed ^ (mixed >> 7)) * 0x9E3779B97F4A7C15 + b) % 2**64
    doors.hashed(words)
    assert int(words[0]) == mixed
    narrow, single = np.zeros(1, np.int8), np.array([0, 0.3], np.float32)
    assert doors.stored(small, real, narrow, single) == float(np.float32(real)) * 2.0
    assert narrow[0] == small and single[1] == np.float32(0.3) + np.float32(real)


def test_a_division_by_zero_is_zero_and_not_a_crash(
    divisions: list[tuple[ModuleType, Any]],
) -> None:
    _, doors = divisions[0]
    assert doors.divide(5, 0) == (0, 0)
    assert doors.divide(-(2**63), -1) == (-(2**63), 0)


MEANINGS = """
@entry
def product(k: int) -> int:
    return (100000 if k else 50000) * (90000 if k else 70000)

@entry
def product_of_elements(row: IntArray, k: int) -> int:
    return (int(row[0]) if k else row[1]) * (row[1] if k else row[0])

@entry
def negated(row: IntArray, k: int) -> int:
    return -(row[0] if k else row[1])

@entry
def shifted(k: int) -> int:
    return (100000 if k else 50000) << 20

@entry
def length_times(row: IntArray, narrow: Bytes) -> int:
    return len(row[narrow[0]:narrow[1]]) * 100000 * 100000

@entry
def moved_up(row: IntArray, k: int) -> None:
    row[k:k + 3] = row[0:3]

@entry
def beyond(row: IntArray) -> int:
    return len(row[1:9]) + 10 * len(row[7:]) + 100 * len(row[:9])

@entry
def filled(row: IntArray) -> None:
    row[0:3] = row[0] + 1

@entry
def filled_from_within(row: IntArray) -> None:
    row[row[0]:row[1]] = 7

@entry
def narrowed(row: IntArray) -> int:
    part = row[1:]
    part = part[part[0]:part[1]]
    return len(part) * 1000 + part[0]

@entry
def listed(table: IntTable, k: int) -> int:
    total = 0
    for item in table[k]:
        k = 0
        total += item
    return total

@entry
def doubled(k: int) -> int:
    total = 0
    for step in range(k):
        step *= 2
        total += step
    return total

@entry
def nested(k: int) -> int:
    total = 0
    for step in range(k):
        for step in range(5):
            total += step
        total += 100 * step
    return total
"""


@pytest.fixture(scope="module")
def meanings(tmp_path_factory: pytest.TempPathFactory) -> tuple[ModuleType, Any]:
    folder = tmp_path_factory.mktemp("meanings")
    module = module_of(MEANINGS, folder, "meanings")
    return module, compiled(module, folder)


ROW = np.array([1, 3, 2, 5, 9], np.int32)
MANY = np.array([2_000_000_000, -(2**31), 5], np.int32)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("product", (1,)),
        ("product", (0,)),
        ("product_of_elements", (MANY, 1)),
        ("negated", (MANY, 0)),
        ("shifted", (1,)),
        ("length_times", (ROW, np.array([0, 4], np.int8))),
        ("moved_up", (ROW, 1)),
        ("moved_up", (ROW, 0)),
        ("beyond", (ROW,)),
        ("filled", (ROW,)),
        ("filled_from_within", (ROW,)),
        ("narrowed", (np.array([7, 1, 3, 5, 9], np.int32),)),
        ("listed", (np.arange(6, dtype=np.int32).reshape(2, 3).copy(), 1)),
        ("doubled", (4,)),
        ("nested", (2,)),
    ],
)
def test_what_c_would_do_otherwise_is_done_as_python_does_it(
    meanings: tuple[ModuleType, Any], name: str, given: tuple[Any, ...]
) -> None:
    module, doors = meanings
    ours = [part.copy() if isinstance(part, np.ndarray) else part for part in given]
    wide = [part.astype(np.int64) if isinstance(part, np.ndarray) else part for part in given]
    expected = getattr(module, name).entry.function(*wide)
    assert getattr(doors, name)(*ours) == expected
    for mine, plain_one in zip(ours, wide, strict=True):
        assert np.array_equal(mine, plain_one)
