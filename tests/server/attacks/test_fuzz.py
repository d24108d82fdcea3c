"""A short version of `python -m benchmarks.fuzz --cases 50000`: random and mutated bytes, and some
operations of the schema. `make tests-api` tries every operation, `make nightly` all of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.fuzz import run
from tests.server.support import Server

CASES = int(os.environ.get("LAMPION_FUZZ_CASES", "200"))
SEED = int(os.environ.get("LAMPION_FUZZ_SEED", "20261117"))


@pytest.fixture
def fuzzed(tmp_path: Path) -> Iterator[Server]:
    with Server(
        str(tmp_path / "lampion.db"), "--limit-scale", "10000", log=tmp_path / "log"
    ) as running:
        yield running


def test_whatever_comes_is_answered_politely(fuzzed: Server) -> None:
    outcome = run(fuzzed, CASES, SEED)
    assert not outcome.failures, "\n".join(
        [f"{len(outcome.failures)} failures with --seed {SEED}", *outcome.failures[:12]]
    )
    assert set(outcome.counts) == {"http", "frames", "schema"}
