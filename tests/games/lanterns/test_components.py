"""The pieces of Lanterns: the published facts, and your own files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import lampion
from lampion.games.lanterns.components import (
    COLOR_LETTERS,
    SIDE_X,
    SIDE_Y,
    START_TILE,
    num_rotations,
    read_components,
    sides_text,
)
from lampion.games.lanterns.state import CELL_MASK, MAX_LAKE_TILES, NORTHWARD
from tests.support import components_of

TOML = Path(lampion.find_game("lanterns").__file__).with_name("components.toml").read_text()


def test_thirty_six_tiles_with_eleven_platforms_and_twenty_sides_of_each_color() -> None:
    tiles = components_of("lanterns")["tiles"]
    assert len(tiles) == 36
    assert sum(tile.get("platform", False) for tile in tiles) == 11
    sides = Counter(
        "".join(tile["sides"] for number, tile in enumerate(tiles) if number != START_TILE)
    )
    assert sides == dict.fromkeys(COLOR_LETTERS, 20)


def test_a_quarter_turn_clockwise_moves_north_to_east() -> None:
    """The example of the rules: tile 12 at r0 and r1."""
    assert sides_text("BWOR", 0) == "BWOR"
    assert sides_text("BWOR", 1) == "RBWO"
    assert [sides_text(sides_text("BWOR", turn), 4 - turn) for turn in (1, 2, 3)] == ["BWOR"] * 3


@pytest.mark.parametrize(
    ("sides", "different"), [("BWOR", 4), ("BOBO", 2), ("BBBB", 1), ("BBOO", 4), ("GGGR", 4)]
)
def test_rotations_that_look_different(sides: str, different: int) -> None:
    assert num_rotations(sides) == different


def test_the_helix_keeps_all_places_of_a_lake_apart() -> None:
    """Two places of one lake, free or not, are at most as far apart as there are tiles; none of
    those distances comes round."""
    reach = MAX_LAKE_TILES + 1
    same_cell = [
        (dx, dy)
        for dx in range(-reach, reach + 1)
        for dy in range(-reach, reach + 1)
        if 0 < abs(dx) + abs(dy) <= reach and (dx + NORTHWARD * dy) & CELL_MASK == 0
    ]
    assert same_cell == []
    assert len(SIDE_X) == len(SIDE_Y) == 4


def test_a_line_of_all_tiles_has_no_false_neighbors() -> None:
    match = lampion.new("lanterns", 4, seed=3)
    while not match.view()["turn"]["final_round"]:
        eastmost = max(
            (text for text in match.legal_actions() if text.endswith(",0")),
            key=lambda text: int(text.split("@")[1][:-2]),
            default=None,
        )
        match.submit(eastmost or next(text for text in match.legal_actions() if text[0] in "-d"))
    assert {tile["x"] for tile in match.view()["lake"]} == set(range(33))
    assert len(match.view()["free_places"]) == 2 * 33 + 2


def test_published_components_are_standard() -> None:
    pieces = read_components(None)
    assert pieces.is_standard
    assert read_components(TOML.encode()).hash == pieces.hash


def test_a_file_of_ones_own_changes_the_game_and_marks_the_record(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TOML.replace("generic_dedication_honor = 4", "generic_dedication_honor = 1"))
    match = lampion.new("lanterns", 2, seed=1, components=path)
    assert match.view()["generic_honor"] == 1
    record = match.to_record(reveal_seed=True)
    assert record.components == match.components.hash
    with pytest.raises(lampion.InvalidRecord) as refused:
        lampion.load(record)
    assert refused.value.code == "other-components"
    assert lampion.load(record, components=path).state == match.state


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (('sides = "BBKP"', 'sides = "BBKX"'), "tiles[1].sides"),
        (('sides = "BBKP"', 'sides = "BBK"'), "tiles[1].sides"),
        (('sides = "BBKP"', 'sides = "BBKP", start = true'), "tiles"),
        (('sides = "RWKB", start = true', 'sides = "OWKB", start = true'), "tiles[0].sides"),
        (("draw_stack = 16", "draw_stack = 17"), "setup.2.draw_stack"),
        (("draw_stack = 20", "draw_stack = 32"), "setup.4.draw_stack"),
        (("honor = 10", "honor = 3"), "dedications.seven_unique"),
        (("hand_tiles = 3", "hand_tiles = 4"), "hand_tiles"),
        (("hand_tiles = 3", "hand_tile = 3"), ""),
        (('colors = "ROGBPWK"', 'colors = "RGOBPWK"'), "colors"),
        (("hand_tiles = 3", "hand_tiles = "), ""),
    ],
)
def test_a_bad_file_is_refused_with_the_place(change: tuple[str, str], where: str) -> None:
    assert change[0] in TOML
    with pytest.raises(lampion.InvalidComponents) as refused:
        read_components(TOML.replace(*change, 1).encode(), "mine.toml")
    assert where in refused.value.where
    assert "\n" not in str(refused.value)
