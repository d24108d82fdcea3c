"""The two variants of Lanterns: what changes, what does not, and that nothing else knows them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import lampion
from lampion.arena.run import Contest, play_job
from lampion.cli.main import main
from lampion.core.game import find_game
from lampion.core.record import HIDDEN
from lampion.core.types import SPECTATOR
from lampion.core.variants import variant_names
from lampion.games.lanterns.observation import OBSERVATION
from lampion.research import zoo
from lampion.research.batch import BatchEnv
from tests.support import play_on

ROOT = Path(__file__).parents[3]
VARIANTS = variant_names(find_game("lanterns"))
LONGEST_FILE = 40
SOURCES = {
    "src": {".py"},
    "examples": {".py"},
    "scripts": {".py"},
    "benchmarks": {".py"},
    "web/src": {".ts", ".svelte", ".json"},
}


def new(variant: str, players: int = 3, seed: int = 1) -> lampion.Match:
    return lampion.new("lanterns", players, seed=seed, options={"variant": variant})


def test_both_are_found() -> None:
    assert VARIANTS == ("open_hands", "short_game")


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_a_small_file_that_nothing_else_names(name: str) -> None:
    """The texts in the catalogs of the game apart."""
    file = f"src/lampion/games/lanterns/variants/{name}.py"
    assert len((ROOT / file).read_text().splitlines()) < LONGEST_FILE
    sources = [
        path
        for folder, kinds in SOURCES.items()
        for path in (ROOT / folder).rglob("*")
        if path.suffix in kinds and path != ROOT / file
    ]
    assert len(sources) > 300
    assert [path for path in sources if name in path.read_text("utf-8")] == []


def test_with_open_hands_everybody_sees_the_same_table() -> None:
    match = new("open_hands")
    for _ in play_on(match, random.Random(1)):
        hands = [[tile["tile"] for tile in seat["hand"]] for seat in match.view()["seats"]]
        assert hands == [sorted(tile for tile in hand if tile >= 0) for hand in true_hands(match)]
        for seat in range(3):
            seen = match.view(seat)
            assert {**seen, "seat": None} == match.view(SPECTATOR)
            assert match.log.read_by(seat) == match.log.read_by(SPECTATOR)
    assert "+?" not in [text for _, text in match.log.read_by()]


def true_hands(match: lampion.Match) -> list[list[int]]:
    state: Any = match.state
    hands: list[list[int]] = state.hand[:3].tolist()
    return hands


def test_with_open_hands_the_draw_stays_hidden() -> None:
    seen: Any = new("open_hands").seen_from(SPECTATOR)
    assert (seen.unseen == HIDDEN).all()


def test_the_deal_of_open_hands_is_that_of_the_published_game() -> None:
    assert true_hands(new("open_hands")) == true_hands(new("standard"))
    hidden = new("standard")
    assert [text for _, text in hidden.log.read_by(0)].count("+?") == 6


@pytest.mark.parametrize(("players", "drawn"), [(2, 8), (3, 9), (4, 8)])
def test_a_short_game_has_whole_rounds(players: int, drawn: int) -> None:
    match = new("short_game", players)
    assert match.view()["left_to_draw"] == drawn
    placed = [0] * players
    for _ in play_on(match, random.Random(2)):
        pass
    for entry in match.log:
        if "@" in entry.text:
            placed[entry.actor] += 1
    assert placed == [3 + drawn // players] * players
    assert match.winners


@pytest.mark.parametrize("variant", VARIANTS)
def test_bots_play_it_in_the_arena(variant: str) -> None:
    contest = Contest("lanterns", 2, ("random", "search:20"), {"variant": variant})
    contest.check()
    result = play_job(contest, next(contest.jobs()))
    assert len(result.games) == 2


def test_the_terminal_plays_it(tmp_path: Path) -> None:
    """A player who always takes the first move of the list, against a bot."""
    record = tmp_path / "game.json"
    words = ["--players", "2", "--bot", "random", "--seed", "1", "--option", "variant=short_game"]
    result = CliRunner().invoke(
        main, ["play", "lanterns", *words, "--save", str(record)], input="list\n1\n" * 60
    )
    assert result.exit_code == 0, result.output
    match = lampion.load(record.read_text())
    assert match.is_over
    assert match.options["variant"] == "short_game"
    assert lampion.verify(record.read_text()) < 22, "the published game has so many draws"


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_is_an_environment(variant: str) -> None:
    env = zoo.env("lanterns", players=2, options={"variant": variant})
    env.reset(seed=1)
    chooser = np.random.default_rng(1)
    for agent in env.agent_iter():
        seen, _, is_over, *_ = env.last()
        legal = np.flatnonzero(seen["action_mask"])
        env.step(None if is_over else int(chooser.choice(legal)))
        assert agent in env.possible_agents


def test_the_environment_knows_the_tiles_of_open_hands_and_only_those() -> None:
    for variant, is_known in (("open_hands", True), ("standard", False)):
        env = BatchEnv("lanterns", 1, players=2, options={"variant": variant})
        env.reset(seed=1)
        unseen = OBSERVATION.read(env.observe(0, 0))["unseen"]
        state: Any = env.state(0)
        assert (unseen[state.hand[0]] == 0).all()
        assert (unseen[state.hand[1]] == (0 if is_known else 1)).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_record_says_which(variant: str) -> None:
    match = new(variant)
    for _ in play_on(match, random.Random(3)):
        pass
    record = lampion.dump(match)
    assert json.loads(record)["options"] == {"variant": variant}
    assert lampion.load(record).state == match.state
