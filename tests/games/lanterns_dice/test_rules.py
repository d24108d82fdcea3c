"""The rules of Lanterns Dice one by one, the worked cases of the rule page and the
examples of the rulebook."""

from __future__ import annotations

from collections import Counter

import pytest

import lampion
from lampion.core.types import CHANCE, GAME_OVER
from lampion.games.lanterns_dice.components import COLOR_LETTERS
from tests.games.lanterns_dice.build import (
    after,
    at_the_die,
    gifts,
    last_launches,
    pool,
    position,
    shaded,
    told,
)

FULL_LAKE = "xxxxxxxxx " * 6


def dealt(players: int, **options: str) -> lampion.Match:
    """A match in which chance is to be submitted, from the very start."""
    return lampion.Match(lampion.find_game("lanterns_dice"), players, options)


def launches(match: lampion.Match) -> list[str]:
    return [text for text in match.legal_actions() if "@" in text]


def areas(match: lampion.Match, player: int | None = None) -> list[str]:
    return [
        text for text in match.legal_actions(player) if text[-1] in "ul" and text[0] in "abcdefghi"
    ]


def colors(match: lampion.Match, player: int) -> Counter[str]:
    """The colors of the areas that a player may shade now."""
    lake = match.view()["seats"][player]["lake"]
    codes = {
        pool(row, column): code
        for row, line in enumerate(lake)
        for column, code in enumerate(line.split())
    }
    return Counter(codes[area[:2]]["ul".index(area[2])] for area in areas(match, player))


# --- set-up: D1 to D4 -----------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "deals"), [(2, 6), (3, 8), (4, 6)])
def test_everybody_gets_a_different_sheet_and_player_0_the_earliest(
    players: int, deals: int
) -> None:
    """D1."""
    match = dealt(players)
    texts = match.legal_actions()
    assert match.to_act == CHANCE
    assert len(texts) == len(set(texts)) == deals
    assert match.chance_weights().tolist() == [1] * deals
    for text in texts:
        letters = text.removeprefix("sheets ")
        assert len(set(letters)) == players
        assert letters[0] == min(letters)


def test_everybody_plays_on_lake_1_unless_the_lakes_are_four() -> None:
    """D1."""
    for lakes, different in (("same", 1), ("four", 3)):
        match = dealt(3, lakes=lakes)
        match.submit("sheets ADC")
        shown = [tuple(seat["lake"]) for seat in match.view()["seats"]]
        assert len(set(shown)) == different
        assert shown[0][0] == "OG. PB. BWv OB. PG. BO# GW. RGv BR."
    assert shown[1][0] == "PBv RO^ GO. PB. RGv WB. OB. OR. PR^", "sheet D has lake 4"


def test_chance_deals_sheets_then_fireworks_then_emperor_then_the_dice() -> None:
    """D1, D2, D5."""
    match = dealt(2)
    match.submit("sheets AC")
    assert len(match.legal_actions()) == 24
    assert "fireworks I3 T4 S4 X5" in match.legal_actions()
    match.submit("fireworks I3 T4 S4 X5")
    assert match.legal_actions() == [f"emperor {a}{b}{c}" for a in "AB" for b in "AB" for c in "AB"]
    match.submit("emperor ABA")
    assert len(match.legal_actions()) == 6**4
    assert [card["action"] for card in match.view()["emperor"]] == [
        "own_die",
        "any_die",
        "whole_pool",
    ]


def test_a_random_choice_has_one_small_two_medium_and_one_large_shape() -> None:
    """D2."""
    match = dealt(2)
    match.submit("sheets AB")
    for text in match.legal_actions():
        _, small, medium, another, large = text.split()
        assert (small[1], medium[1], another[1], large[1]) == ("3", "4", "4", "5")
        assert "O4 T4 L4 S4".index(medium) < "O4 T4 L4 S4".index(another)


