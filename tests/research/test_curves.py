"""What a training run needs around it: a bot made of a policy, matches between bots, curves."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lampion.arena.meeting import meet, named, share_won
from lampion.bots.base import Budget
from lampion.bots.levels import BotPlayer, make_player
from lampion.core.game import find_game
from lampion.core.observation import observation_of
from lampion.research.curves import curves
from lampion.research.features import Encoder, encoder_for
from lampion.research.policybot import PolicyBot
from lampion.research.runs import TrainingRun, read_curve, read_result
from tests.support import GAMES

ANY = GAMES[0]


def test_a_policy_is_asked_about_what_the_seat_sees() -> None:
    asked: list[tuple[Any, Any]] = []

    def highest(observations: Any, masks: Any) -> Any:
        asked.append((observations.copy(), masks.copy()))
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    bots = {"mine": BotPlayer("mine", PolicyBot(highest), Budget()), **named("random")}
    found = meet("kuhn", 2, bots, 3)
    assert [one.bot for one in found] == ["mine", "random"]
    layout = observation_of(find_game("kuhn")).OBSERVATION
    for observations, masks in asked:
        seen = layout.read(observations)
        assert masks.sum() == 2 and seen["to_act"][0] == 1
        assert seen["card"][0, 0] > 0 and seen["card"][0, 1] == 0, "the other card is hidden"


def test_a_match_of_objects_is_that_of_the_arena() -> None:
    """The same deals, seats and ratings as by name."""
    strong = BotPlayer("strong", make_player("search:30").bot, Budget(iterations=30))
    assert share_won("connect_four", strong, "random", 2) >= 0.75
    found = meet("leduc", 2, {"strong": strong, **named("random")}, 20, anchor="random")
    assert found[1].elo == 0 and found[0].won + found[1].won == pytest.approx(1)
    assert found == meet("leduc", 2, {"strong": strong, **named("random")}, 20, anchor="random")


def test_an_encoder_without_constants_keeps_the_rest() -> None:
    layout = observation_of(find_game(ANY)).OBSERVATION
    whole, part = Encoder(layout), encoder_for(ANY, 2)
    vectors = np.random.default_rng(0).integers(0, layout.highest(), (4, layout.size), np.uint8, endpoint=True)  # fmt: skip
    assert 0 < part.width < whole.width
    np.testing.assert_array_equal(part(vectors), whole(vectors)[:, part.kept])


def test_curves_are_valid_svg_with_a_line_for_each_name() -> None:
    drawn = curves({"a & b": [(0, 0.1), (4, 0.9)], "flat": [(0, 0.5), (4, 0.5)]}, "Won", x="time")
    tree = ET.fromstring(drawn._repr_svg_())
    lines = tree.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 2 and repr(drawn) == "<Picture>"
    heights = [float(pair.split(",")[1]) for pair in lines[0].attrib["points"].split()]
    assert heights[0] > heights[1], "more is higher up"
    assert lines[0].attrib["stroke-dasharray"] != lines[1].attrib["stroke-dasharray"]
    assert curves({"one": [(1, 2)]}, "A point")


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    run = TrainingRun(tmp_path / "run", {"seed": 3, "out": "elsewhere", "data": None})
    run.add({"steps": 0, "won": 0.25})
    assert [row["steps"] for row in read_curve(run.folder)] == [0], "rows are there at once"
    run.add({"steps": 8, "won": 0.5})
    run.finish(meet("kuhn", 2, named("greedy", "random"), 1))
    assert read_curve(run.folder) == run.rows and run.rows[1]["steps"] == 8
    result = read_result(run.folder)
    assert result["settings"] == {"seed": 3, "data": None}
    assert [one["bot"] for one in result["strength"]] == ["greedy", "random"]
    assert result["versions"]["numpy"]
