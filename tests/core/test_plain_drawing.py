"""Drawings that are made from a view alone."""

from __future__ import annotations

import re
from typing import Any

from lampion.core.plain_drawing import draw_svg, draw_text

VIEW: dict[str, Any] = {
    "players": 2,
    "names": ["Ada", "Ben"],
    "to_act": 1,
    "actors": [1],
    "winners": [],
    "num_raises": 2,
    "hand": [["J", "Q", "K"], [None, None]],
    "paid": [4, 1000],
}
BY_PLAYER = ("hand", "paid")


def places(svg: str, words: str) -> list[tuple[int, int]]:
    found = re.findall(rf'<text x="(\d+)" y="(\d+)"[^>]*>{words}</text>', svg)
    return [(int(x), int(y)) for x, y in found]


def test_what_players_have_stands_in_columns() -> None:
    """Also where one of them holds more cards than another."""
    (ada, above), (ben, below) = places(draw_svg(BY_PLAYER, VIEW), "paid")
    assert ada == ben
    assert above < below


def test_a_drawing_is_as_wide_as_its_longest_line() -> None:
    svg = draw_svg(BY_PLAYER, VIEW)
    many = draw_svg(BY_PLAYER, {**VIEW, "hand": [["J"] * 9, [None] * 9]})
    width, wider = (int(re.findall(r'viewBox="0 0 (\d+)', each)[0]) for each in (svg, many))
    assert width < wider
    ((x, _),) = places(many, "1000")
    assert x < wider


def test_a_number_is_called_by_what_it_counts() -> None:
    assert places(draw_svg(BY_PLAYER, VIEW), "raises")
    assert draw_text(BY_PLAYER, VIEW).startswith("raises: 2\n")


def test_those_to_act_have_a_ring_and_hidden_cards_a_back() -> None:
    svg = draw_svg(BY_PLAYER, VIEW)
    assert svg.count('stroke="#f2b441"') == 1
    assert svg.count('fill="#7a1f2b"') == 2


def test_at_the_end_winners_are_marked_instead_of_those_to_act() -> None:
    over = {**VIEW, "to_act": None, "actors": [], "winners": [0]}
    assert draw_text(BY_PLAYER, over).splitlines()[1:] == [
        "Ada: hand J Q K, paid 4 *",
        "Ben: hand - -, paid 1000",
    ]
    assert draw_text(BY_PLAYER, VIEW).endswith("paid 1000 <")
    assert 'stroke="#f2b441"' in draw_svg(BY_PLAYER, over), "the ring of the winner"
