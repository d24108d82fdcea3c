"""Golden records load, verify and end as they always did; each game has one for every way it can end."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

import lampion
from lampion.core.gamelog import read_record
from tests.golden.make import playthrough
from tests.support import GAMES, GOLDEN

RECORDS = [path for game in GAMES for path in sorted((GOLDEN / game).glob("*.json"))]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_record_plays_as_it_always_did(path: Path) -> None:
    record = read_record(path.read_bytes())
    match = lampion.load(record)
    assert match.is_over
    assert lampion.verify(record) > 0
    assert lampion.dump(match) == path.read_text().strip()
    told = path.with_suffix(".txt")
    if told.exists():
        assert playthrough(match) == told.read_text()


@pytest.mark.parametrize("game", GAMES)
def test_every_way_a_game_can_end_has_its_record(game: str) -> None:
    wanted = importlib.import_module(f"tests.games.{game}.golden_wanted").WANTED
    for name, (players, options, shows) in wanted.items():
        match = lampion.load((GOLDEN / game / f"{name}.json").read_text())
        assert (match.players, match.options) == (players, options)
        assert shows(match), name


PERFT = [
    (game, line)
    for game in GAMES
    for line in (GOLDEN / game / "perft.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize(("game", "line"), PERFT)
def test_perft_counts_stay_the_same(game: str, line: str) -> None:
    """Each line: players, options, seed (null: before the deal), and the counts by depth."""
    from lampion.cli.perft import count_sequences
    from lampion.core.match import Match

    told = json.loads(line)
    match = lampion.new(game, told["players"], seed=told["seed"] or 0, options=told["options"])
    if told["seed"] is None:
        match = Match(lampion.find_game(game), told["players"], told["options"])
    assert [count_sequences(match, depth) for depth in range(len(told["counts"]))] == told["counts"]
