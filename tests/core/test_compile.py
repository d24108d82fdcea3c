"""Compiled rules: found, made when needed, never stale, and not missed
where there is no compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lampion.core.compile import PACKAGE
from lampion.core.native import compilers
from lampion.core.native.targets import here

PLAY = "import lampion; print(lampion.new('lanterns', 2, seed=1).view()['left_to_draw'])"
needs_compiler = pytest.mark.skipif(compilers.find() is None, reason="there is no C compiler")


def run(
    code: str, cache: Path, source: Path = PACKAGE.parent, **environment: str
) -> subprocess.CompletedProcess[str]:
    variables = {
        **os.environ,
        "LAMPION_COMPILE": "1",
        "LAMPION_CACHE": str(cache),
        "PYTHONPATH": str(source),
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True
    )


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """The package as a contributor has it, with nothing compiled."""
    ignored = shutil.ignore_patterns("__pycache__", "compiled", "static")
    shutil.copytree(PACKAGE, tmp_path / "src" / "lampion", ignore=ignored)
    return tmp_path / "src"


def test_importing_compiles_nothing_and_loads_no_translator(tmp_path: Path) -> None:
    code = "import sys, lampion; print([name for name in sys.modules if 'lampion.core.native' in name or name == 'ast'])"
    assert "lampion.core.native" not in run(code, tmp_path).stdout
    assert list(tmp_path.iterdir()) == []


@needs_compiler
def test_rules_are_compiled_once_and_again_after_an_edit(tmp_path: Path, sources: Path) -> None:
    cache = tmp_path / "cache"
    first = run(PLAY, cache, sources)
    assert (
        first.stdout == "16\n"
        and first.stderr.count("\n") == 1
        and "compiling the rules of Lanterns" in first.stderr
    )
    assert run(PLAY, cache, sources).stderr == "", "a second start finds what the first has made"
    # An edit in one rule file, seen through a door in another.
    rules = sources / "lampion/games/lanterns/rules.py"
    rules.write_text(
        rules.read_text().replace("state.left_to_draw -= 1", "state.left_to_draw -= 3")
    )
    code = "import lampion; m = lampion.new('lanterns', 2, seed=1); m.submit(m.legal_actions()[0]); print(m.view()['left_to_draw'])"
    assert run(code, cache, sources).stdout == "13\n"
    assert len(list(cache.glob(f"*{here().suffix}"))) == 2


@needs_compiler
def test_processes_that_need_the_same_rules_compile_them_once(
    tmp_path: Path, sources: Path
) -> None:
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: run(PLAY, tmp_path / "cache", sources), range(3)))
    assert [each.stdout for each in done] == ["16\n"] * 3
    assert "".join(each.stderr for each in done).count("compiling the rules") == 1


@needs_compiler
def test_rules_are_compiled_even_where_nothing_can_be_kept(sources: Path) -> None:
    assert run(PLAY, Path("/dev/null/nowhere"), sources).stdout == "16\n"


def test_without_a_compiler_plain_python_plays_and_says_so_once(
    tmp_path: Path, sources: Path
) -> None:
    code = """
import lampion
from lampion.bots.levels import make_player
from lampion.core.rng import new_rng
for name in ("lanterns", "lumens"):
    match = lampion.new(name, 2, seed=1)
    match.previews()
    player = make_player("greedy")
    match.submit(player.bot.choose(match.seen_from(match.to_act), match.to_act, match.legal_ids(), player.budget, new_rng(1)))
print(match.ply > 1)
"""
    done = run(code, tmp_path, sources, LAMPION_CC="no-such-compiler")
    assert done.stdout == "True\n"
    assert done.stderr.count("\n") == 1 and "pip install ziglang" in done.stderr


def test_a_rule_that_cannot_be_translated_is_named_and_still_played(
    tmp_path: Path, sources: Path
) -> None:
    if compilers.find() is None:
        pytest.skip("there is no C compiler")
    rules = sources / "lampion/games/lanterns/rules.py"
    rules.write_text(
        rules.read_text().replace(
            "    clear_trail(state)\n", "    clear_trail(state)\n    assert action >= 0\n", 1
        )
    )
    done = run(PLAY, tmp_path, sources)
    assert done.stdout == "16\n"
    assert "rules.py:" in done.stderr and "assert action >= 0" in done.stderr


def test_uncompiled_rules_play_the_same_game(tmp_path: Path) -> None:
    code = """
import lampion, random
match, chooser = lampion.new("lanterns", 3, seed=2), random.Random(1)
while not match.is_over:
    match.submit(chooser.choice(match.legal_actions()))
print(lampion.dump(match))
"""
    assert run(code, tmp_path, LAMPION_COMPILE="0").stdout == run(code, tmp_path).stdout