def test_a_first_game_leaves_nothing_but_the_sheets_and_dice_to_chance() -> None:
    """D2."""
    match = dealt(2, setup="first")
    match.submit("sheets AB")
    match.submit("rRRRR")
    assert [stack["shape"] for stack in match.view()["stacks"]] == ["V3", "O4", "T4", "U5"]
    assert [card["side"] for card in match.view()["emperor"]] == ["A", "A", "A"]


def test_shapes_and_sides_that_are_named_override_the_set_up() -> None:
    """D2."""
    match = dealt(2, fireworks="X5 I3 U5 V3")
    match.submit("sheets AB")
    assert [stack["shape"] for stack in match.view()["stacks"]] == ["I3", "V3", "U5", "X5"], (
        "in the order of the data"
    )
    assert match.legal_actions()[0] == "emperor AAA", "the sides are still left to chance"
    match = dealt(2, setup="first", emperor="BAB")
    assert [card["side"] for card in match.view()["emperor"]] == ["B", "A", "B"]
    assert [stack["shape"] for stack in match.view()["stacks"]] == ["V3", "O4", "T4", "U5"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("setup", "second"),
        ("setup", ""),
        ("lakes", "two"),
        ("fireworks", "I3 T4 S4"),
        ("fireworks", "I3 T4 S4 S4"),
        ("fireworks", "I3 T4 S4 Z5"),
        ("fireworks", "I3 T4 S4  X5"),
        ("emperor", "AB"),
        ("emperor", "ABC"),
        ("emperor", "aba"),
    ],
)
def test_a_bad_option_is_refused_with_its_name(option: str, value: str) -> None:
    with pytest.raises(lampion.InvalidOptions) as refused:
        dealt(2, **{option: value})
    assert refused.value.code == "invalid-option"
    assert refused.value.where == f"options.{option}"
    assert f"the option '{option}' is" in refused.value.message


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(lampion.InvalidOptions, match="no option 'solo'") as refused:
        dealt(2, solo="yes")
    assert refused.value.code == "unknown-option"


def test_the_default_of_every_option_can_be_written() -> None:
    game = lampion.find_game("lanterns_dice")
    defaults = {option.name: option.default for option in game.OPTIONS}
    assert dealt(3, **defaults).state == dealt(3).state


@pytest.mark.parametrize(("players", "turns"), [(2, 10), (3, 8), (4, 6)])
def test_tiles_descend_everybody_has_a_gift_and_turns_depend_on_the_players(
    players: int, turns: int
) -> None:
    """D3."""
    view = position(players).view()
    assert [stack["honors"] for stack in view["stacks"]] == [
        [4, 4, 3, 3, 2, 2],
        [5, 5, 4, 4, 3, 3],
        [5, 5, 4, 4, 3, 3],
        [6, 6, 5, 5, 4, 4],
    ]
    assert [seat["gifts"] for seat in view["seats"]] == [1] * players
    assert view["turn"]["of"] == turns
    assert all(len(seat["turn_bonuses"]) == turns for seat in view["seats"])


@pytest.mark.parametrize(
    ("players", "tray", "faced", "diagonal"),
    [
        (3, "t1", "BOW", "WRB"),  # the rulebook's Nora, Idris and Mei: the red die faces nobody
        (2, "t0", "RO", "OR"),
        (2, "t3", "WB", "BW"),
        (4, "t2", "OWRB", "RBOW"),
    ],
)
def test_seats_face_the_dice_and_the_tray_turns_them(
    players: int, tray: str, faced: str, diagonal: str
) -> None:
    """D4."""
    seats = at_the_die(position(players), "rRBOW", tray).view()["seats"]
    assert "".join(seat["die"] for seat in seats) == faced
    assert "".join(seat["diagonal_die"] for seat in seats) == diagonal


# --- roll and tray: D5, D6 ------------------------------------------------------------------------


def test_all_four_turns_of_the_tray_are_listed_whatever_the_dice() -> None:
    """D6."""
    match = after(position(2, gifts=[0]), "rRRRR")
    assert match.legal_actions() == ["t0", "t1", "t2", "t3"]
    assert match.actors == [0], "the others wait"


