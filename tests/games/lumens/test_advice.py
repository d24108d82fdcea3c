"""What speaks for an action of Lumens, as a hint says it."""

from __future__ import annotations

from lampion.core.advice import reason
from lampion.core.match import Match
from tests.games.lumens.build import GREEN, YELLOW, after, position


def advice(match: Match, text: str, seat: int = YELLOW) -> str:
    return reason(match, seat, match.preview(text, seat), "en")


def test_a_start_face_says_how_far_its_first_lines_count() -> None:
    """U4, U5."""
    match = after(2, "+16 +25")
    assert advice(match, "a1=1") == "Your first lines then count one square from a1"
    assert advice(match, "a1=6") == "Your first lines then count 6 squares from a1"


def test_on_a_passage_it_counts_where_the_token_leads() -> None:
    """U11: pips on a passage count in no room. From c2, a 1 leads to b2, c1, d2 and back to c3."""
    match = position("y1@c3", active=YELLOW)
    assert match.view()["rooms"] and "c2" in {t["square"] for t in match.view()["targets"]}
    assert advice(match, "c2=1") == "From there you can count to 4 squares next"


def test_a_token_that_earns_nothing_yet_says_how_the_room_stands() -> None:
    """U11: with two players the second place pays nothing."""
    match = position("y1@c1 g6@a1", active=YELLOW, players=2)
    assert advice(match, "b1=1") == "You then have one pip in room G, against 6"


def test_a_room_without_rivals_says_so() -> None:
    match = position("y1@c1 y6@a1", active=YELLOW, players=2)
    assert advice(match, "b1=1") == (
        "You then have 7 pips in room G, where no other player has any"
    )


def test_points_are_told_as_events_already() -> None:
    match = position("y1@c1", active=YELLOW, players=2)
    assert any(event["event"] == "score" for event in match.preview("b1=1", YELLOW))
    assert advice(match, "b1=1") == ""


def test_nothing_is_said_to_a_seat_that_only_watches() -> None:
    match = position("y1@c3", active=YELLOW)
    assert reason(match, GREEN, match.preview("c2=1", YELLOW), "en") == ""
