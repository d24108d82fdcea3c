"""The pieces of Lanterns Dice: published facts, what holds for the reconstructed
lakes, and your own files."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import lampion
from lampion.core.components import components_schema
from lampion.games.lanterns_dice.components import (
    CARD_ACTIONS,
    COLOR_LETTERS,
    LAKE_NAMES,
    SHAPE_NAMES,
    SHAPE_SIZES,
    SHEET_LETTERS,
    LanternsDiceFile,
    read_components,
)
from tests.support import components_of, play_on

TOML = Path(lampion.find_game("lanterns_dice").__file__).with_name("components.toml").read_text()

every_lake = pytest.mark.parametrize("name", LAKE_NAMES)

Place = tuple[int, int]
"""Row and column of a pool, from the top left."""


def lake(name: str) -> dict[Place, str]:
    rows = components_of("lanterns_dice")["lakes"][name]
    return {
        (row, column): code
        for row, codes in enumerate(rows)
        for column, code in enumerate(codes.split())
    }


# --- published facts ------------------------------------------------------------------------------


def test_eight_shapes_with_six_tiles_each_and_top_values_by_size() -> None:
    pieces = read_components(None)
    for name, size in zip(SHAPE_NAMES, SHAPE_SIZES, strict=True):
        shape = pieces.shape(name)
        assert len(shape.honor) == 6
        assert shape.honor[0] == {"small": 4, "medium": 5, "large": 6}[size]
        assert "".join(shape.rows).count("X") == {"small": 3, "medium": 4, "large": 5}[size]
    assert pieces.fireworks.first_game == ["V3", "O4", "T4", "U5"]


def test_three_cards_cost_one_two_and_three_gifts_and_have_six_actions() -> None:
    cards = read_components(None).emperor_cards
    assert [card.cost for card in cards] == [1, 2, 3]
    assert [action for card in cards for action in (card.A, card.B)] == [*CARD_ACTIONS]


def test_sheet_a_starts_with_red() -> None:
    assert read_components(None).bonuses("A").turns_1_to_6[0] == "R"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_turn_has_a_bonus_and_the_sheets_differ(players: int) -> None:
    pieces = read_components(None)
    columns = [pieces.bonuses(letter).column(players) for letter in SHEET_LETTERS]
    assert [len(column) for column in columns] == [{2: 10, 3: 8, 4: 6}[players]] * 4
    assert all(sorted(column[:6]) == sorted(COLOR_LETTERS) for column in columns)
    assert len({column[0] for column in columns}) == 4


# --- the balance of the reconstructed lakes -------------------------------------------------------


@every_lake
def test_a_pool_has_two_colors_and_a_color_eighteen_areas(name: str) -> None:
    codes = lake(name).values()
    assert len(codes) == 54
    assert all(code[0] != code[1] for code in codes)
    assert Counter("".join(code[:2] for code in codes)) == dict.fromkeys(COLOR_LETTERS, 18)


@every_lake
def test_every_block_of_three_by_three_pools_holds_each_color_three_times(name: str) -> None:
    """The six blocks into which the lake falls."""
    codes = lake(name)
    for top in (0, 3):
        for left in (0, 3, 6):
            block = [
                codes[row, column][:2]
                for row in range(top, top + 3)
                for column in range(left, left + 3)
            ]
            assert Counter("".join(block)) == dict.fromkeys(COLOR_LETTERS, 3)


def side_colors(place: Place, code: str) -> dict[str, str]:
    """The color that lies along each side of a pool.

    The diagonal is `/` when row + column is even and `\\` when it is odd. The upper area always
    lies along the top and the lower along the bottom; with `/` the upper has the left side too,
    with `\\` the right one.
    """
    upper, lower = code[0], code[1]
    left, right = (upper, lower) if sum(place) % 2 == 0 else (lower, upper)
    return {"top": upper, "bottom": lower, "left": left, "right": right}


@every_lake
def test_touching_areas_differ_in_color(name: str) -> None:
    """Two areas touch if they share the diagonal of a pool or a side between two pools; meeting at
    a corner is not touching."""
    sides = {place: side_colors(place, code) for place, code in lake(name).items()}
    for (row, column), own in sides.items():
        assert own["top"] != own["bottom"], "the two areas of a pool"
        if row > 0:
            assert own["top"] != sides[row - 1, column]["bottom"]
        if column > 0:
            assert own["left"] != sides[row, column - 1]["right"]


def places(name: str, features: str) -> list[Place]:
    return [place for place, code in lake(name).items() if code[2] in features]


def adjacent(a: Place, b: Place) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


@every_lake
def test_twelve_pavilions_two_on_each_color(name: str) -> None:
    codes = lake(name)
    stand_on = [codes[place]["^v".index(codes[place][2])] for place in places(name, "^v")]
    assert Counter(stand_on) == dict.fromkeys(COLOR_LETTERS, 2)


@every_lake
def test_nine_platforms_with_two_adjacent_pairs(name: str) -> None:
    platforms = places(name, "#")
    assert len(platforms) == 9
    assert sum(adjacent(a, b) for a, b in combinations(platforms, 2)) == 2


@every_lake
def test_six_boats_inside_the_lake_that_never_touch(name: str) -> None:
    """Not even at a corner."""
    boats = places(name, "b")
    assert len(boats) == 6
    assert all(0 < row < 5 and 0 < column < 8 for row, column in boats)
    assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) > 1 for a, b in combinations(boats, 2))


# --- your own files ---------------------------------------------------------------------------


def test_published_components_are_standard() -> None:
    pieces = read_components(None)
    assert pieces.is_standard
    assert read_components(TOML.encode()).hash == pieces.hash
    assert read_components(json.dumps(components_of("lanterns_dice")).encode()).hash == pieces.hash


OWN = (
    ("starting_gifts = 1", "starting_gifts = 4"),
    ("reroll_cost_gifts = 1", "reroll_cost_gifts = 2"),
    ("2 = 10", "2 = 7"),
    ("honor = [4, 4, 3, 3, 2, 2]", "honor = [9, 1]"),
    ('A = "own_die"\nB = "diagonal_die"', 'A = "two_same"\nB = "whole_pool"'),
    ("cost = 2", "cost = 0"),
    ('"OG. PB. BWv', '"RG# PBb BWv'),
    ('"RBOWGP"', '"PBOWGP"'),
)


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    text = TOML
    for old, new in OWN:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return path


def test_a_file_of_ones_own_changes_the_game_and_marks_the_record(own_file: Path) -> None:
    match = lampion.new(
        "lanterns_dice",
        2,
        seed=1,
        components=own_file,
        options={"fireworks": "I3 V3 O4 T4", "emperor": "AAA"},
    )
    view = match.view()
    assert view["turn"]["of"] == 7
    assert view["stacks"][0]["honors"] == [9, 1]
    assert [card["action"] for card in view["emperor"]] == [
        "two_same",
        "colour_not_shown",
        "whole_pool",
    ]
    assert view["emperor"][1]["cost"] == 0
    assert view["seats"][0]["gifts"] == 4
    assert view["seats"][0]["lake"][0].startswith("RG# PBb BWv")
    assert view["reroll_cost"] == 2
    record = match.to_record(reveal_seed=True)
    assert record.components == match.components.hash
    with pytest.raises(lampion.InvalidRecord) as refused:
        lampion.load(record)
    assert refused.value.code == "other-components"
    assert lampion.load(record, components=own_file).state == match.state


def test_games_with_a_file_of_ones_own_can_be_played_to_the_end(own_file: Path) -> None:
    for seed in range(5):
        match = lampion.new("lanterns_dice", 2, seed=seed, components=own_file)
        for _ in play_on(match, random.Random(seed)):
            pass
        trays = [entry for entry in match.log if entry.text in ("t0", "t1", "t2", "t3")]
        assert len(trays) == 2 * 7


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        (("cols = 9", "cols = 8"), "grid", "9 x 6 pools, not 8 x 6"),
        (('colors = "ROWGBP"', 'colors = "ROWGBK"'), "colors", "always ROWGBP"),
        (("2 = [0, 2]", "2 = [0, 1]"), "seats.2", "always have the seats [0, 2]"),
        (("medium = 2", "medium = 1"), "fireworks.random.medium", "always takes 2"),
        (('rows = ["XXX"]', 'rows = ["XX"]'), "fireworks.shapes.I3.rows", "the shapes are fixed"),
        (('size = "small"', 'size = "large"'), "fireworks.shapes.I3.size", "the sizes are fixed"),
        (("[4, 4, 3, 3, 2, 2]", "[4, 4, 5, 3, 2, 2]"), "fireworks.shapes.I3.honor", "descending order"),
        (("[4, 4, 3, 3, 2, 2]", "[]"), "fireworks.shapes.I3.honor", "length >= 1"),
        (('["V3", "O4", "T4", "U5"]', '["V3", "O4", "T4", "T4"]'), "fireworks.first_game", "must be different"),
        (('["V3", "O4", "T4", "U5"]', '["V3", "O4", "T4"]'), "fireworks.first_game", "length >= 4"),
        (('A = "own_die"', 'A = "own_dice"'), "emperor_cards[0].A", "own_dice"),
        (("cost = 1", "cost = -1"), "emperor_cards[0].cost", ">= 0"),
        (('"OG. PB.', '"OG.'), "lakes.lake1[0]", "9 pools, not 8"),
        (('"OG. PB.', '"OO. PB.'), "lakes.lake1[0], pool a6", "different colors, not O twice"),
        (('"OG. PB.', '"OK. PB.'), "lakes.lake1[0], pool a6", "'K' is not a color"),
        (('"OG. PB.', '"OG. PB?'), "lakes.lake1[0], pool b6", "'?' is no feature"),
        (('"OG. PB.', '"OG. PB'), "lakes.lake1[0], pool b6", "two colors and a feature"),
        (('  "RW^ OG. RW. OR. GPv BO. PB. RBv RG^",\n', ""), "lakes.lake1", "6 rows, not 5"),
        (('"RBOWGP"', '"RBOWG"'), "turn_bonuses.A.turns_1_to_6", "6 bonuses, not 5"),
        (('"RBOWGP"', '"RBOWGK"'), "turn_bonuses.A", "'K' is not a color"),
        (('"RWOB"', '"RWO"'), "turn_bonuses.A", "2 players take 10 turns, but have only 9 bonuses"),
        (("4 = 6", "4 = 7"), "turn_bonuses.A", "4 players take 7 turns"),
        (("2 = 10", "2 = 17"), "turns.2", "<= 16"),
        (("reroll_cost_gifts = 1", "reroll_cost_gifts = 0"), "reroll_cost_gifts", ">= 1"),
        (("starting_gifts = 1", "starting_gift = 1"), "", "unknown field"),
        (("starting_gifts = 1", "starting_gifts = "), "", "TOML"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_the_place_and_a_clear_sentence(
    change: tuple[str, str], where: str, message: str
) -> None:
    assert change[0] in TOML
    with pytest.raises(lampion.InvalidComponents) as refused:
        read_components(TOML.replace(*change, 1).encode(), "mine.toml")
    assert where in refused.value.where
    assert message in refused.value.message
    assert "\n" not in str(refused.value)


# --- the published schema -------------------------------------------------------------------------


def is_in_the_schema(pieces: dict[str, Any]) -> bool:
    return bool(
        jsonschema.Draft202012Validator(components_schema(LanternsDiceFile)).is_valid(pieces)
    )


def test_the_schema_takes_the_published_pieces() -> None:
    assert is_in_the_schema(components_of("lanterns_dice"))


@pytest.mark.parametrize(
    ("place", "bad"),
    [
        ("grid cols", 8),
        ("colors", "RGB"),
        ("seats 2", [0, 1]),
        ("fireworks random large", 2),
        ("lakes lake2", ["OG."] * 6),
        ("lakes lake2", ["OG. PB. BWv OB. PG. BO# GW. RGv BR."] * 5),
        ("turn_bonuses A turns_1_to_6", "RBOWG"),
        ("turn_bonuses A two_players", "K"),
        ("starting_gifts", -1),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(place: str, bad: object) -> None:
    pieces = components_of("lanterns_dice")
    part = pieces
    *path, last = place.split()
    for key in path:
        part = part[key]
    part[last] = bad
    assert not is_in_the_schema(pieces)
    with pytest.raises(lampion.InvalidComponents):
        read_components(json.dumps(pieces).encode())
