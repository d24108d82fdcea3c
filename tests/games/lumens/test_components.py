"""The pieces of Lumens: the published facts, and your own files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import lampion
from lampion.core.match import Match
from lampion.games.lumens.components import read_components
from tests.games.lumens.build import YELLOW, position, reached_from, targets
from tests.games.lumens.for_all import check_rooms, check_ways
from tests.support import components_of, play_on

TOML = Path(lampion.find_game("lumens").__file__).with_name("components.toml").read_text()

ODD = """
format = "lampion-components/1"
game = "lumens"
player_colors = ["yellow", "green", "red", "violet"]
points_first = 5
points_second = { 2 = 1, 3 = 3, 4 = 3 }
tokens = [{ faces = [1, 2], count = 3 }, { faces = [3, 5], count = 4 }]

[boards.islands]
players = [2, 3, 4]
center = "Z"
map = [
  "AAA.  .AAA",
  "...... ...",
  "..ZZZZZZ..",
]

[boards.islands.starts]
2 = [[0, 0], [9, 0]]
3 = [[0, 0], [2, 2], [3, 2]]
4 = [[0, 0], [1, 0], [2, 0], [7, 0]]
"""
"""A board with holes, all start squares of four players in one room, fewer tokens, other points."""


def test_the_published_boards_are_symmetric_and_have_their_rooms() -> None:
    boards = components_of("lumens")["boards"]
    assert {name: len(set("".join(board["map"])) - {"."}) for name, board in boards.items()} == {
        "p34": 11,
        "p2": 9,
    }
    for board in boards.values():
        shape = [[sign != "." for sign in row] for row in board["map"]]
        assert shape == shape[::-1] == [row[::-1] for row in shape]


def test_published_components_are_standard() -> None:
    pieces = read_components(None)
    assert pieces.is_standard
    assert read_components(TOML.encode()).hash == pieces.hash


# --- your own files ---------------------------------------------------------------------------


def test_a_file_of_ones_own_changes_the_game_and_marks_the_record(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TOML.replace("points_first = 4", "points_first = 9"))
    match = lampion.new("lumens", 2, seed=1, components=path)
    for player in range(2):
        match.submit(match.legal_actions(player)[0], player)
    assert match.scores == [9, 9]
    record = match.to_record(reveal_seed=True)
    assert record.components == match.components.hash
    with pytest.raises(lampion.InvalidRecord) as refused:
        lampion.load(record)
    assert refused.value.code == "other-components"
    assert lampion.load(record, components=path).state == match.state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_odd_board_can_be_played_to_the_end(players: int, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(ODD)
    for seed in range(5):
        match = lampion.new("lumens", players, seed=seed, components=path)
        for running in play_on(match, random.Random(seed)):
            check_rooms(running.state)  # type: ignore[arg-type]
            for player in range(players):
                check_ways(running.state, player)  # type: ignore[arg-type]
            assert running.draw() and running.svg(running.to_act)
        assert match.view()["board"]["map"] == ["AAA.  .AAA", "...... ...", "..ZZZZZZ.."]
        assert sum(match.scores) > 0


def test_nothing_counts_across_a_hole() -> None:
    odd = read_components(ODD.encode())
    match = position("y5@b3 y5@a2", active=YELLOW, players=2, hand="35", components=odd)
    assert reached_from(match, "b3") == set()
    assert reached_from(match, "a2") == {"f2"}
    assert "g2" not in targets(match)
    with pytest.raises(lampion.IllegalAction, match="no square g2"):
        match.submit("g2=3")


def test_a_file_needs_no_balanced_start_squares() -> None:
    odd = read_components(ODD.encode())
    with pytest.raises(lampion.InvalidOptions) as refused:
        Match(lampion.find_game("lumens"), 3, {"starts": "balanced"}, components=odd)
    assert refused.value.code == "option-not-in-components"


@pytest.mark.parametrize(
    ("change", "where", "problem"),
    [
        (
            ('"AA....BBB....CC",', '"AA....BBB....C",'),
            "boards.p34.map",
            "equal length, not 14 and 15",
        ),
        (('"AA....BBB....CC",', '"AA....bbb....CC",'), "boards[...].map[0]", "matching regex"),
        (('"AA....BBB....CC",', '"AA....BBB....CCC",'), "boards[...].map[0]", "matching regex"),
        (('center = "F"', 'center = "X"'), "boards.p34.center", "no room X"),
        (("boards.p2", 'boards."../p2"'), "boards", "matching regex"),
        (("players = [2]", "players = [2, 3]"), "boards", "one board for 3 players, not 2"),
        (("players = [2]", "players = [4]"), "boards", "one board for 2 players, not 0"),
        (
            ("2 = [[0, 8], [12, 0]]", "2 = [[0, 8]]"),
            "boards.p2.starts.2",
            "need 2 start squares, not 1",
        ),
        (("2 = [[0, 8], [12, 0]]", "2 = [[0, 8], [0, 8]]"), "boards.p2.starts.2", "same square"),
        (
            ("2 = [[0, 8], [12, 0]]", "2 = [[0, 9], [12, 0]]"),
            "boards.p2.starts.2[0]",
            "[0, 9] is not on the board",
        ),
        (
            ("2 = [[0, 8], [12, 0]]", "2 = [[0, 8], [13, 0]]"),
            "boards.p2.starts.2[1]",
            "[13, 0] is not on the board",
        ),
        (("2 = [[0, 8], [12, 0]]", "2 = [[0, 8], [15, 0]]"), "boards[...].starts.2[1][0]", "<= 14"),
        (("2 = [[0, 8], [12, 0]]", ""), "boards.p2.starts.2", "are missing"),
        (
            (
                "2 = [[0, 8], [12, 0]]",
                "2 = [[0, 8], [12, 0]]\n4 = [[0, 0], [1, 0], [2, 0], [3, 0]]",
            ),
            "boards.p2.starts.4",
            "not for 4",
        ),
        (
            ("faces = [1, 6]", "faces = [6, 1]"),
            "tokens[0].faces",
            "the lower of two different faces",
        ),
        (
            ("faces = [1, 6]", "faces = [6, 6]"),
            "tokens[0].faces",
            "the lower of two different faces",
        ),
        (("faces = [1, 6]", "faces = [1, 5]"), "tokens", "share a face"),
        (("faces = [1, 6]", "faces = [1, 7]"), "tokens[0].faces[1]", "<= 6"),
        (("faces = [1, 6], count = 8", "faces = [1, 6], count = 0"), "tokens[0].count", ">= 1"),
        (('"yellow"', '"orange"'), "player_colors[0]", "orange"),
        (("points_first", "points_fist"), "", "points_fist"),
        (("points_first = 4", "points_first = "), "", "TOML"),
    ],
)
def test_a_bad_file_is_refused_with_the_place(
    change: tuple[str, str], where: str, problem: str
) -> None:
    assert change[0] in TOML
    with pytest.raises(lampion.InvalidComponents) as refused:
        read_components(TOML.replace(*change, 1).encode(), "mine.toml")
    assert where in refused.value.where
    assert problem in refused.value.message
    assert "\n" not in str(refused.value)


def test_a_single_token_is_not_enough() -> None:
    single = ODD.replace("count = 3", "count = 1").replace(", { faces = [3, 5], count = 4 }", "")
    with pytest.raises(lampion.InvalidComponents, match="a start token and a token in hand"):
        read_components(single.encode())
