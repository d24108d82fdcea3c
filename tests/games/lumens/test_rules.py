"""The rules of Lumens one by one, the worked cases of the rule page and the
examples of the rulebook."""

from __future__ import annotations

import pytest

import lampion
from lampion.core.types import CHANCE, SPECTATOR
from lampion.games.lumens.actions import ACTIONS, square_name
from lampion.games.lumens.rules_board import OPEN, why_not_arrive
from lampion.games.lumens.rules_rooms import score_room
from lampion.games.lumens.state import OFF_BOARD
from tests.games.lumens.build import (
    GREEN,
    RED,
    VIOLET,
    YELLOW,
    after,
    by_right,
    copy_of,
    position,
    reached_from,
    seat,
    targets,
    without_bags,
    without_hands,
)
from tests.support import starting_at

# --- components and set-up: U1 to U4 --------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_has_eight_tokens_of_each_of_three_kinds(players: int) -> None:
    """U1."""
    match = after(players, "")
    for player in range(players):
        assert [kind["faces"] for kind in seat(match, player)["unshown"]] == [  # type: ignore[attr-defined]
            [1, 6],
            [2, 5],
            [3, 4],
        ]
        assert [kind["count"] for kind in seat(match, player)["unshown"]] == [8, 8, 8]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("players", "columns", "rows", "rooms", "center"),
    [(2, 13, 9, 9, "E"), (3, 15, 15, 11, "F"), (4, 15, 15, 11, "F")],
)
def test_the_number_of_players_decides_the_board(
    players: int, columns: int, rows: int, rooms: int, center: str
) -> None:
    """U2."""
    view = after(players, "").view()
    assert (view["board"]["columns"], view["board"]["rows"], len(view["rooms"])) == (
        columns,
        rows,
        rooms,
    )
    assert [room["room"] for room in view["rooms"] if room["center"]] == [center]
    assert "".join(view["board"]["map"]).count(center) == 9


@pytest.mark.parametrize(
    ("players", "starts"), [(2, ["a1", "m9"]), (4, ["a15", "o15", "o1", "a1"])]
)
def test_start_markers_lie_in_corners_clockwise(players: int, starts: list[str]) -> None:
    """U3."""
    assert [here["start"] for here in after(players, "").view()["seats"]] == starts


@pytest.mark.parametrize(
    ("options", "middle", "starts"),
    [
        ({}, 0, ["h15", "o1", "a1"]),
        ({}, 1, ["a1", "h15", "o1"]),
        ({}, 2, ["o1", "a1", "h15"]),
        ({"starts": "balanced"}, 0, ["a8", "o15", "o1"]),
        ({"starts": "balanced"}, 2, ["o15", "o1", "a8"]),
        ({"starts": "published"}, 1, ["a1", "h15", "o1"]),
    ],
)
def test_with_three_players_chance_deals_the_middle_spot(
    options: dict[str, str], middle: int, starts: list[str]
) -> None:
    """U3."""
    match = after(3, "", **options)
    assert match.to_act == CHANCE
    assert match.legal_actions() == ["middle 0", "middle 1", "middle 2"]
    assert match.chance_weights().tolist() == [1, 1, 1]
    assert match.view()["seats"][0]["start"] is None
    match.submit(f"middle {middle}")
    assert [here["start"] for here in match.view()["seats"]] == starts


@pytest.mark.parametrize(
    ("players", "options", "code"),
    [
        (2, {"starts": "balanced"}, "option-not-for-players"),
        (4, {"starts": "balanced"}, "option-not-for-players"),
        (3, {"starts": "anywhere"}, "invalid-option"),
        (3, {"stars": "balanced"}, "unknown-option"),
    ],
)
def test_start_squares_are_an_option_of_three_players_only(
    players: int, options: dict[str, str], code: str
) -> None:
    """U3."""
    with pytest.raises(lampion.InvalidOptions) as refused:
        lampion.new("lumens", players, seed=1, options=options)
    assert refused.value.code == code
    assert "\n" not in str(refused.value)


def test_draws_of_the_set_up_go_round_in_seat_order() -> None:
    """U4."""
    match = after(3, "middle 1 +16 +25 +34")
    assert [seat(match, player)["hand"] for player in range(3)] == [[1, 6], [2, 5], [3, 4]]
    assert match.actors == [0, 1, 2]