def test_rerolls_cost_a_gift_each() -> None:
    """D6."""
    match = after(position(2, gifts=[2, 5]), "rRRRR reroll rOOOO")
    assert gifts(match) == [1, 5]
    assert match.legal_actions()[0] == "reroll"
    after(match, "reroll rWWWW")
    assert match.legal_actions() == ["t0", "t1", "t2", "t3"]
    assert match.view()["dice"] == "WWWW"
    with pytest.raises(lampion.IllegalAction, match="too few gifts") as refused:
        match.submit("reroll")
    assert refused.value.rule == "D6"


def test_the_tray_cannot_be_declined_and_dice_stay_once_it_is_turned() -> None:
    """D6, D14."""
    match = after(position(2), "rRRRR")
    with pytest.raises(lampion.IllegalAction, match="turn the tray") as refused:
        match.submit("skip")
    assert refused.value.rule == "D6"
    match.submit("t0")
    for text in ("t1", "reroll"):
        with pytest.raises(lampion.IllegalAction, match="has been turned"):
            match.submit(text)
        with pytest.raises(lampion.IllegalAction, match="only the active player"):
            match.submit(text, 1)


# --- shading: D7, D8 ------------------------------------------------------------------------------


def test_each_player_may_shade_the_color_of_their_die() -> None:
    """D7."""
    match = at_the_die(position(3), "rRBOW", "t1")
    for player, color in enumerate("BOW"):
        assert colors(match, player) == {color: 18}
        assert match.legal_actions(player)[0] == "skip"


def test_a_shaded_area_or_another_color_is_refused() -> None:
    """D7."""
    match = at_the_die(position(2, lakes=["a1u"]))
    for text, why in (("a1u", "shaded already"), ("b1u", "another color")):
        with pytest.raises(lampion.IllegalAction, match=why) as refused:
            match.submit(text)
        assert refused.value.rule == "D7"


def test_the_active_player_then_shades_the_bonus_of_the_turn() -> None:
    """D8. Sheet A starts with red, then blue; the other player has no such step."""
    match = after(at_the_die(position(2, gifts=[0, 0]), "rBBBB"), "a5u")
    assert colors(match, 0) == {"R": 18}
    after(match, "c3u 1:skip")
    assert match.to_act == CHANCE
    match = after(at_the_die(position(2, gifts=[0, 0], turn=2), "rWWWW"), "skip")
    assert colors(match, 0) == {"B": 18}


@pytest.mark.parametrize(
    ("players", "sheet", "turn", "color"),
    [(2, "A", 7, "R"), (2, "A", 10, "B"), (2, "C", 9, "W"), (3, "B", 8, "P"), (4, "D", 6, "B")],
)
def test_turn_bonuses_follow_the_sheet_and_the_number_of_players(
    players: int, sheet: str, turn: int, color: str
) -> None:
    """D8."""
    match = after(at_the_die(position(players, sheets=sheet * players, turn=turn), "rGGGG"), "skip")
    assert colors(match, 0) == {color: 18}


def test_a_bonus_not_used_is_lost() -> None:
    """D8, D14."""
    match = after(at_the_die(position(2, gifts=[0, 0])), "skip skip")
    assert match.actors == [1]
    assert [event["choice"] for event in match.events()] == ["turn_bonus"]


def test_rulebook_example_a_gift_earned_in_the_same_turn_pays_for_a_card() -> None:
    """D9. Nora: a blue area with a pavilion, the red bonus, then 2 gifts for a
    color that no die shows."""
    match = after(at_the_die(position(3), "rRBOW", "t1"), "b3u")
    assert gifts(match)[0] == 2
    after(match, "skip e2")
    assert set(colors(match, 0)) == {"G", "P"}
    after(match, "b3l")
    assert match.view()["seats"][0]["groups"] == [["b3"]]
    assert gifts(match) == [0, 1, 1]


