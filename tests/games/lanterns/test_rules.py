"""The rules of Lanterns one by one, the worked cases of the rule page and the
examples of both rulebooks."""

from __future__ import annotations

import pytest

import lampion
from lampion.core.types import CHANCE
from tests.games.lanterns.build import cards, gains, position

PLENTY = "ROGBPWK" * 4


def favors(match: lampion.Match) -> list[int]:
    return [int(number) for number in match.state.favors[: match.players]]  # type: ignore[attr-defined]


# --- set-up: L1 to L5 -----------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "faced"), [(2, "RK"), (3, "RWB"), (4, "RWKB")])
def test_each_player_starts_with_the_card_of_the_side_they_face(players: int, faced: str) -> None:
    """L1, L3."""
    match = lampion.new("lanterns", players, seed=1)
    assert [cards(match, player) for player in range(players)] == list(faced)


@pytest.mark.parametrize(("players", "supply", "to_draw"), [(2, 5, 16), (3, 7, 18), (4, 8, 20)])
def test_supply_and_draw_stack_depend_on_the_number_of_players(
    players: int, supply: int, to_draw: int
) -> None:
    """L2, L3, L5."""
    view = lampion.new("lanterns", players, seed=1).view()
    held = sum(view["supply"].values()) + sum(seat["num_cards"] for seat in view["seats"])
    assert held == 7 * supply
    assert view["left_to_draw"] == to_draw
    assert all(seat["hand_size"] == 3 and seat["favors"] == 0 for seat in view["seats"])


@pytest.mark.parametrize(("players", "honor"), [(2, 120), (3, 159), (4, 183)])
def test_tokens_with_too_many_dots_leave_the_game(players: int, honor: int) -> None:
    """L4."""
    view = lampion.new("lanterns", players, seed=1).view()
    assert sum(sum(stack["honors"]) for stack in view["stacks"]) == honor


def test_three_players_play_without_the_tokens_of_four_dots() -> None:
    """L4. The example of the French rulebook: of the seven unique, the 9 with four dots goes."""
    stacks = {
        stack["kind"]: stack["honors"]
        for stack in lampion.new("lanterns", 3, seed=1).view()["stacks"]
    }
    assert stacks["seven_unique"] == [10, 9, 8, 8, 7, 7, 6, 5]
    assert len(stacks["four_of_a_kind"]) == len(stacks["three_pairs"]) == 8


def test_the_deal_goes_round_the_table_three_times() -> None:
    """L2."""
    match = lampion.new("lanterns", 3, seed=1)
    drawers = [event["player"] for ply in range(9) for event in match.events(ply)]
    assert drawers == [0, 1, 2] * 3


@pytest.mark.parametrize(
    ("players", "four", "pairs", "seven"),
    [
        (2, "876554", "987655", "10 9 8 7 6 5"),
        (3, "87665554", "98776655", "10 9 8 8 7 7 6 5"),
        (4, "877665554", "988776655", "10 9 9 8 8 7 7 6 5"),
    ],
)
def test_stacks_are_sorted_with_the_highest_honor_on_top(
    players: int, four: str, pairs: str, seven: str
) -> None:
    """L4."""
    stacks = lampion.new("lanterns", players, seed=1).view()["stacks"]
    assert [stack["honors"] for stack in stacks] == [
        [int(honor) for honor in four],
        [int(honor) for honor in pairs],
        [int(honor) for honor in seven.split()],
    ]


def test_the_very_first_turn_is_nothing_more_than_placing_a_tile() -> None:
    """L5."""
    for players in (2, 3, 4):
        match = lampion.new("lanterns", players, seed=1)
        assert match.to_act == 0
        assert favors(match) == [0] * players
        assert all("@" in text for text in match.legal_actions())


# --- exchange: L6 ---------------------------------------------------------------------------------


def test_exchange_costs_two_favors_and_swaps_a_card() -> None:
    """L6."""
    match = position(4, cards=["PRRR"], favors=[3])
    match.submit("xP>R")
    assert cards(match, 0) == "RRRR"
    assert favors(match)[0] == 1