def test_start_faces_are_chosen_in_any_order_and_shown_together() -> None:
    """U4. The example of the rulebook: green decides first and takes the 6, yellow does not see
    it yet and chooses the 2."""
    match = after(2, "+25 +16")
    match.submit("m9=6", GREEN)
    assert match.actors == [YELLOW]
    assert match.view(YELLOW)["squares"] == []
    assert match.scores == [0, 0]
    match.submit("a1=2", YELLOW)
    assert [
        (light["square"], light["player"], light["face"]) for light in match.view()["squares"]
    ] == [("a1", 0, 2), ("m9", 1, 6)]
    assert match.scores == [4, 4]
    assert match.to_act == CHANCE


def test_a_player_chooses_once_and_only_the_own_start_marker() -> None:
    """U4."""
    match = after(2, "+25 +16")
    assert match.legal_actions(GREEN) == ["m9=1", "m9=6"]
    with pytest.raises(lampion.IllegalAction, match="your own start marker"):
        match.submit("a1=6", GREEN)
    with pytest.raises(lampion.IllegalAction, match="does not have this face"):
        match.submit("m9=5", GREEN)
    match.submit("m9=6", GREEN)
    with pytest.raises(lampion.NotYourTurn):
        match.submit("m9=1", GREEN)


def test_player_0_is_the_first_player_whatever_seat_has_the_middle_spot() -> None:
    """U4."""
    match = after(3, "middle 2 +16 +16 +16 o1=6 a1=6 h15=6 +16 +16 +16")
    assert match.to_act == YELLOW


# --- placing: U5 to U7 ----------------------------------------------------------------------------


def test_case_1_a_single_six_reaches_two_squares_and_its_own_start() -> None:
    """U5, U7."""
    match = position("v6@a1", active=VIOLET)
    assert targets(match) == {"g1", "a7", "a1"}
    assert reached_from(match, "a1") == {"g1", "a7"}
    assert by_right(match) == {"a1"}


@pytest.mark.parametrize("in_between", ["r3@d1", "y1@d1", "g6@b1", "r2@f1"])
def test_case_2_a_token_in_between_cuts_the_line(in_between: str) -> None:
    """U5."""
    assert targets(position(f"v6@a1 {in_between}", active=VIOLET)) == {"a7", "a1"}


def test_case_2_an_own_token_cuts_as_well() -> None:
    """U5."""
    assert reached_from(position("v6@a1 v1@d1", active=VIOLET), "a1") == {"a7"}


def test_case_3_one_token_on_the_arrival_square_may_be_covered_two_may_not() -> None:
    """U6."""
    assert targets(position("v6@a1 r3@g1", active=VIOLET)) == {"g1", "a7", "a1"}
    assert targets(position("v6@a1 r3@g1 y3@g1", active=VIOLET)) == {"a7", "a1"}


def test_case_4_the_start_marker_of_another_is_closed() -> None:
    """U5."""
    match = position("r3@o1 v6@a1 v6@i1", active=VIOLET)
    assert reached_from(match, "i1") == {"c1", "i7"}
    assert by_right(match) == {"a1"}
    assert reached_from(position("r3@o1 v6@i1", active=RED), "o1") == {"l1", "o4"}


def test_case_5_own_tokens_may_be_covered() -> None:
    """U6."""
    match = position("v3@a1 v3@a4", active=VIOLET)
    assert {"a1", "a4"} <= targets(match)
    assert reached_from(match, "a4") == {"a1", "d4", "a7"}


def test_any_legal_square_takes_either_face_of_the_token_in_hand() -> None:
    """U5."""
    match = position("v6@a1", active=VIOLET, hand="25")
    assert match.legal_actions() == ["a1=2", "a1=5", "g1=2", "g1=5", "a7=2", "a7=5"]


def test_the_examples_of_placing_in_the_rulebook() -> None:
    """U5."""
    assert targets(position("y4@a1", active=YELLOW, players=2)) == {"e1", "a5", "a1"}
    assert targets(position("y4@a1 g1@c1", active=YELLOW, players=2)) == {"a5", "a1"}
    assert targets(position("y4@a1 g1@e1", active=YELLOW, players=2)) == {"e1", "a5", "a1"}
    match = position("y4@a1", active=YELLOW, players=2, hand="25")
    match.submit("e1=5")
    assert reached_from(position("y4@a1 y5@e1", active=YELLOW, players=2), "e1") == {"j1", "e6"}
    assert reached_from(position("v3@l1", active=VIOLET), "l1") == {"i1", "l4"}


