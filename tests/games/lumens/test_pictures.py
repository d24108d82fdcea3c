"""The drawings of Lumens: well-formed, safe, and with everything on them that a player needs."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

import lampion
from lampion.games.lumens import printable, read_components
from tests.games.lumens.build import GREEN, VIOLET, after, position
from tests.games.lumens.test_components import ODD
from tests.support import play_on

SVG = "{http://www.w3.org/2000/svg}"


def stamps(picture: str) -> list[str]:
    """What is drawn, by the names of the symbols."""
    return [use.get("href", "") for use in ElementTree.fromstring(picture).iter(f"{SVG}use")]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pictures_are_well_formed_and_refer_to_what_they_define(players: int) -> None:
    for match in play_on(lampion.new("lumens", players, seed=3), random.Random(3)):
        if match.ply % 10 == 0:
            picture = match.svg(match.to_act)
            defined = {
                f"#{part.get('id')}"
                for part in ElementTree.fromstring(picture).iter()
                if part.get("id")
            }
            assert set(stamps(picture)) <= defined


def test_a_name_cannot_break_a_picture() -> None:
    match = lampion.new(
        "lumens",
        2,
        seed=1,
        names=["</svg><script>", '"&\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587'],
    )
    ElementTree.fromstring(match.svg(0))
    assert "<script>" not in match.svg(0)


def test_every_lamp_lies_on_the_board_and_covered_ones_are_dead() -> None:
    drawn = stamps(position("v6@a1 r3@d1 y2@d1", active=VIOLET).svg(VIOLET))
    assert drawn.count("#lampion-lumens-dead-2") == 1
    assert "#lampion-lumens-lamp-0-2" in drawn


def test_others_do_not_see_the_lamp_in_hand() -> None:
    """The kinds that are not shown yet are drawn alike for everybody; the hand
    adds two lamps for its owner."""
    match = position("v6@a1", active=VIOLET, hand="16")
    own, other = (stamps(match.svg(seat)).count("#lampion-lumens-lamp-3-1") for seat in (VIOLET, 0))
    assert own == other + 1


def test_a_start_face_that_was_chosen_is_drawn_for_its_owner_alone() -> None:
    """U4: it is secret until all have chosen."""
    match = after(4, "+16 +25 +34 +16")
    match.submit("o15=2", GREEN)
    own, other = (match.svg(seat) for seat in (GREEN, VIOLET))
    assert stamps(own).count("#lampion-lumens-lamp-1-2") == 1 + stamps(other).count(
        "#lampion-lumens-lamp-1-2"
    )
    assert (own.count(">chosen<"), other.count(">chosen<")) == (1, 0)
    assert own.count(">has chosen<") == other.count(">has chosen<") == 1
    assert own.count(">is choosing<") == 3


# --- paper ----------------------------------------------------------------------------------------


def test_boards_and_tokens_can_be_printed() -> None:
    pages = printable(read_components(None))
    assert list(pages) == ["board-p34", "board-p2", "tokens-1"]
    for page in pages.values():
        assert ElementTree.fromstring(page).get("width") == "210mm"
    squares = [
        rect
        for rect in ElementTree.fromstring(pages["board-p34"]).iter(f"{SVG}rect")
        if rect.get("stroke")
    ]
    assert len(squares) == 15 * 15
    tokens = [
        rect
        for rect in ElementTree.fromstring(pages["tokens-1"]).iter(f"{SVG}rect")
        if rect.get("stroke")
    ]
    assert len(tokens) == 4 * 24


def test_more_tokens_take_more_pages() -> None:
    pages = printable(
        read_components(
            ODD.replace("count = 3", "count = 99").replace("count = 4", "count = 60").encode()
        )
    )
    tokens = [name for name in pages if name.startswith("tokens")]
    drawn = sum(
        len(list(ElementTree.fromstring(pages[name]).iter(f"{SVG}rect"))) - 1 for name in tokens
    )
    assert drawn == 4 * 159
    assert len(tokens) > 4