# --- the emperor: D9 ------------------------------------------------------------------------------


def bought(side: str, card: str, *, roll: str = "rRBOW", lake: str = "") -> lampion.Match:
    """Player 0 has declined the die and the bonus and bought a card."""
    return after(
        at_the_die(position(2, lakes=[lake], gifts=[9, 0], emperor=side), roll), f"skip skip {card}"
    )


@pytest.mark.parametrize(
    ("side", "card", "expected"),
    [
        ("AAA", "e1", {"R": 18}),  # own die, although it was declined
        ("BBB", "e1", {"O": 18}),  # the diagonal one
        ("AAA", "e2", {"G": 18, "P": 18}),  # shown on no die
        ("BBB", "e2", {"R": 18, "B": 18, "O": 18, "W": 18}),  # on any die
        ("BBB", "e3", dict.fromkeys(COLOR_LETTERS, 18)),  # two alike: the first is of any color
    ],
)
def test_colors_that_the_cards_allow(side: str, card: str, expected: dict[str, int]) -> None:
    """D9."""
    assert colors(bought(side, card), 0) == expected


def test_cards_are_offered_for_the_gifts_one_has() -> None:
    """D9."""
    for count, offered in enumerate([[], ["e1"], ["e1", "e2"], ["e1", "e2", "e3"]]):
        match = after(at_the_die(position(2, gifts=[count, 0])), "skip skip")
        if offered:
            assert match.legal_actions() == ["skip", *offered]
        else:
            assert match.actors == [1], "a step with nothing possible is passed without asking"


def test_a_card_without_an_area_is_not_offered() -> None:
    """D9. Every pool has a shaded area, and no red is left: neither a whole pool
    nor your own red die again."""
    lake = at_the_die(position(2), "rRRRR")
    reds = " ".join(areas(lake, 0))
    everywhere = " ".join(f"{column}{row}u" for column in "abcdefghi" for row in range(1, 7))
    match = at_the_die(position(2, lakes=[f"{everywhere} {reds}"], gifts=[9, 0]), "rRRRR")
    assert match.legal_actions(0) == ["skip", "e2"], (
        "die and bonus, both red, are passed without asking"
    )
    with pytest.raises(lampion.IllegalAction, match="no area") as refused:
        match.submit("e3", 0)
    assert refused.value.rule == "D9"


def test_the_first_area_of_a_card_is_compulsory() -> None:
    """D9, D14."""
    match = bought("AAA", "e1")
    assert "skip" not in match.legal_actions()
    with pytest.raises(lampion.IllegalAction, match="paid for") as refused:
        match.submit("skip")
    assert refused.value.rule == "D9"


def test_one_card_per_player_and_turn_also_on_the_turns_of_others() -> None:
    """D9."""
    match = after(at_the_die(position(2, gifts=[2, 2])), "skip skip e1 c1u 1:skip 1:e1 1:a2u")
    assert match.to_act == CHANCE
    assert gifts(match) == [1, 1]


def test_whole_pool_shades_both_areas_of_an_empty_pool() -> None:
    """D9."""
    match = bought("AAA", "e3", lake="a1u b1l c1u c1l")
    assert len(areas(match)) == 54 - 3
    assert {"a1ul", "b1ul", "c1ul"}.isdisjoint(match.legal_actions())
    assert "skip" not in match.legal_actions()
    match.submit("d1ul")
    assert {"d1u", "d1l"} <= shaded(match, 0)
    assert told(match) == ["area_shaded", "area_shaded", "pool_completed"]


def test_whole_pool_on_a_platform_gives_one_bonus() -> None:
    """D9, D12."""
    match = after(bought("AAA", "e3"), "c3ul")
    assert len(areas(match)) == 8
    after(match, "c2u")
    assert match.actors == [1]


