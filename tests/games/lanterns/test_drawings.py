"""The drawings of Lanterns: everything a player needs is on them, and nothing that is hidden."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import lampion
from lampion.core.match import Match
from lampion.core.types import SPECTATOR
from tests.games.lanterns.build import position
from tests.support import Case, finished

SVG = "{http://www.w3.org/2000/svg}"


def words(picture: str) -> list[str]:
    """What is written on a picture, from top to bottom as it is drawn."""
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def status(match: Match) -> str:
    """The line at the top, which is also the title that a screen reader reads first."""
    picture = match.svg()
    title = ElementTree.fromstring(picture).findtext(f"{SVG}title")
    assert title
    line = title.removeprefix("Lanterns: ")
    assert line in words(picture)
    return line


def compass(match: Match, seat: int) -> list[str]:
    """The letters around the lake, from the top clockwise."""
    picture = ElementTree.fromstring(match.svg(seat))
    for definitions in picture.findall(f"{SVG}defs"):
        picture.remove(definitions)  # a white lantern has a W, too
    letters = [
        (float(text.get("x", 0)), float(text.get("y", 0)), text.text or "")
        for text in picture.iter(f"{SVG}text")
        if text.text in ("N", "E", "S", "W")
    ]
    top, bottom = (pick(letters, key=lambda letter: letter[1]) for pick in (min, max))
    left, right = (pick(letters, key=lambda letter: letter[0]) for pick in (min, max))
    return [letter for *_, letter in (top, right, bottom, left)]


# --- the turn -------------------------------------------------------------------------------------


def test_the_line_at_the_top_says_what_is_to_be_done() -> None:
    match = position(2)
    assert status(match) == "Player 1 may exchange, dedicate or place"
    match = position(2, cards=["RRRRO", ""], favors=[2, 0])
    match.submit("xO>R")
    assert status(match) == "Player 1 may dedicate or place"
    match.submit("d4:R")
    assert status(match) == "Player 1 places a tile"
    match.submit(match.legal_actions()[-1])
    assert status(match) == "tiles are drawn"


def test_a_player_with_too_many_cards_is_told_how_many_may_stay() -> None:
    match = position(2, cards=["RRRROOOOGGGGB", ""])
    assert status(match) == "Player 1 dedicates or discards down to 12 cards"
    assert "13 cards, max 12" in words(match.svg())
    match.submit("-R")
    assert status(match) == "Player 1 places a tile"
    assert "13 cards, max 12" not in words(match.svg())


def test_who_has_discarded_may_only_discard_on() -> None:
    match = position(2, cards=["RRRROOOOGGGGBB", ""])
    match.submit("-R")
    assert status(match) == "Player 1 discards down to 12 cards"


def test_the_final_round_is_announced_and_no_place_is_offered() -> None:
    match = position(2, hands=[[], []], left_to_draw=0)
    assert status(match) == "final round: Player 1 may exchange and dedicate, then passes"
    assert "0,1" not in words(match.svg()) and "no tiles left" in words(match.svg(0))
    assert match.draw(0).endswith("Final round: exchange and dedicate, then pass.")
    assert "0,1" in words(position(2).svg()), "before that the free places have their names"


def test_at_the_end_the_winner_stands_first_with_what_decided() -> None:
    match = position(
        3, hands=[[], [], []], honor=[8, 9, 9], favors=[5, 0, 1], cards=["", "RR", "R"],
        left_to_draw=0,
    )  # fmt: skip
    for _ in range(3):
        match.submit("pass")
    written = words(match.svg())
    assert status(match) == "Player 3 wins with 9 honor"
    details = ["1 favor, 1 card", "0 favors, 2 cards", "5 favors, 0 cards"]
    assert [each for each in written if each in details] == details, "in the order of the result"
    assert match.draw().endswith("The game is over. Player 3 wins.")


# --- who sees what --------------------------------------------------------------------------------


def test_the_lake_is_turned_so_that_the_viewer_sits_at_the_bottom() -> None:
    """Player 1 sits in the south, the others clockwise; a spectator looks from the south."""
    match = position(4)
    sides = [seat["side"][0].upper() for seat in match.view()["seats"]]
    for seat, side in enumerate(sides):
        assert compass(match, seat)[2] == side
    assert compass(match, SPECTATOR) == ["N", "E", "S", "W"]
    assert compass(match, sides.index("N")) == ["S", "W", "N", "E"]


def test_hand_tiles_are_drawn_for_their_owner_alone() -> None:
    match = position(2, hands=[[17, 20, 31], [1, 2, 3]])
    own, other, nobody = (words(match.svg(seat)) for seat in (0, 1, SPECTATOR))
    assert {"17", "20", "31"} <= {*own} and not {"1r0", "2", "3"} <= {*own}
    assert not {"17", "20", "31"} & {*other}
    assert not {"17", "20", "31"} & {*nobody}
    assert "hand 17:" in match.draw(0)
    assert "hand 17:" not in match.draw(1) + match.draw(SPECTATOR)


# --- piles and stacks -----------------------------------------------------------------------------


def test_an_empty_pile_and_an_empty_stack_are_marked() -> None:
    """L7, L12."""
    tokens = len(lampion.new("lanterns", 2, seed=1).view()["stacks"][0]["honors"])
    match = position(2, supply="RROOGGBBPPW", tokens_taken=[tokens, 0, 0])
    written = words(match.svg())
    assert written.count("none") == 1, "only black has run out"
    assert written.count("only 4s from here on") == 1
    assert "four of a kind" in written
    assert "d4 four of a kind  empty  then 4" in match.draw()


def test_free_places_are_called_by_their_coordinates_in_text() -> None:
    lines = position(2, lake="17r1@1,0").draw().splitlines()
    east = next(line for line in lines if "2,0" in line)
    assert east.split()[0] == "-1,0" and "17" in east, "west, the start tile, 17, east"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_picture_of_a_game_is_well_formed_and_uses_what_it_defines(players: int) -> None:
    """Also at the end, with lights on the lake, and for every seat."""
    match = finished(Case("lanterns", players, {}), 4)
    for earlier in (match.at(9), match.at(match.ply // 2), match):
        for seat in (SPECTATOR, *range(players)):
            parts = [*ElementTree.fromstring(earlier.svg(seat)).iter()]
            defined = {f"#{part.get('id')}" for part in parts if part.get("id")}
            assert {part.get("href") for part in parts if part.tag == f"{SVG}use"} <= defined