def test_a_line_is_never_diagonal_and_never_turns() -> None:
    """U5."""
    assert reached_from(position("v2@h8", active=VIOLET), "h8") == {"f8", "j8", "h6", "h10"}


def test_a_line_does_not_go_round_the_border() -> None:
    """U5."""
    assert reached_from(position("v6@o8", active=VIOLET), "o8") == {"i8", "o2", "o14"}
    assert reached_from(position("v6@m5", active=GREEN, players=4), "m5") == set()
    assert reached_from(position("y6@m5", active=YELLOW, players=2), "m5") == {"g5"}


def test_a_cut_line_stays_cut_when_the_token_in_between_is_covered() -> None:
    """U5, U6."""
    match = position("v6@a1 r3@d1 y2@d1", active=VIOLET)
    assert targets(match) == {"a7", "a1"}


def test_a_covered_token_is_no_origin_and_has_no_pips() -> None:
    """U6. The example of the rulebook: yellow's 6 goes on green's 5 in the center room."""
    match = position("g5@h8 y2@h6", active=YELLOW)
    match.submit("h8=6")
    center = next(room for room in match.view()["rooms"] if room["center"])
    assert center["pips"] == [6, 0, 0, 0]
    assert not match.state.ways[GREEN].any()  # type: ignore[attr-defined]
    placed, *others = match.events()
    assert (placed["cause"], placed["what"], placed["to"]) == ("place", "token:6", "square:h8")
    assert others == [
        {"event": "covered", "player": 1, "square": "h8", "face": 5, "room": "F"},
        {"event": "score", "player": 0, "room": "F", "count": 4},
        {"event": "score", "player": 1, "room": "F", "count": -4},
    ]
    with pytest.raises(lampion.IllegalAction, match="two tokens lie there"):
        position("g5@h8 y6@h8 y2@h6", active=YELLOW).submit("h8=6")


def test_the_own_start_may_be_covered_once_without_a_line() -> None:
    """U7. The example of the rulebook: red has a 1 on o1 and puts a 4 on it."""
    match = position("r1@o1", active=RED, hand="34")
    match.submit("o1=4")
    assert seat(match, RED)["start_right"] is False
    again = position("r1@o1 r4@o1", active=RED, hand="34")
    assert targets(again) == {"k1", "o5"}


def test_coming_to_the_start_by_counting_spends_the_right_too() -> None:
    """U7."""
    match = position("r1@o1 r5@j1", active=RED)
    target = next(target for target in match.view()["targets"] if target["square"] == "o1")
    assert (target["origins"], target["start_right"]) == (["j1"], True)
    match.submit("o1=6")
    assert seat(match, RED)["start_right"] is False
    assert by_right(position("r1@o1 r5@j1 r6@o1", active=RED)) == set()


# --- blocked players, drawing, the end: U8 to U10 -------------------------------------------------

BLOCKED_GREEN = "g1@o15 g1@o15 r1@n15 r1@n15 r1@o14 r1@o14 g6@h8 y1@e8 y1@k8 y1@h5 y1@h11"
"""The example of the rulebook for U8: green's start is full, so are the squares beside it, and the
lines from h8 are cut."""


def test_a_player_who_cannot_place_on_their_turn_is_out_and_keeps_the_hand_hidden() -> None:
    """U8."""
    match = position(f"{BLOCKED_GREEN} y3@a15", active=YELLOW)
    assert not seat(match, GREEN)["is_out"]
    match.submit("d15=1")
    match.submit("+25")
    assert {"event": "blocked", "player": GREEN} in match.events()
    assert match.to_act == RED
    assert [
        seat(match, GREEN, viewer)[key]
        for viewer in (SPECTATOR, RED)
        for key in ("is_out", "hand", "hand_size")
    ] == [
        True,
        None,
        1,
    ] * 2
    assert seat(match, GREEN)["hand"] == [1, 6]


def test_a_player_who_is_out_has_no_more_turns_but_still_scores() -> None:
    """U8."""
    match = position(f"{BLOCKED_GREEN} y3@a15 r6@h2 v6@a1", active=YELLOW)
    for text in ("d15=1", "+25", "b2=1", "+25", "a7=1", "+25"):
        match.submit(text)
    assert match.to_act == YELLOW
    rooms = {room["room"]: room["points"][GREEN] for room in match.view()["rooms"]}
    assert (rooms["C"], rooms["F"], seat(match, GREEN)["points"]) == (2, 4, 6)


def test_there_is_no_passing() -> None:
    """U8."""
    match = position("v6@a1", active=VIOLET)
    with pytest.raises(lampion.InvalidAction):
        match.submit("pass")