def test_whole_pool_with_a_pavilion_gives_one_gift() -> None:
    """D9, D12."""
    match = after(bought("AAA", "e3"), "a1ul")
    assert gifts(match)[0] == 9 - 3 + 1


def test_two_alike_may_shade_a_second_area_of_the_same_color() -> None:
    """D9."""
    match = after(bought("BBB", "e3"), "a2u")  # orange
    assert colors(match, 0) == {"O": 17}
    assert match.legal_actions()[0] == "skip"
    after(match, "a3u")
    assert match.actors == [1]
    assert {"a2u", "a3u"} <= shaded(match, 0)


def test_bonuses_of_the_first_area_of_two_alike_come_before_its_second() -> None:
    """D9, D12."""
    match = after(bought("BBB", "e3", lake="c3u"), "c3l")  # the green area completes a platform
    assert match.view()["seats"][0]["choice"] == "platform_bonus"
    after(match, "c2u")
    assert match.view()["seats"][0]["choice"] == "second_area"
    assert colors(match, 0) == {"G": 17}


def test_the_second_area_of_two_alike_is_passed_if_the_color_is_used_up() -> None:
    """D9, D14."""
    first = bought("BBB", "e3")
    greens = [text for text in areas(first) if colors(after(first.copy(), text), 0) == {"G": 17}]
    match = after(bought("BBB", "e3", lake=" ".join(greens[1:])), greens[0])
    assert match.actors == [1]


# --- launching and good order: D10, D11, D14 to D16 -----------------------------------------------

CORNER = """
    .........
    .........
    .........
    .........
    x.x......
    xxx......
"""


def test_only_the_active_player_launches_and_once_a_turn() -> None:
    """D10."""
    match = after(at_the_die(position(2, lakes=[CORNER, CORNER], gifts=[0, 0])), "skip skip")
    assert match.actors == [0, 1]
    assert {text[:2] for text in launches(match)} == {"V3", "U5"}
    with pytest.raises(lampion.IllegalAction, match="only the active player"):
        match.submit("V3o0@a1", 1)
    after(match, "V3o0@a1")
    assert match.actors == [1]
    after(match, "skip")
    assert match.to_act == CHANCE, "player 1 cannot launch in the turn of player 0"


def test_rulebook_example_a_u_between_whose_arms_a_boat_stays_free() -> None:
    """D15."""
    match = after(at_the_die(position(2, lakes=[CORNER], gifts=[0, 0])), "skip skip U5o0@a1")
    seat = match.view()["seats"][0]
    assert seat["tiles"] == [
        {"launch": "U5o0@a1", "shape": "U5", "pools": ["a1", "b1", "c1", "a2", "c2"], "honor": 6}
    ]
    assert match.view()["stacks"][3]["honors"] == [6, 5, 5, 4, 4]
    assert next(boat for boat in seat["boats"] if boat["pool"] == "b2")["lost"] is False


def test_the_active_player_may_launch_while_others_still_shade() -> None:
    """D10, D11."""
    match = after(at_the_die(position(3, lakes=[CORNER], gifts=[0, 0, 0])), "2:skip skip skip")
    assert match.actors == [0, 1]
    after(match, "U5o0@a1")
    assert match.actors == [1]
    after(match, "skip")
    assert match.to_act == CHANCE


def test_the_canonical_order_is_the_active_player_then_clockwise() -> None:
    """D11."""
    match = at_the_die(position(4, active=2, gifts=[0, 0, 0, 0]))
    order = []
    while match.to_act != CHANCE:
        order.append(match.to_act)
        match.submit("skip")
    assert order == [2, 2, 3, 0, 1]


def test_the_turn_goes_round_and_everybody_takes_as_many() -> None:
    """D3."""
    match = position(2, gifts=[0, 0])
    active = []
    while match.to_act != GAME_OVER:
        active.append(match.view()["turn"]["active"])
        at_the_die(match)
        while match.to_act >= 0:
            match.submit("skip")
    assert active == [0, 1] * 10