def test_exchange_takes_another_color_from_a_pile_that_is_not_empty() -> None:
    """L6."""
    match = position(4, cards=["PR"], favors=[2], supply="RRO")
    exchanges = [text for text in match.legal_actions() if text.startswith("x")]
    assert exchanges == ["xR>O", "xP>R", "xP>O"]


def test_exchange_only_once_and_not_after_a_dedication() -> None:
    """L6, L7."""
    match = position(4, cards=["PRRRRR"], favors=[9], supply=PLENTY)
    match.submit("xP>R")
    assert not any(text.startswith("x") for text in match.legal_actions())
    match.undo()
    match.submit("d4:R")
    assert not any(text[0] in "xd" for text in match.legal_actions())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("xG>R", "you hold no such card"),
        ("xP>P", "another color than you give"),
        ("xP>K", "that pile is empty"),
    ],
)
def test_a_refused_exchange_says_what_is_wrong_with_it(text: str, reason: str) -> None:
    """L6, L12."""
    match = position(4, cards=["PR"], favors=[2], supply="RROP")
    with pytest.raises(lampion.IllegalAction, match=reason) as refused:
        match.submit(text)
    assert refused.value.rule in ("L6", "L12")


def test_chance_draws_tiles_and_nothing_else() -> None:
    """L13."""
    match = position(2, hands=[[8, 9, 10], [1, 2, 3]], left_to_draw=1)
    match.submit("8r0@1,0")
    assert match.to_act == CHANCE
    with pytest.raises(lampion.IllegalAction, match="chance only draws tiles"):
        match.submit("pass")
    with pytest.raises(lampion.IllegalAction, match="cannot be drawn any more"):
        match.submit("+1")


def test_one_favor_is_not_enough_to_exchange() -> None:
    """L6."""
    match = position(4, cards=["PR"], favors=[1])
    with pytest.raises(lampion.IllegalAction, match="too few favors") as refused:
        match.submit("xP>R")
    assert refused.value.rule == "L6"


# --- dedications: L7 ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "offered"),
    [
        ("RRR", []),
        ("RRRR", ["d4:R"]),
        ("OOBBWW", ["d3:OBW"]),
        ("OOOOBB", ["d4:O"]),  # four of one color are no two pairs
        ("ROGBPWK", ["d7"]),
        ("RROOGGBB", ["d3:ROG", "d3:ROB", "d3:RGB", "d3:OGB"]),
    ],
)
def test_sets_that_can_be_dedicated(held: str, offered: list[str]) -> None:
    """L7."""
    match = position(4, cards=[held])
    assert [text for text in match.legal_actions() if text.startswith("d")] == offered


def test_a_dedication_returns_the_cards_and_takes_the_top_token() -> None:
    """L7."""
    match = position(4, cards=["OOBBWWK"], supply="")
    match.submit("d3:OBW")
    view = match.view()
    assert cards(match, 0) == "K"
    assert view["seats"][0]["honor"] == 9
    assert view["stacks"][1]["honors"][0] == 8
    assert {letter: count for letter, count in view["supply"].items() if count} == {
        "O": 2,
        "B": 2,
        "W": 2,
    }


def test_an_empty_stack_keeps_paying_four() -> None:
    """L7."""
    stack = position(2).state.stack_size[0]  # type: ignore[attr-defined]
    match = position(2, cards=["RRRR"], tokens_taken=[stack])
    match.submit("d4:R")
    assert match.scores[0] == 4


# --- card limit: L8 -------------------------------------------------------------------------------


def test_worked_case_4_one_dedication_may_not_be_enough() -> None:
    """L8."""
    match = position(4, cards=["RRRRRRROOOOOGGGBP"])
    assert len(cards(match, 0)) == 17
    assert not any("@" in text for text in match.legal_actions())
    match.submit("d4:R")
    assert match.legal_actions() == ["-R", "-O", "-G", "-B", "-P"]
    match.submit("-P")
    assert all("@" in text for text in match.legal_actions())


def test_discarding_closes_exchange_and_dedication() -> None:
    """L8."""
    match = position(4, cards=["RRRRRRROOOOOGG"], favors=[5])
    match.submit("-G")
    assert match.legal_actions() == ["-R", "-O", "-G"]


