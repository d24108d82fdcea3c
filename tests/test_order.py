"""Tests that wait for long begin first, on every worker, and none is lost on the way."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import LONG, file_of, long_ones_first

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Item:
    nodeid: str


@pytest.mark.parametrize("workers", [2, 3, 4])
def test_each_worker_begins_with_long_tests(workers: int) -> None:
    short = [Item(f"tests/test_short.py::test_{number}") for number in range(100)]
    items: list[Any] = [*short, *(Item(f"{file}::test_it") for file in LONG)]
    ordered = long_ones_first(items, workers)
    assert sorted(item.nodeid for item in ordered) == sorted(item.nodeid for item in items)
    place, left = 0, len(items)
    for worker in range(workers):
        assert file_of(ordered[place]) == LONG[worker]
        size = left // (workers - worker)
        place, left = place + size, left - size


def test_few_tests_are_all_there() -> None:
    items: list[Any] = [Item(f"{LONG[0]}::test_{number}") for number in range(5)]
    assert long_ones_first(items, 4) == items


def test_the_long_tests_exist() -> None:
    assert [file for file in LONG if not (ROOT / file).is_file()] == []