def test_a_full_lake_is_passed_without_asking() -> None:
    """D14."""
    match = at_the_die(position(2, lakes=[FULL_LAKE], gifts=[9, 0]), "rRRRR")
    assert match.view()["seats"][0]["choice"] == "launch", (
        "nothing is left to shade, and no card has an area"
    )


def test_covered_pools_cannot_be_covered_again_and_any_feature_can_be_covered() -> None:
    """D15."""
    lake = """
        .........
        xx.......
        xx.......
        .........
        .........
        .........
    """
    match = after(
        at_the_die(position(2, lakes=[lake], tiles=["V3o0@a4"], gifts=[0, 0])), "skip skip 1:skip"
    )
    assert match.to_act == CHANCE, "one pool is left, and nothing fits on it"
    match = after(at_the_die(position(2, lakes=[lake], gifts=[0, 0])), "skip skip")
    assert "O4o0@a4" in launches(match), "a platform may be covered"
    with pytest.raises(lampion.IllegalAction, match="must be completed") as refused:
        match.submit("O4o0@b4")
    assert refused.value.rule == "D15"


def test_an_empty_stack_is_gone() -> None:
    """D15."""
    match = after(
        at_the_die(position(2, lakes=[CORNER], taken="U5 " * 6, gifts=[0, 0])), "skip skip"
    )
    assert {text[:2] for text in launches(match)} == {"V3"}
    with pytest.raises(lampion.IllegalAction, match="stack is empty"):
        match.submit("U5o0@a1")
    with pytest.raises(lampion.IllegalAction, match="not in play"):
        match.submit("I3o0@a1")


def test_the_value_of_tiles_falls_as_they_are_taken() -> None:
    """D3, D15."""
    match = after(
        at_the_die(position(2, lakes=[CORNER], taken="U5 U5", gifts=[0, 0])), "skip skip U5o0@a1"
    )
    assert match.scores[0] == 5
    launched = match.events()[0]
    assert (launched["launch"], launched["from"], launched["count"]) == ("U5o0@a1", "stack:U5", 5)


def test_orientations_that_look_the_same_are_one_launch_and_any_is_read() -> None:
    """D15. `T4o2@c4` is a T stood on its head: c4, d4, e4 and, above the middle, d5."""
    lake = """
        .........
        ...x.....
        ..xxx....
        .........
        .........
        .........
    """
    match = after(at_the_die(position(2, lakes=[lake], gifts=[0, 0])), "skip skip")
    assert launches(match) == ["V3o0@d4", "V3o3@c4", "T4o2@c4"]
    entry = match.submit("T4o6@c4")
    assert entry.text == "T4o2@c4"
    assert set(match.view()["seats"][0]["tiles"][0]["pools"]) == {"c4", "d4", "e4", "d5"}


def test_after_the_last_turn_each_player_may_launch_once_more() -> None:
    """D16."""
    match = last_launches(position(2, active=1, turn=10, lakes=[CORNER, CORNER], gifts=[0, 0]))
    assert match.view()["turn"]["phase"] == "last_launch"
    assert match.actors == [0], "one after another"
    after(match, "U5o0@a1")
    assert match.actors == [1]
    assert {text[:2] for text in launches(match)} == {"V3", "U5"}
    after(match, "skip")
    assert match.is_over


def test_who_cannot_launch_at_the_end_is_passed_silently() -> None:
    """D16."""
    match = last_launches(position(3, active=2, turn=8, lakes=["", CORNER, ""], gifts=[0, 0, 0]))
    assert match.actors == [1]
    after(match, "U5o0@a1")
    assert match.is_over
    assert last_launches(position(3, active=2, turn=8, gifts=[0, 0, 0])).is_over


# --- bonuses: D12, D13 ----------------------------------------------------------------------------


