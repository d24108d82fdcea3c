"""Compilation: lazy, cached, never stale."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lampion.core.compile import PACKAGE

PLAY = "import lampion; print(lampion.new('lanterns', 2, seed=1).view()['left_to_draw'])"


def run(code: str, cache: Path, source: Path = PACKAGE.parent, **environment: str) -> str:
    variables = {**os.environ, "LAMPION_CACHE": str(cache), "PYTHONPATH": str(source), **environment}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_takes_little_time_and_compiles_nothing(tmp_path: Path) -> None:
    """Against importing NumPy alone in the same run, because machines differ; on a quiet one lampion takes 0.15 s."""

    def seconds(code: str) -> float:
        return min(
            float(run(f"import time; t = time.perf_counter(); {code}; print(time.perf_counter() - t)", tmp_path)) for _ in range(3)
        )

    assert run("import sys, lampion; print('numba' in sys.modules)", tmp_path) == "False"
    assert seconds("import lampion") < max(0.3, 3 * seconds("import numpy"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.environ.get("LAMPION_COMPILE") == "0", reason="nothing is compiled in this run")
def test_the_cache_survives_a_restart_and_is_never_stale(tmp_path: Path) -> None:
    source = tmp_path / "src"
    shutil.copytree(PACKAGE, source / "lampion", ignore=shutil.ignore_patterns("__pycache__"))
    cache = tmp_path / "cache"
    assert run(PLAY, cache, source) == "16"
    first = {path.name for path in cache.iterdir()}
    start = time.perf_counter()
    assert run(PLAY, cache, source) == "16"
    warm = time.perf_counter() - start
    assert {path.name for path in cache.iterdir()} == first, "a restart uses the same folder"
    # An edit in one rule file, seen through a function compiled from another.
    rules = source / "lampion/games/lanterns/rules.py"
    rules.write_text(rules.read_text().replace("state.left_to_draw -= 1", "state.left_to_draw -= 3"))
    code = "import lampion; m = lampion.new('lanterns', 2, seed=1); m.submit(m.legal_actions()[0]); print(m.view()['left_to_draw'])"
    assert run(code, cache, source) == "13"
    assert len(list(cache.iterdir())) == 2
    assert warm < 10


@pytest.mark.skipif(os.environ.get("LAMPION_COMPILE") == "0", reason="nothing is compiled in this run")
def test_rules_are_compiled_even_where_nothing_can_be_kept() -> None:
    assert run(PLAY, Path("/dev/null/nowhere")) == "16"


def test_uncompiled_rules_play_the_same_game(tmp_path: Path) -> None:
    code = """
import lampion, random
match, chooser = lampion.new("lanterns", 3, seed=2), random.Random(1)
while not match.is_over:
    match.submit(chooser.choice(match.legal_actions()))
print(lampion.dump(match))
"""
    shared = os.environ.get("LAMPION_CACHE")
    cache = Path(shared) if shared else tmp_path
    assert run(code, cache, LAMPION_COMPILE="0") == run(code, cache, LAMPION_COMPILE="1")
