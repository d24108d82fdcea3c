"""Compiled, checked and plain Python: the same games, the same trees, bit by bit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lampion.core.native import compilers, variants
from tests.support import ALL_GAMES

ROOT = Path(__file__).parent.parent.parent


def digest(game: str, mode: str) -> str:
    environment = {**os.environ, "LAMPION_COMPILE": mode}
    done = subprocess.run(
        [sys.executable, "-m", "tests.native.digest", game],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(compilers.find() is None, reason="there is no C compiler")
@pytest.mark.parametrize("game", ALL_GAMES)
def test_games_and_trees_are_the_same_whichever_way_rules_run(game: str) -> None:
    compiled = digest(game, "1")
    assert digest(game, "0") == compiled, "plain Python plays otherwise"
    assert digest(game, variants.CHECKED) == compiled, "a checked build plays otherwise"