def test_draws_are_weighted_by_what_is_left_in_the_bag() -> None:
    """U9."""
    match = after(2, "+16 +34")
    match.submit("a1=6")
    match.submit("m9=3")
    assert match.chance_weights().tolist() == [7, 8, 8]
    match.submit("+16")
    assert match.chance_weights().tolist() == [8, 8, 7]


def test_a_kind_that_is_used_up_is_not_drawn() -> None:
    """U9."""
    match = position("v6@a1", active=VIOLET)
    state = copy_of(match)
    state.unshown[VIOLET], state.num_unshown[VIOLET] = [1, 0, 3], 4
    match = starting_at(match, state)
    match.submit("g1=6")
    assert match.legal_actions(CHANCE) == ["+34"]
    with pytest.raises(lampion.IllegalAction, match="left in the bag"):
        match.submit("+25")


def test_the_last_token_is_placed_without_a_draw() -> None:
    """U9."""
    match = without_bags(position("y3@a15 g3@o15", active=YELLOW), YELLOW)
    match.submit("d15=1")
    assert match.to_act == GREEN
    assert seat(match, YELLOW) | {"hand": None, "hand_size": 0, "num_unshown": 0} == seat(
        match, YELLOW
    )


def test_the_game_ends_when_all_tokens_are_placed() -> None:
    """U10."""
    match = without_bags(position("y3@a1 g3@m9", active=YELLOW, players=2), YELLOW, GREEN)
    match.submit("d1=1")
    assert not match.is_over
    match.submit("j9=1")
    assert match.is_over
    assert not any(seat(match, player)["is_out"] for player in range(2))


def test_the_game_ends_when_everybody_left_is_blocked() -> None:
    """U10. Only green has a token left, and cannot place it."""
    match = without_hands(position(f"{BLOCKED_GREEN} y3@a15", active=YELLOW), RED, VIOLET)
    match = without_bags(match, YELLOW)
    match.submit("d15=1")
    assert match.is_over
    assert match.events()[-1] == {"event": "blocked", "player": GREEN}


def test_the_last_player_left_places_turn_after_turn() -> None:
    """U10."""
    match = without_hands(position(f"{BLOCKED_GREEN} y3@a15", active=YELLOW), RED, VIOLET)
    for text in ("d15=1", "+16", "a12=1", "+16"):
        match.submit(text)
        assert match.to_act in (YELLOW, CHANCE)


# --- scoring: U11 and U12 -------------------------------------------------------------------------


def room_points(*pips: int) -> list[int]:
    """What a room with these pips pays."""
    match = after(len(pips), "")
    state = copy_of(match)
    state.room_pips[0, : len(pips)] = pips
    score_room(state, 0)
    return starting_at(match, state).scores


@pytest.mark.parametrize(
    ("pips", "points"),
    [
        ((10, 9, 4, 0), [4, 2, 0, 0]),
        ((12, 5, 4, 0), [4, 2, 0, 0]),
        ((10, 10, 6, 0), [4, 4, 0, 0]),
        ((9, 4, 4, 0), [4, 2, 2, 0]),
        ((5, 0, 0, 0), [4, 0, 0, 0]),
        ((7, 7, 7, 2), [4, 4, 4, 0]),
        ((7, 3), [4, 0]),
        ((7, 7), [4, 4]),
        ((0, 0, 0, 0), [0, 0, 0, 0]),
        ((11, 8, 3, 0), [4, 2, 0, 0]),
        ((9, 9, 5, 1), [4, 4, 0, 0]),
        ((12, 6, 6, 2), [4, 2, 2, 0]),
        ((6, 0, 0, 0), [4, 0, 0, 0]),
        ((8, 8, 8, 3), [4, 4, 4, 0]),
        ((9, 4), [4, 0]),
        ((5, 5), [4, 4]),
        ((3, 9, 6), [0, 4, 2]),
    ],
)
def test_case_6_what_a_room_pays(pips: tuple[int, ...], points: list[int]) -> None:
    """U11. The worked cases, then the examples of the rulebook."""
    assert room_points(*pips) == points


def test_top_tokens_count_start_tokens_too_and_passages_pay_nothing() -> None:
    """U2, U11. The example of the rulebook: room D of the small board."""
    match = position("y6@b6 y2@c5 g5@d5 y3@c4 g4@c4 y6@a5", active=YELLOW, players=2)
    room = next(room for room in match.view()["rooms"] if room["room"] == "D")
    assert (room["pips"], room["points"], room["leaders"]) == ([8, 9], [0, 4], [GREEN])
    assert match.scores == [0, 4]