def test_nobody_may_discard_with_twelve_cards() -> None:
    """L8."""
    match = position(4, cards=["RRRRRROOOOOO"])
    with pytest.raises(lampion.IllegalAction) as refused:
        match.submit("-R")
    assert refused.value.rule == "L8"


def test_placing_with_too_many_cards_is_refused_by_its_rule() -> None:
    """L8."""
    match = position(4, cards=["RRRRRROOOOOOG"], hands=[[8, 9, 10]])
    with pytest.raises(lampion.IllegalAction, match="too many cards") as refused:
        match.submit("8r0@0,-1")
    assert refused.value.rule == "L8"


# --- placing: L9 to L12 ---------------------------------------------------------------------------


def test_a_tile_may_lie_beside_any_tile_whatever_the_colors() -> None:
    """L9."""
    match = position(2, hands=[[8, 9, 20]])
    assert len(match.legal_actions()) == 4 * 3 * 4
    match.submit("20r0@1,0")
    assert "9r2@2,0" not in match.legal_actions()  # it is the other player's turn, with other tiles


def test_touching_at_a_corner_is_not_enough() -> None:
    """L9."""
    match = position(2, lake="12r0@1,0", hands=[[8, 9, 20]])
    cells = {text.partition("@")[2] for text in match.legal_actions()}
    assert cells == {"0,1", "-1,0", "0,-1", "1,1", "2,0", "1,-1"}
    with pytest.raises(lampion.IllegalAction) as refused:
        match.submit("8r0@2,1")
    assert refused.value.rule == "L9"


def test_rotations_that_look_the_same_are_one_action_and_any_is_read() -> None:
    """L9."""
    match = position(2, hands=[[26, 34, 8]])
    rotations = [
        text for text in match.legal_actions() if text.startswith("26r") and text.endswith("@1,0")
    ]
    assert rotations == ["26r0@1,0", "26r1@1,0"]
    assert match.submit("26r3@1,0").text == "26r1@1,0"


def test_twin_tiles_are_two_actions() -> None:
    """L9."""
    match = position(2, hands=[[10, 11, 8]])
    assert {"10r0@1,0", "11r0@1,0"} <= set(match.legal_actions())


# Tile 31 lies with purple to the south, tile 29 with red to the west; 32r2 between them shows
# purple north and red east.
AROUND_THE_GAP = "12r0@0,1 7r0@1,1 31r0@2,1 24r0@3,1 29r0@3,0"


def test_worked_case_1_two_matches_three_platforms_and_the_last_black_card() -> None:
    """L10, L11, L12. Also example 3 of the Italian and example 2 of the French rulebook."""
    match = position(
        4, lake=AROUND_THE_GAP, hands=[[32, 8, 9]], cards=["", "", "", ""], supply="PPPRRRK"
    )
    assert gains(match, "32r2@2,0") == ["RPK", "", "P", "R"]
    assert favors(match) == [3, 0, 0, 0]


def test_favors_are_due_even_if_the_pile_is_empty() -> None:
    """L10, L12."""
    match = position(4, lake=AROUND_THE_GAP, hands=[[32, 8, 9]], cards=["", "", "", ""], supply="K")
    assert gains(match, "32r2@2,0") == ["K", "", "", ""]
    assert favors(match) == [3, 0, 0, 0]


def test_worked_case_2_the_boat_is_no_platform_and_an_unmatched_platform_gives_nothing() -> None:
    """L10. Also example 2 of the Italian and example 1 of the French rulebook."""
    match = position(
        4,
        lake="26r0@1,0 30r0@1,-1",
        hands=[[], [], [8, 9, 10], []],
        active=2,
        cards=[""] * 4,
        supply="RRGGBB",
    )
    assert gains(match, "8r3@0,-1") == ["G", "B", "RR", ""]
    assert favors(match) == [0, 0, 0, 0]


def test_worked_case_3_a_match_of_the_placed_platform_alone() -> None:
    """L10. Also example 1 of the Italian rulebook: green matches, white faces the
    player, orange the opponent."""
    match = position(2, lake="13r3@-1,0", hands=[[30, 8, 9], []], cards=["", ""], supply=PLENTY)
    # 13r3 has green to the west, and 30r3 beside it green to the east.
    assert gains(match, "30r3@-2,0") == ["GW", "O"]
    assert favors(match) == [1, 0]


