"""The suite as the author of a game outside the package runs it: installed, with pytest alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples.support import install

TWO_LINES = 'from lampion.testing.suite import *\nLAMPION_GAME = "kuhn"\n'
QUICK = ("-k", "legal_lists or worlds or oracle", "-q", "-p", "no:cacheprovider")


@pytest.fixture
def author(tmp_path: Path) -> Path:
    """The folder of an author who has installed the examples."""
    install(tmp_path / "installed")
    (tmp_path / "work").mkdir()
    return tmp_path


def run(author: Path, *words: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": str(author / "installed"), "LAMPION_COMPILE": "0"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:schemathesis", *QUICK, *words],
        env=variables, cwd=author / "work", capture_output=True, text=True,
    )  # fmt: skip


def test_the_suite_runs_without_a_file_and_beside_other_tests(author: Path) -> None:
    (author / "work" / "test_own.py").write_text("def test_of_worlds():\n    pass\n")
    done = run(author, "--lampion-game", "kuhn", "test_own.py", "-n", "1")
    assert done.returncode == 0 and "6 passed, 1 skipped" in done.stdout, "there is no oracle"


def test_what_the_author_tells_is_asked(author: Path) -> None:
    told = """
from lampion.testing import tell

class Oracle:
    def __init__(self, case): pass
    def facts(self): return "as it should be"

class About:
    def facts(state): return "as it is"

tell("kuhn", About, Oracle)
"""
    (author / "work" / "test_kuhn.py").write_text(TWO_LINES + told)
    done = run(author)
    assert done.returncode == 1
    assert "'as it is' == 'as it should be'" in done.stdout


def test_mistakes_are_found(author: Path) -> None:
    """A list out of order, and a trail that tells everybody which card is dealt in secret."""
    rules = author / "installed" / "kuhn" / "__init__.py"
    source = rules.read_text()
    for right, wrong in (
        ("out[0], out[1] = PASS, BET", "out[0], out[1] = BET, PASS"),
        ("DEALT, state.num_dealt, 0,", "DEALT, state.num_dealt, card,"),
    ):
        assert right in source
        source = source.replace(right, wrong)
    rules.write_text(source)
    done = run(author, "--lampion-game", "kuhn")
    assert done.returncode == 1
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    for found_by in ("legal_lists_are_ascending", "cannot_tell_apart_look_the_same"):
        assert any(found_by in line for line in failed), done.stdout


def test_a_file_that_names_no_game_is_told_so(author: Path) -> None:
    (author / "work" / "test_kuhn.py").write_text(TWO_LINES.splitlines()[0])
    done = run(author)
    assert done.returncode != 0
    assert "does not say for which game" in done.stdout + done.stderr