def test_a_pavilion_gives_a_gift_when_its_own_area_is_shaded() -> None:
    """D12."""
    match = at_the_die(position(2), "rRRRR")
    assert gifts(after(match.copy(), "a1u")) == [2, 1]
    assert gifts(after(match, "i1u")) == [2, 1]
    match = after(at_the_die(position(2), "rGGGG"), "i1l")
    assert gifts(match) == [1, 1], "the pavilion of i1 stands in the other area"


@pytest.mark.parametrize(("row", "column", "offered"), [(2, 6, 8), (0, 5, 6)])
def test_worked_case_2_completing_a_platform_offers_the_areas_around_it(
    row: int, column: int, offered: int
) -> None:
    """D12."""
    platform = pool(row, column)
    lower = {"g4": "rOOOO", "f6": "rOOOO"}[platform]
    match = after(at_the_die(position(2, lakes=[f"{platform}u"]), lower), f"{platform}l")
    assert match.view()["seats"][0]["bonus_pool"] == platform
    assert len(areas(match)) == offered
    with pytest.raises(lampion.IllegalAction, match="adjacent pool") as refused:
        match.submit("a1u")
    assert refused.value.rule == "D12"


def test_worked_case_3_a_chain_of_platforms() -> None:
    """D12. f6 lower and f5 upper are shaded; f6 upper completes a platform, its bonus on f5 lower
    the next, which gives one more."""
    match = after(at_the_die(position(2, lakes=[f"{pool(0, 5)}l {pool(1, 5)}u"]), "rBBBB"), "f6u")
    assert told(match) == ["area_shaded", "pool_completed", "bonus_due"]
    after(match, "f5l")
    assert match.view()["seats"][0]["bonus_pool"] == "f5"
    after(match, "g5u")
    assert told(match) == ["area_shaded", "boat_lost"]
    assert match.view()["seats"][0]["choice"] == "turn_bonus"


def test_rulebook_example_one_die_three_areas_and_a_gift() -> None:
    """D12."""
    match = after(at_the_die(position(2, lakes=["f2l f3l"]), "rRRRR"), "f2u f3u f4l")
    assert shaded(match, 0) == {"f2l", "f3l", "f2u", "f3u", "f4l"}
    assert gifts(match) == [2, 1]


def test_rulebook_example_platforms_inside_and_at_the_edge() -> None:
    """D12."""
    match = after(at_the_die(position(2, lakes=["c3l a5l"]), "rRRRR"), "c3u")
    assert len(areas(match)) == 8
    match = after(at_the_die(position(2, lakes=["c3l a5l"]), "rBBBB"), "a5u")
    assert len(areas(match)) == 6


def test_a_platform_with_nothing_to_shade_around_it_gives_no_bonus() -> None:
    """D12, D14."""
    around = " ".join(f"{name}u {name}l" for name in ("f5", "e6", "g6"))
    match = after(at_the_die(position(2, lakes=[f"f6l {around}"]), "rBBBB"), "f6u")
    assert told(match) == ["area_shaded", "pool_completed", "bonus_due"]
    assert match.events()[-1]["count"] == 0, "the rule is told to have given nothing"
    assert match.view()["seats"][0]["choice"] == "turn_bonus"


def test_a_bonus_may_be_declined_and_comes_before_anything_else() -> None:
    """D12, D14."""
    match = after(at_the_die(position(2, lakes=["f6l"]), "rBBBB"), "f6u")
    with pytest.raises(lampion.IllegalAction, match="after your other areas"):
        match.submit("e1")
    after(match, "skip")
    assert match.view()["seats"][0]["choice"] == "turn_bonus"


def test_a_boat_is_lost_once_its_pool_is_shaded() -> None:
    """D13."""
    match = after(at_the_die(position(2), "rGGGG"), "b2u")
    assert told(match) == ["area_shaded", "boat_lost"]
    boats = {boat["pool"]: boat["lost"] for boat in match.view()["seats"][0]["boats"]}
    assert boats == {"b2": True, "e2": False, "h2": False, "e4": False, "c5": False, "g5": False}


# --- scoring: D17, D18 ----------------------------------------------------------------------------

