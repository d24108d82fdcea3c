"""The notation of Lanterns Dice over its whole domain, and what it refuses."""

from __future__ import annotations

import pytest

import lampion
from lampion.games.lanterns_dice.actions import (
    ACTIONS,
    DEAL_SHEETS,
    NUM_PLACEMENTS,
    PLACEMENT_OF,
    PLACEMENT_POOLS,
    placement_place,
)
from lampion.games.lanterns_dice.components import (
    NUM_COLUMNS,
    NUM_ORIENTATIONS,
    POOL_NAMES,
    SHAPE_NAMES,
    SHAPES,
    cells,
    lowest_orientation,
)
from lampion.games.lanterns_dice.notation import action_text, parse_action, placement_text
from lampion.games.lanterns_dice.state import State, pools_in
from tests.games.lanterns_dice.build import position


@pytest.fixture(scope="module")
def state() -> State:
    state = position(2).state
    assert isinstance(state, State)
    return state


def test_every_action_is_read_as_it_is_written(state: State) -> None:
    texts = [action_text(state, 0, action) for action in range(ACTIONS.size)]
    assert len(set(texts)) == ACTIONS.size
    assert all(text.isascii() for text in texts)
    assert [parse_action(state, 0, text) for text in texts] == list(range(ACTIONS.size))
    assert all(
        ACTIONS.block_of(action).name in ("sheets", "fireworks", "emperor", "roll")
        for action in range(DEAL_SHEETS, ACTIONS.size)
    )


@pytest.mark.parametrize(
    ("name", "different", "placements"),
    [
        ("I3", 2, 78),
        ("V3", 4, 160),
        ("O4", 1, 40),
        ("T4", 4, 134),
        ("L4", 8, 268),
        ("S4", 4, 134),
        ("U5", 4, 134),
        ("X5", 1, 28),
    ],
)
def test_orientations_that_look_different_and_their_places(
    name: str, different: int, placements: int
) -> None:
    shape = SHAPE_NAMES.index(name)
    looks = {cells(name, orientation) for orientation in range(NUM_ORIENTATIONS)}
    own = [place for place in PLACEMENT_OF if place[0] == shape]
    assert len(looks) == different == len({orientation for _, orientation, _ in own})
    assert len(own) == placements
    assert all(lowest_orientation(name, orientation) == orientation for _, orientation, _ in own)


def test_four_quarter_turns_or_two_mirrorings_change_nothing() -> None:
    for name, rows in SHAPES.items():
        width, height = len(rows[0]), len(rows)
        for orientation in range(NUM_ORIENTATIONS):
            box = {(x + 1, y + 1) for x, y in cells(name, orientation)}
            assert (max(x for x, _ in box), max(y for _, y in box)) == (
                (width, height) if orientation % 2 == 0 else (height, width)
            )
        mirrored = {(width - 1 - x, y) for x, y in cells(name, 0)}
        assert cells(name, 4) == mirrored
        turned = {(y, width - 1 - x) for x, y in cells(name, 0)}
        assert cells(name, 1) == turned, "a quarter turn clockwise takes the left side to the top"


def test_any_orientation_is_read(state: State) -> None:
    for name in SHAPE_NAMES:
        for orientation in range(NUM_ORIENTATIONS):
            action = parse_action(state, 0, f"{name}o{orientation}@c3")
            assert (
                action_text(state, 0, action)
                == f"{name}o{lowest_orientation(name, orientation)}@c3"
            )


def test_a_placement_covers_the_cells_of_its_orientation_from_its_corner() -> None:
    for placement in range(NUM_PLACEMENTS):
        shape, orientation, corner = placement_place(placement)
        row, column = divmod(corner, NUM_COLUMNS)
        expected = {(column + x, row + y) for x, y in cells(SHAPE_NAMES[shape], orientation)}
        covered = {
            (pool % NUM_COLUMNS, pool // NUM_COLUMNS)
            for pool in pools_in(PLACEMENT_POOLS[placement])
        }
        assert covered == expected, placement_text(placement)


def test_pools_are_named_from_the_lower_left() -> None:
    assert (POOL_NAMES[0], POOL_NAMES[8], POOL_NAMES[9], POOL_NAMES[53]) == ("a1", "i1", "a2", "i6")


@pytest.mark.parametrize(
    "text",
    ["", "c7u", "j1u", "c4", "c4lu", "C4u", "t4", "e0", "e4", "skip ", " skip", "T4@c4", "T4o8@c4", "I5o0@a1", "rRBO", "rRBOK",
     "sheets A", "sheets ABCDE", "fireworks I3", "emperor ABC", "reroll 1", "c\u0661u", "pass"],
)  # fmt: skip
def test_invalid_notation_is_refused(state: State, text: str) -> None:
    with pytest.raises(lampion.InvalidAction):
        parse_action(state, 0, text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("T4o0@h1", "D15"),
        ("T4o1@a5", "D15"),
        ("I3o1@a5", "D15"),
        ("sheets BA", "D1"),
        ("sheets AA", "D1"),
        ("fireworks V3 I3 O4 X5", "D2"),
        ("fireworks T4 I3 O4 X5", "D2"),
    ],
)
def test_what_names_a_thing_that_is_not_there_is_illegal(
    state: State, text: str, rule: str
) -> None:
    with pytest.raises(lampion.IllegalAction) as refused:
        parse_action(state, 0, text)
    assert refused.value.rule == rule


def test_a_bare_e3_is_the_card_and_never_the_pool(state: State) -> None:
    assert ACTIONS.block_of(parse_action(state, 0, "e3")).name == "card"
    assert ACTIONS.block_of(parse_action(state, 0, "e3u")).name == "shade"
    assert ACTIONS.block_of(parse_action(state, 0, "e3ul")).name == "shade_pool"
