"""The drawings of Lanterns Dice: how far everybody is, and what is left on the table."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

from lampion.core.types import CHANCE
from tests.games.lanterns_dice.build import after, at_the_die, last_launches, position
from tests.games.lanterns_dice.test_rules import CORNER, EXAMPLE

SVG = "{http://www.w3.org/2000/svg}"


def words(picture: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def stamps(picture: str) -> Counter[str]:
    """What is drawn, by the names of the symbols."""
    return Counter(
        use.get("href", "").removeprefix("#lampion-")
        for use in ElementTree.fromstring(picture).iter(f"{SVG}use")
    )


def tooltips(picture: str) -> list[str]:
    return [title.text or "" for title in ElementTree.fromstring(picture).iter(f"{SVG}title")]


def test_stacks_say_what_fits_what_is_missing_and_what_is_gone() -> None:
    """D15. On the corner fit a corner of three and a U."""
    match = at_the_die(position(2, lakes=[CORNER]))
    written = words(match.svg(0))
    assert written.count("fits!") == 2, "V3 and U5"
    assert sum(word.endswith(" to go") for word in written) == 2
    assert "the stack is gone" not in written
    gone = words(at_the_die(position(2, lakes=[CORNER], taken="U5 " * 6)).svg(0))
    assert gone.count("the stack is gone") == 1
    assert gone.count("fits!") == 1


def test_a_launched_tile_covers_its_pools_with_fireworks_and_its_honor() -> None:
    match = position(2, lakes=[EXAMPLE], tiles=["T4o0@b2=5 V3o1@h3=4"])
    bare = position(2, lakes=[EXAMPLE])
    drawn, before = match.svg(0), bare.svg(0)
    pools = [pool for tile in match.view()["seats"][0]["tiles"] for pool in tile["pools"]]
    assert len(pools) == 7
    bursts = stamps(drawn)["dice-burst"] - stamps(before)["dice-burst"]
    assert bursts == len(pools)
    assert {"T4o0@b2", "V3o1@h3"} <= {*tooltips(drawn)}
    assert match.draw(0).count("██") == len(pools)
    assert "tiles T4o0@b2 V3o1@h3" in match.draw(0)


def test_a_surrounded_boat_is_drawn_as_one_that_scores() -> None:
    """D17: the boats in g5 and b2. Scores as they stand are in the text."""
    match = position(2, lakes=[EXAMPLE])
    assert {b["pool"] for b in match.view()["seats"][0]["boats"] if b["surrounded"]} == {"g5", "b2"}
    rings = [
        circle
        for circle in ElementTree.fromstring(match.svg(0)).iter(f"{SVG}circle")
        if circle.get("fill-opacity") == "0.35"
    ]
    assert len(rings) == 2
    assert "honor 0 + 10 + 8 = 18" in match.draw(0)


def test_text_names_the_platform_whose_bonus_is_due() -> None:
    """D12."""
    match = after(at_the_die(position(2, lakes=["f6l"]), "rBBBB"), "f6u")
    assert "shades beside platform f6" in match.draw(0)


def test_a_refusal_says_where_in_the_game_it_was() -> None:
    """Also in the last launches and at the end, where no turn is left to name."""
    match = last_launches(position(2, active=1, turn=10, lakes=[CORNER, ""], gifts=[0, 0]))
    assert match.game.position_text(match.state) == "last launches"
    after(match, "U5o0@a1")
    assert match.is_over
    assert match.game.position_text(match.state) == "the game is over"
    rolled = after(position(2), "rRBOW t2")
    assert rolled.game.position_text(rolled.state) == (
        "turn 1 of 10, player 0 active, dice RBOW, tray t2"
    )
    before = position(2)
    assert before.to_act == CHANCE
    assert before.game.position_text(before.state).endswith("dice not rolled")


def test_everything_on_this_table_may_be_read_by_everybody() -> None:
    match = after(position(2), "rRBOW t0")
    for entry in match.log:
        assert not entry.hidden
        text = match.game.hidden_text(match.state, entry.actor, entry.action)
        assert text == entry.text