def test_italian_orientation_example_each_player_gets_the_color_that_faces_them() -> None:
    """L11. Blue to the south, white west, green north, purple east: tile 10 BWGP turned by a
    half."""
    match = position(4, hands=[[10, 8, 9]], cards=[""] * 4, supply=PLENTY)
    assert gains(match, "10r2@0,1") == ["B", "W", "G", "P"]


def test_french_example_a_match_between_two_platforms_gives_two_favors() -> None:
    """L10."""
    match = position(4, lake="29r0@1,0", hands=[[30, 8, 9]], cards=[""] * 4, supply=PLENTY)
    assert gains(match, "30r0@1,1") == ["GG", "W", "G", "O"]
    assert favors(match) == [2, 0, 0, 0]


def test_french_example_the_last_card_goes_to_the_first_in_order() -> None:
    """L12. Tile 26 BOBO turned once shows blue east and west, orange north and
    south: west comes before east."""
    match = position(4, hands=[[26, 8, 9]], cards=[""] * 4, supply="OOOB")
    assert gains(match, "26r1@0,1") == ["O", "B", "O", ""]


def test_french_example_of_a_turn() -> None:
    """L6, L7, L10, L11. Exchange purple for red, dedicate four red, then match blue beside a
    platform and face orange."""
    match = position(
        4,
        lake="4r0@0,1 26r0@1,0",
        hands=[[12, 8, 9]],
        cards=["RRRGBPWK", "", "", ""],
        supply="R" + PLENTY,
        favors=[3, 0, 0, 0],
    )
    match.submit("xP>R")
    match.submit("d4:R")
    assert cards(match, 0) == "GBWK"
    assert match.scores[0] == 8
    # 12r0 has blue to the north, and touches the blue south side of 26.
    assert gains(match, "12r0@1,-1") == ["OB", "R", "B", "W"]
    assert favors(match)[0] == 3 - 2 + 1


def test_cards_returned_in_the_same_turn_can_be_handed_out_again() -> None:
    """L7, L11."""
    match = position(2, hands=[[20, 8, 9], []], cards=["PPPP", ""], supply="K")
    match.submit("d4:P")
    assert gains(match, "20r2@1,0") == ["K", "P"]


def test_hand_outs_are_told_in_order_the_bonus_first_and_then_clockwise() -> None:
    """L10-L12."""
    match = position(4, lake=AROUND_THE_GAP, hands=[[32, 8, 9]], cards=[""] * 4, supply="PPPRRRK")
    match.submit("32r2@2,0")
    told = [
        (event["cause"], event["player"], event.get("side"), event["count"])
        for event in match.events()
    ]
    assert told == [
        ("place", 0, None, 1),
        ("match", 0, "north", 1),
        ("platform", 0, "north", 1),
        ("match", 0, "east", 1),
        ("platform", 0, "east", 1),
        ("platform", 0, None, 1),
        ("facing", 0, "south", 1),
        ("facing", 1, "west", 0),
        ("facing", 2, "north", 1),
        ("facing", 3, "east", 1),
    ]


def test_a_dedication_tells_what_it_gives_back_and_what_it_brings() -> None:
    """L7."""
    match = position(2, hands=[[20, 8, 9], []], cards=["OOBBWWK", ""])
    match.submit("d3:OBW")
    *given, gained = match.events()
    assert [(event["cause"], event["what"], event["count"]) for event in given] == [
        ("dedicate_give", "lantern:O", 2),
        ("dedicate_give", "lantern:B", 2),
        ("dedicate_give", "lantern:W", 2),
    ]
    assert (gained["from"], gained["to"]) == ("stack:three_pairs", "seat:0")
    assert gained["count"] == match.scores[0]


def test_an_exchange_tells_what_is_paid_given_and_taken() -> None:
    """L6."""
    match = position(2, hands=[[20, 8, 9], []], cards=["P", ""], favors=[3, 0], supply="R")
    match.submit("xP>R")
    told = [(event["what"], event["from"], event["to"], event["count"]) for event in match.events()]
    assert told == [
        ("favor", "seat:0", "bank", 2),
        ("lantern:P", "seat:0", "supply", 1),
        ("lantern:R", "supply", "seat:0", 1),
    ]


