"""Compiled, checked and plain Python: the same games, the same trees, bit by bit."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lampion.core.compile import game_of
from lampion.core.game import find_game
from lampion.core.native import compilers, variants
from lampion.core.native.build import make
from lampion.core.native.library import COMPILED, DOORS, Library
from lampion.core.native.targets import here
from tests.support import ALL_GAMES, GAMES

ROOT = Path(__file__).parent.parent.parent


def digest(*words: str, mode: str = "1", **changed: str) -> str:
    environment = {**os.environ, "LAMPION_COMPILE": mode, **changed}
    done = subprocess.run(
        [sys.executable, "-m", "tests.native.digest", *words],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@functools.cache
def digests(mode: str = "1") -> dict[str, str]:
    """Of all games: one process imports everything once."""
    return dict(zip(ALL_GAMES, digest(*ALL_GAMES, mode=mode).splitlines(), strict=True))


needs_compiler = pytest.mark.skipif(compilers.find() is None, reason="there is no C compiler")


@needs_compiler
@pytest.mark.parametrize("game", ALL_GAMES)
def test_games_and_trees_are_the_same_whichever_way_rules_run(game: str) -> None:
    compiled = digests()[game]
    assert digests("0")[game].strip() == compiled.split()[0], "plain Python plays otherwise"
    assert digests(variants.CHECKED)[game] == compiled, "a checked build plays otherwise"


def system_compiler() -> compilers.Compiler | None:
    """One that is not zig."""
    path = next(filter(None, map(shutil.which, ("gcc", "clang", "cc"))), None)
    return compilers.Compiler((path,), is_zig=False) if path else None


@needs_compiler
@pytest.mark.parametrize("made_with", ["what is found", "the system"])
@pytest.mark.parametrize("game", GAMES)
def test_other_processors_and_compilers_play_the_same(
    game: str, made_with: str, tmp_path: Path
) -> None:
    """The variant for every processor, made with both kinds of compilers."""
    compiler = compilers.find() if made_with == "what is found" else system_compiler()
    if compiler is None:
        pytest.skip("there is no compiler but ziglang")
    sources, variant = game_of(find_game(game).State.dtype), here().variants[0]
    assert sources is not None
    library, folder = Library(sources, DOORS), tmp_path
    if made_with == "what is found" and (COMPILED / library.file_name(variant)).exists():
        folder = COMPILED  # made by it already
    else:
        make(library, variant, folder, compiler, here())
    nowhere = str(tmp_path / "none")
    found = digest("--modules", str(folder), variant, game, LAMPION_CACHE=nowhere)
    assert not Path(nowhere).exists(), "the module from the folder was used"
    assert found == digests()[game]


@needs_compiler
def test_research_and_reviews_are_the_same_as_plain_python() -> None:
    assert digest("--study", "lumens", mode="0") == digest("--study", "lumens")