EXAMPLE = """
    .....xxx.
    .....x.x.
    ..x..xxxx
    xxxx.xxx.
    x.x......
    xxx......
"""


def test_worked_case_1_the_scoring_example_gives_33() -> None:
    """D17."""
    match = position(2, lakes=[EXAMPLE], tiles=["T4o0@b2=5 V3o1@h3=4 O4o0@f3=3 V3o0@a1=3"])
    seat = match.view()["seats"][0]
    assert seat["score"] == {"fireworks": 15, "second_group": 10, "boats": 8, "total": 33}
    assert [len(group) for group in seat["groups"]] == [12, 10]
    assert {boat["pool"] for boat in seat["boats"] if boat["surrounded"]} == {"g5", "b2"}
    assert match.scores[0] == 33


@pytest.mark.parametrize(
    ("lake", "second"),
    [
        (
            "xxxxxxx.. ......... xxxxxxx.. ......... ......... .........",
            7,
        ),  # worked case 4: two equal groups of 7
        ("xxxxxxxxx xxxxxxxxx xx....... ......... ......... .........", 0),  # one group of 20
        (
            "xx....... ..x...... ......... ......... ......... .........",
            1,
        ),  # corners do not connect
        (
            "xxxxxxxx. ........x x........ ......... ......... .........",
            1,
        ),  # neither do the ends of rows
        ("x.x.x.... xxx.x.x.x ......... xxxx..... ......... .........", 4),
        ("ululululu ......... ......... ......... ......... .........", 0),
    ],
)
def test_the_second_largest_group_scores(lake: str, second: int) -> None:
    """D17."""
    assert position(2, lakes=[lake]).view()["seats"][0]["score"]["second_group"] == second


@pytest.mark.parametrize(
    ("lake", "boats"),
    [
        ("......... ......... ......... .x....... x.x...... .x.......", 4),
        ("......... ......... ......... .x....... xux...... .x.......", 0),  # shaded
        (
            "......... ......... ......... .x....... x.x...... .u.......",
            0,
        ),  # a neighbor is not completed
    ],
)
def test_a_boat_scores_if_untouched_and_surrounded(lake: str, boats: int) -> None:
    """D13, D17."""
    assert position(2, lakes=[lake]).view()["seats"][0]["score"]["boats"] == boats


def test_rulebook_example_of_a_score() -> None:
    """D17."""
    lake = """
        ..xxx....
        .........
        ......xxx
        xxx..xxxx
        x.x..xxu.
        xxx..xx..
    """
    match = position(2, lakes=[lake])
    assert [len(group) for group in match.view()["seats"][0]["groups"]] == [11, 8, 3]
    assert match.view()["seats"][0]["score"]["second_group"] == 8
    assert match.view()["seats"][0]["score"]["boats"] == 4


def test_gifts_left_score_nothing() -> None:
    """D17."""
    assert position(2, gifts=[50, 0]).scores == [0, 0]


@pytest.mark.parametrize(
    ("tiles", "second", "places"),
    [
        (["V3o0@a1=4", "V3o0@a1=3"], [0, 0], [1, 2]),
        (["V3o0@a1=3", "V3o0@a1=4"], [1, 0], [2, 1]),  # the same total: more of it from fireworks
        (["V3o0@a1=4", "O4o0@a1=4"], [0, 0], [1, 1]),  # then they share
    ],
)
def test_ties_go_to_fireworks_and_then_are_shared(
    tiles: list[str], second: list[int], places: list[int]
) -> None:
    """D18."""
    lakes = [
        f"......... {'.......x.' if more else '.........'} ......... ......... xx....... xx......."
        for more in second
    ]
    match = last_launches(position(2, active=1, turn=10, lakes=lakes, tiles=tiles, gifts=[0, 0]))
    while not match.is_over:
        match.submit("skip")
    assert match.placements == places
    assert match.winners == [player for player, place in enumerate(places) if place == 1]
