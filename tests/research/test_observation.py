"""Observations: made of what a seat sees and of nothing else, within their limits, and telling the truth."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.observation import Vector, observation_of
from lampion.core.record import Record
from lampion.core.types import SPECTATOR
from lampion.research.stepping import observe_at
from tests.support import ALL_GAMES, GAMES, Case, play_on


def numbers_of(state: Record, seat: int) -> Vector:
    out = np.full(observation_of(state_game(state)).OBSERVATION.size, 255, np.uint8)
    observe_at(state.batch, state.index, seat, out)
    return out


def state_game(state: Record) -> Any:
    return next(find_game(name) for name in ALL_GAMES if type(state) is find_game(name).State)


def moments(case: Case, every: int = 5) -> Iterator[Match]:
    for match in play_on(case.new(3), random.Random(3)):
        if match.ply % every == 0:
            yield match


@pytest.mark.parametrize("game", ALL_GAMES)
def test_parts_follow_each_other_and_are_views(game: str) -> None:
    layout = observation_of(find_game(game)).OBSERVATION
    vectors = np.zeros((3, layout.size), np.uint8)
    for part, values in layout.read(vectors).items():
        assert values.shape == (3, *layout[part].shape)
        values += 1
    assert (vectors == 1).all()


# --- games without a module `observation` ------------------------------------------------------------------------------------------


@pytest.mark.skipif("leduc" not in ALL_GAMES, reason="another game is being tested")
def test_fields_of_the_record_are_numbers_counted_from_the_seat() -> None:
    match = Case("leduc", 3, {}).without_chance()
    for text in ("deal T", "deal Q", "deal K", "raise", "call", "fold", "turn J"):
        match.submit(text)
    ranks = "56789TJQK"
    own = {0: [1 + ranks.index("T"), 0, 0], 1: [1 + ranks.index("Q"), 0, 0], SPECTATOR: [0, 0, 0]}
    for seat, cards in own.items():
        numbers = parts(match, seat)
        order = [(max(seat, 0) + k) % 3 for k in range(3)]
        assert numbers["seat"] == [1 + seat]
        assert numbers["to_act"] == [1 + order.index(match.to_act)]
        assert numbers["card"][:3] == cards
        assert numbers["table_card"] == [1 + ranks.index("J")]
        assert numbers["folded"][:3] == [1 + (player == 2) for player in order]
        assert numbers["folded"][3:] == [0] * 5, "there is nobody"
    match.submit("call")
    match.submit("call")
    match.submit("show")
    assert parts(match, 1)["card"][:3] == [1 + ranks.index("Q"), 0, 1 + ranks.index("T")]
    assert parts(match, 1)["to_act"] == [0]


@pytest.mark.skipif("connect_four" not in ALL_GAMES, reason="another game is being tested")
def test_a_field_of_64_bits_is_a_set() -> None:
    match = Case("connect_four", 2, {}).without_chance()
    for text in ("a", "b", "a"):
        match.submit(text)
    own, other = parts(match, 1)["discs"]
    assert [sum(own), sum(other)] == [1, 2], "those of the seat come first"
    assert [k for k, is_in in enumerate(other) if is_in] == [0, 1]


# --- what the numbers tell, beside the view of the same seat -----------------------------------------------------------------------


def parts(match: Match, seat: int) -> dict[str, list[Any]]:
    layout = observation_of(match.game).OBSERVATION
    return {
        name: values.tolist() for name, values in layout.read(numbers_of(match.state, seat)).items()
    }


@pytest.mark.skipif("lanterns" not in GAMES, reason="another game is being tested")
def test_lanterns_in_numbers() -> None:
    letters = ".ROGBPWK"
    for match in moments(Case("lanterns", 3, {})):
        for seat in range(3):
            view, numbers = match.view(seat), parts(match, seat)
            assert numbers["supply"] == list(view["supply"].values())
            order = [view["seats"][(seat + k) % 3] for k in range(3)]
            assert numbers["lanterns"][:3] == [list(one["cards"].values()) for one in order]
            assert numbers["honor"][:3] == [one["honor"] for one in order]
            assert {tile for tile, is_unseen in enumerate(numbers["unseen"]) if is_unseen} == set(
                view["not_seen"]
            )
            hand = sorted(
                "".join(letters[color] for color in colors)
                for colors in numbers["hand_colors"]
                if colors[0]
            )
            assert hand == sorted(tile["sides"] for tile in order[0]["hand"])
            lake = {(tile["x"], tile["y"]): tile for tile in view["lake"]}
            check_free_places(numbers, lake, view["free_places"])


def check_free_places(
    numbers: dict[str, list[Any]], lake: dict[tuple[int, int], Any], places: list[list[int]]
) -> None:
    for f, (x, y) in enumerate(places):
        assert (numbers["place_x"][f] - 33, numbers["place_y"][f] - 33) == (x, y)
        for side, (dx, dy) in enumerate(((0, 1), (1, 0), (0, -1), (-1, 0))):
            beside = lake.get((x + dx, y + dy))
            facing = ".ROGBPWK".index(beside["sides"][(side + 2) % 4]) if beside else 0
            assert numbers["place_colors"][f][side] == facing
            assert numbers["place_platform"][f][side] == bool(beside and beside["platform"])
    assert not any(color for colors in numbers["place_colors"][len(places) :] for color in colors)


@pytest.mark.skipif("lanterns_dice" not in GAMES, reason="another game is being tested")
def test_lanterns_dice_in_numbers() -> None:
    table = Case("lanterns_dice", 3, {"lakes": "four"})
    for match in play_on(table.new(5), random.Random(5)):
        if match.ply % 6 == 0 and match.to_act >= 0:
            numbers, state = parts(match, 1), match.state
            order: list[int] = [1, 2, 0]
            assert numbers["score"][:3] == [match.scores[player] for player in order]
            assert numbers["active"] == [order.index(state.active)]  # type: ignore[attr-defined]
            for k, player in enumerate(order):
                halves = [
                    [state.shaded[player, half] >> pool & 1 for pool in range(54)]  # type: ignore[attr-defined]
                    for half in range(2)
                ]
                assert numbers["shaded"][k] == halves
                assert all(1 <= color <= 6 for half in numbers["colors"][k] for color in half)


@pytest.mark.skipif("lumens" not in GAMES, reason="another game is being tested")
def test_lumens_in_numbers() -> None:
    for match in moments(Case("lumens", 2, {})):
        for seat in (0, 1):
            numbers = parts(match, seat)
            order = [seat, 1 - seat]
            assert numbers["points"][:2] == [match.scores[player] for player in order]
            assert numbers["hand_size"][0] == (numbers["hand"] != [0])
            if (
                match.may_act(seat)
                and match.game.ACTIONS.block_of(int(match.legal_ids(seat)[0])).name == "place"
            ):
                squares = {int(action) // 6 for action in match.legal_ids(seat)}
                assert squares == {
                    square for square, reached in enumerate(numbers["reach"][0]) if reached
                }