def test_the_view_says_who_holds_too_many_cards_and_what_a_stack_pays() -> None:
    """L7, L8: facts that a screen shows and does not work out."""
    match = position(2, hands=[[20, 8, 9], [1]], cards=["P" * 13, "P" * 12])
    assert [seat["over_limit"] for seat in match.view()["seats"]] == [True, False]
    for stack in match.view()["stacks"]:
        assert stack["pays"] == stack["honors"][0]


# --- drawing and the end: L13 to L15 --------------------------------------------------------------


def test_a_tile_is_drawn_after_placing_while_tiles_remain() -> None:
    """L13."""
    match = position(2, hands=[[8, 9, 10], [1, 2, 3]], left_to_draw=1)
    match.submit("8r0@1,0")
    assert match.to_act == CHANCE
    match.submit("+20")
    assert match.view(0)["seats"][0]["hand_size"] == 3
    match.submit("1r0@0,1")
    assert match.to_act == 0, "nothing is left to draw"


def test_the_final_round_offers_exchange_dedication_and_pass() -> None:
    """L14."""
    match = position(
        2,
        hands=[[], [8]],
        active=1,
        cards=["RRRROK", ""],
        favors=[2, 0],
        supply="GW",
        left_to_draw=0,
    )
    match.submit("8r0@1,0")
    assert match.view()["turn"]["final_round"]
    legal = match.legal_actions()
    assert legal[0] == "pass"
    assert "d4:R" in legal
    assert not any("@" in text or text.startswith("-") for text in legal)
    match.submit("d4:R")
    assert match.legal_actions() == ["pass"]
    match.submit("pass")
    match.submit("pass")
    assert match.is_over


def test_there_is_no_card_limit_in_the_final_round() -> None:
    """L8, L14."""
    match = position(2, hands=[[], []], cards=["RRRRRRRROOOOOOOO", ""], left_to_draw=0)
    assert match.legal_actions() == ["pass", "d4:R", "d4:O"]


def final_result(honor: list[int], kept: list[int], held: list[str]) -> lampion.Match:
    hands: list[list[int]] = [[] for _ in honor]
    match = position(len(honor), hands=hands, cards=held, favors=kept, honor=honor, left_to_draw=0)
    for _ in honor:
        match.submit("pass")
    return match


@pytest.mark.parametrize(
    ("honor", "kept", "held", "places"),
    [
        ([30, 20, 25], [0, 5, 5], ["", "RR", "RR"], [1, 3, 2]),
        ([30, 30, 25], [1, 2, 9], ["RRR", "", ""], [2, 1, 3]),  # then favors
        ([30, 30, 25], [2, 2, 9], ["RO", "ROG", ""], [2, 1, 3]),  # then cards
        ([30, 30, 30], [2, 2, 1], ["RO", "GB", ""], [1, 1, 3]),  # then they share
        ([50, 40, 40], [0, 0, 5], ["", "", ""], [1, 3, 2]),  # losers, too
    ],
)
def test_ties_go_to_favors_then_cards_then_are_shared(
    honor: list[int], kept: list[int], held: list[str], places: list[int]
) -> None:
    """L15."""
    match = final_result(honor, kept, held)
    assert match.placements == match.view()["placements"] == places
    assert match.at(0).view()["placements"] == [], "no places before the end"
    assert match.winners == [player for player, place in enumerate(places) if place == 1]


def test_sanity_bands_of_simple_players() -> None:
    """Worked case 5: random play averages about 16 / 18 / 18 honor with 2 / 3 / 4 players."""
    import numpy as np

    from lampion.core import play
    from lampion.core.rng import new_rng

    for players, expected in ((2, 16), (3, 18), (4, 18)):
        match = lampion.new("lanterns", players, seed=1).at(0)
        legal, rng, out, total = (
            np.empty(match.game.ACTIONS.size, np.int32),
            new_rng(5),
            np.zeros(players, np.int32),
            0,
        )
        games = 400
        for _ in range(games):
            state = match.state.copy()
            play.play_random_game(state.batch, 0, legal, rng)
            play.scores_at(state.batch, 0, out)
            total += int(out.sum())
        assert abs(total / games / players - expected) < 1.5
