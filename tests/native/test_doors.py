"""Doors: what they refuse, and that loops let other threads run."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lampion
from lampion.bots import tree
from lampion.bots.base import Budget, Stop
from lampion.bots.search import Search
from lampion.core import play
from lampion.core.compile import IS_ENABLED
from lampion.core.native import compilers
from lampion.core.rng import new_rng
from tests.native.compiling import compiled, module_of

pytestmark = pytest.mark.skipif(
    not IS_ENABLED or compilers.find() is None, reason="nothing is compiled in this run"
)

TEXT = """
@entry
def total(row: IntArray, table: IntTable, out: Floats, index: int) -> float:
    out[0] = row[index]
    return float(table[index, 0]) + out[0]

@entry
def reads(out: Floats) -> float:
    return out[0]

@entry
def beyond(row: IntArray, k: int) -> int:
    return row[k + 1]

@entry
def too_large(narrow: Bytes, k: int) -> None:
    narrow[0] = k

@entry
def divided(a: int, b: int) -> int:
    return a // b

@entry
def cut(row: IntArray, k: int) -> int:
    part = row[k:]
    return part[0]

@entry
def shifted(a: int, b: int) -> int:
    return a << b
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("doors")


@pytest.fixture(scope="module")
def doors(folder: Path) -> Any:
    return compiled(module_of(TEXT, folder, "tried_doors"), folder)


@pytest.fixture(scope="module")
def checked(folder: Path) -> Any:
    return compiled(module_of(TEXT, folder, "checked_doors"), folder, checked=True)


def good() -> dict[str, Any]:
    return {
        "row": np.arange(4, dtype=np.int32),
        "table": np.ones((4, 2), np.int32),
        "out": np.zeros(2),
        "index": 3,
    }


def test_a_door_takes_what_it_says(doors: Any) -> None:
    assert doors.total(*good().values()) == 4.0


@pytest.mark.parametrize(
    ("wrong", "kind", "words"),
    [
        ({"row": [1, 2]}, TypeError, "row has to be an array"),
        ({"row": np.arange(4, dtype=np.int64)}, TypeError, "int64"),
        ({"row": np.arange(8, dtype=np.int32)[::2]}, ValueError, "contiguous"),
        ({"row": np.zeros((2, 2), np.int32)}, ValueError, "2 axes instead of 1"),
        ({"table": np.asfortranarray(np.ones((4, 2), np.int32))}, ValueError, "contiguous"),
        ({"out": np.zeros(2, np.float32)}, TypeError, "float32"),
        ({"index": 4}, IndexError, "index is 4"),
        ({"index": -1}, IndexError, "index is -1"),
        ({"index": 1.5}, TypeError, "integer"),
        ({"index": 2**70}, OverflowError, "too"),
    ],
    ids=str,
)
def test_a_door_refuses_what_would_read_or_write_elsewhere(
    doors: Any, wrong: dict[str, Any], kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=words):
        doors.total(*(good() | wrong).values())


def test_what_is_written_to_must_be_writeable_and_what_is_read_need_not(doors: Any) -> None:
    fixed = np.zeros(2)
    fixed.flags.writeable = False
    assert doors.reads(fixed) == 0.0
    with pytest.raises(ValueError, match="writeable"):
        doors.total(*(good() | {"out": fixed}).values())


def test_the_number_of_arguments_is_checked(doors: Any) -> None:
    with pytest.raises(TypeError, match="takes 4 arguments, not 1"):
        doors.total(1)


@pytest.mark.parametrize(
    ("door", "given", "words"),
    [
        ("beyond", (np.zeros(3, np.int32), 2), "checked_doors.py:24: an index is out of bounds"),
        ("beyond", (np.zeros(3, np.int32), -2), "out of bounds"),
        ("too_large", (np.zeros(3, np.int8), 128), "does not fit"),
        ("divided", (1, 0), "division by zero"),
        ("cut", (np.zeros(3, np.int32), 4), "a slice is out of bounds"),
        ("shifted", (1, 64), "shift"),
        ("shifted", (3, 62), "loses bits"),
    ],
)
def test_a_checked_build_says_where_a_rule_went_astray(
    checked: Any, door: str, given: tuple[Any, ...], words: str
) -> None:
    with pytest.raises(IndexError, match=words):
        getattr(checked, door)(*given)
    assert checked.beyond(np.arange(3, dtype=np.int32), 1) == 2, "and goes on to work"


def test_a_loop_lets_other_threads_run() -> None:
    """While one thread searches, another sees the dice move and stops it."""
    match, most = lampion.new("lanterns", 2, seed=1), 200_000
    seat, dice, stop = match.to_act, new_rng(1), Stop()
    search, budget = Search(), Budget(iterations=most)
    work = search.plant(match.seen_from(seat), seat, match.legal_ids(), budget, dice)
    before, done = int(dice[0]), list[int]()

    def run() -> None:
        did, _ = tree.run_iterations(
            work.root, work.states, work.nodes, work.used, seat, work.path, work.legal,
            work.utilities, work.totals, work.weights, work.settings, dice, stop.flag, most, 2**62,
        )  # fmt: skip
        done.append(did)

    thread = threading.Thread(target=run)
    thread.start()
    while int(dice[0]) == before:
        pass
    stop.set()
    thread.join()
    # Had the loop kept the lock, nobody could have stopped it before its end.
    assert 0 < done[0] < most


def test_records_of_an_equal_type_are_taken_and_others_refused() -> None:
    match = lampion.new("lumens", 2, seed=1)
    same = (
        np.frombuffer(match.state.tobytes(), np.dtype(match.state.dtype.descr))
        if match.state.dtype.isnative
        else None
    )
    other = lampion.new("lanterns", 2, seed=1).state.batch
    legal = np.zeros(match.game.ACTIONS.size, np.int32)
    with pytest.raises(TypeError, match="states has elements"):
        play.play_random_games(match.state.batch, other, 1, legal, new_rng(1))
    assert same is None or len(same) == 1
