"""The order of tests that run side by side: those that wait the longest begin first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

import pytest

LONG = (
    "tests/server/chaos/test_scenarios.py",
    "tests/server/attacks/test_fuzz.py",
    "tests/server/attacks/test_floods.py",
    "tests/server/notify/test_crashes.py",
    "tests/server/chaos/test_many_processes.py",
    "tests/server/test_duties.py",
    "tests/deploy/test_proxies.py",
    "tests/web/test_blind.py",
    "tests/web/test_layout_sheets.py",
    "tests/web/test_guide.py",
    "tests/web/test_games.py",
)
"""Begun last, one of these would be waited for while nothing else is left to do. The longest are
first; their fixtures are shared, so a file stays with one worker until another has nothing to do."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        items[:] = long_ones_first(items, workers)


def long_ones_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """`--dist worksteal` gives each worker a stretch of the list: each begins with some of them."""
    begins: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for file, begin in zip(LONG, cycle(begins)):
        begin.extend(item for item in items if file_of(item) == file)
    rest = (item for item in items if file_of(item) not in LONG)
    return list(stretches(begins, rest, len(items)))


def stretches(
    begins: list[list[pytest.Item]], rest: Iterator[pytest.Item], left: int
) -> Iterator[pytest.Item]:
    for place, begin in enumerate(begins):
        size = left // (len(begins) - place)
        left -= size
        yield from begin
        yield from islice(rest, max(0, size - len(begin)))
    yield from rest


def file_of(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]
