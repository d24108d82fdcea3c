"""Doors: what they refuse, and that loops let other threads run."""

from __future__ import annotations

import threading
from collections.abc import Callable
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

@entry
def signed(words: Words) -> int:
    return int(words[0])

@entry
def unsigned(a: int, words: Words) -> None:
    words[0] = np.uint64(a)
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


def test_a_large_np_uint64_becomes_a_negative_int_and_back(doors: Any) -> None:
    words = np.array([2**64 - 5], np.uint64)
    assert doors.signed(words) == -5
    words[0] = 0
    doors.unsigned(-5, words)
    assert words[0] == 2**64 - 5


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
        ("signed", (np.array([2**63], np.uint64),), "np.uint64 is too large for an int"),
        ("unsigned", (-1, np.zeros(1, np.uint64)), "a negative int becomes np.uint64"),
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


def test_a_door_checks_that_a_list_has_room_for_whatever_the_rules_may_write() -> None:
    """Out-of-bounds writes would change memory that belongs to Python."""
    match = lampion.new("lumens", 3, seed=1)
    batch, size = match.state.copy().batch, match.game.ACTIONS.size
    short, rng = np.zeros(size - 1, np.int32), new_rng(1)
    asked: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (play.legal_at, (batch, 0, match.to_act, short)),
        (play.is_legal_at, (batch, 0, match.to_act, 0, short)),
        (play.weights_at, (batch, 0, short)),
        (play.settle_at, (batch, 0, short, rng)),
        (play.step_at, (batch, 0, 0, short, rng)),
        (play.play_random_game, (batch, 0, short, rng)),
        (play.play_random_games, (batch, batch, 1, short, rng)),
        (play.perft, (batch, short[None], 1)),
    ]
    for door, given in asked:
        with pytest.raises(ValueError, match=rf"has room for {size - 1}, and needs {size}"):
            door(*given)
    for ask_all in (play.scores_at, play.placements_at):
        with pytest.raises(ValueError, match="out has room for 2, and needs 3"):
            ask_all(batch, 0, np.zeros(2, np.int32))
        ask_all(batch, 0, np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="rng has room for 0, and needs 1"):
        play.next_number(rng[:0])


def test_perft_goes_no_deeper_than_there_is_room() -> None:
    match = lampion.new("lumens", 2, seed=1)
    legal = np.zeros((2, match.game.ACTIONS.size), np.int32)
    states = np.concatenate([match.state.batch] * 2)
    assert play.perft(states, legal, 9) == play.perft(states, legal, 2) > 1


def test_who_may_act_is_written_as_far_as_the_list_goes() -> None:
    match = lampion.new("lanterns_dice", 4, seed=1)
    out = np.zeros(2, np.int32)
    assert play.actors_at(match.state.batch, 0, out) <= 2