def with_points(points: list[int], center: list[int]) -> list[int]:
    """The places of players with these points and pips in the center room."""
    match = after(len(points), "")
    state = copy_of(match)
    state.points[: len(points)] = points
    state.room_pips[state.center, : len(points)] = center
    return starting_at(match, state).placements


def test_case_7_the_center_room_breaks_a_tie() -> None:
    """U12."""
    assert 20 + 20 + 14 + 12 == 11 * 6
    assert with_points([20, 20, 14, 12], [0, 3, 0, 0]) == [2, 1, 3, 4]
    assert with_points([20, 20, 14, 12], [1, 0, 9, 0]) == [1, 2, 3, 4]


def test_only_the_tied_compare_their_pips_in_the_center_room() -> None:
    """U12. The example of the rulebook: yellow 22, green 18, red 22."""
    assert with_points([22, 18, 22], [7, 11, 5]) == [1, 3, 2]


def test_a_tie_in_the_center_room_too_is_a_shared_victory() -> None:
    """U12."""
    assert with_points([20, 20, 14, 12], [4, 4, 9, 0]) == [1, 1, 3, 4]
    assert with_points([12, 12], [0, 0]) == [1, 1]


def test_scores_start_at_zero() -> None:
    """U12."""
    assert after(4, "+16 +16 +16 +16").scores == [0, 0, 0, 0]


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rule", "reason"),
    [
        ("c3=6", "U5", "none of your uncovered tokens"),
        ("g1=6", "U5", "another token is in the way"),
        ("a7=5", "U5", "does not have this face"),
        ("o1=6", "U5", "start marker of another"),
        ("d1=6", "U6", "two tokens lie there"),
        ("+16", "U9", "for chance"),
        ("middle 1", "U3", "for chance"),
        ("+11", "U1", "no token with the faces 11"),
    ],
)
def test_a_refusal_names_rule_and_reason(text: str, rule: str, reason: str) -> None:
    match = position("v6@a1 r3@d1 y3@d1 v6@i1 r3@o1", active=VIOLET)
    with pytest.raises(lampion.IllegalAction, match=reason) as refused:
        match.submit(text)
    assert refused.value.rule == rule


def test_chance_is_refused_what_is_not_in_the_bag_and_what_is_not_due() -> None:
    match = position("v6@a1", active=VIOLET)
    state = copy_of(match)
    state.unshown[VIOLET], state.num_unshown[VIOLET] = [1, 0, 3], 4
    match = starting_at(match, state)
    match.submit("g1=6")
    assert match.to_act == CHANCE
    for text, reason in (("+25", "no such token"), ("middle 1", "not due")):
        with pytest.raises(lampion.IllegalAction, match=reason):
            match.submit(text)


def test_a_start_face_is_chosen_before_play_alone() -> None:
    """U4. In notation it looks like a placement; as an id it is another action."""
    match = position("v6@a1", active=VIOLET)
    with pytest.raises(lampion.IllegalAction, match="start") as refused:
        match.submit(ACTIONS["choose_start"].id(5))
    assert refused.value.rule == "U4"
    assert refused.value.values["key"] == "start-is-past"


def test_reasons_are_given_exactly_where_nobody_can_arrive() -> None:
    """U5: the list goes by the ways, a refusal looks for the reason."""
    match = position("v6@a1 r3@d1 y3@d1 v6@i1 r3@o1", active=VIOLET)
    state = copy_of(match)
    arriving = {
        square_name(square)
        for square in range(len(state.top))
        if state.top[square] != OFF_BOARD and why_not_arrive(state, VIOLET, square) == OPEN
    }
    assert arriving == targets(match)


def test_a_square_beyond_the_board_is_refused() -> None:
    with pytest.raises(lampion.IllegalAction, match="no square o1"):
        position("y3@a1", active=YELLOW, players=2).submit("o1=6")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a16=1",
        "p1=1",
        "a1=7",
        "a1=0",
        "a01=1",
        "A1=1",
        "a1",
        "a1=1 ",
        "+",
        "+1",
        "middle 3",
        "\u0661",
    ],
)
def test_other_texts_are_no_notation(text: str) -> None:
    with pytest.raises(lampion.InvalidAction):
        position("v6@a1", active=VIOLET).submit(text)
