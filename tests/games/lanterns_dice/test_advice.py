"""What speaks for an action of Lanterns Dice, as a hint says it."""

from __future__ import annotations

import pytest

from lampion.core.advice import reason
from lampion.core.match import Match
from tests.games.lanterns_dice.build import after, at_the_die, position

CORNER = """
    .........
    .........
    .........
    .........
    x.x......
    xxx......
"""


def advice(match: Match, text: str, seat: int = 0) -> str:
    return reason(match, seat, match.preview(text, seat), "en")


def test_a_turn_of_the_tray_names_the_die_and_what_it_can_shade() -> None:
    """D6, D7. Each color has 18 areas on a lake."""
    match = after(position(2), "rRBOW")
    assert advice(match, "t0") == (
        "You then face the red die, and 18 areas of that color are left on your lake"
    )
    assert advice(match, "t1").startswith("You then face the blue die, and 18 areas")
    match = after(position(2, lakes=["xxxxxxxxx " * 6]), "rRBOW")
    assert advice(match, "t0") == (
        "You then face the red die, and no area of that color is left on your lake"
    )


@pytest.mark.parametrize(
    ("gifts", "told"),
    [
        (3, "It costs a gift, and you keep 2"),
        (1, "It costs all your gifts"),
    ],
)
def test_a_new_roll_says_what_it_costs(gifts: int, told: str) -> None:
    match = after(position(2, gifts=[gifts, 0]), "rRBOW")
    assert advice(match, "reroll") == told


def test_an_area_says_what_its_pool_then_lacks_and_what_that_would_bring() -> None:
    """D12. There is a platform in f3 and none in b3."""
    match = at_the_die(position(2), "rBBBB")
    assert advice(match, "b3u") == "Then b3 lacks only its purple area"
    assert advice(match, "f3u") == (
        "Then f3 lacks only its white area, and its platform will give you one more"
    )


def test_the_events_of_a_completed_pool_say_enough() -> None:
    match = at_the_die(position(2, lakes=["b3l"]), "rBBBB")
    assert advice(match, "b3u") == ""


def test_what_is_skipped_is_named_and_gifts_are_kept() -> None:
    """D14."""
    match = at_the_die(position(2, gifts=[5, 1], lakes=[CORNER]))
    told = []
    for _ in range(4):
        told.append(advice(match, "skip"))
        match.submit("skip", 0)
    assert told == [
        "You skip the die",
        "You skip the turn bonus",
        "You keep your 5 gifts for later",
        "Your completed pools stay free for other fireworks",
    ]
    match.submit("skip", 1)
    assert advice(match, "skip", 1) == "You keep your gift for later"


def test_a_card_says_how_many_areas_its_gifts_buy() -> None:
    """D9. The third card of this side allows two."""
    match = after(at_the_die(position(2, gifts=[5, 0], emperor="AAB")), "skip skip")
    assert [advice(match, card) for card in ("e1", "e2", "e3")] == [
        "You may shade one more area for a gift",
        "You may shade one more area for 2 gifts",
        "You may shade two more areas for 3 gifts",
    ]


@pytest.mark.parametrize(
    ("taken", "told"),
    [
        ("", "It brings 6 honor, and the next tile of this shape 6"),
        ("U5 U5", "It brings 5 honor, and the next tile of this shape 5"),
        ("U5 " * 5, "It brings 4 honor, with the last tile of this shape"),
    ],
)
def test_a_launch_says_what_it_brings_and_what_the_next_one_would(taken: str, told: str) -> None:
    """D15."""
    match = after(at_the_die(position(2, lakes=[CORNER], taken=taken, gifts=[0, 0])), "skip skip")
    assert advice(match, "U5o0@a1") == told


def test_nothing_is_said_to_a_seat_that_only_watches() -> None:
    match = after(position(2), "rRBOW")
    assert reason(match, 1, match.preview("t0", 0), "en") == ""
