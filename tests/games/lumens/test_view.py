"""What each seat sees of Lumens, and what it does not."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import lampion
from lampion.core import play
from lampion.core.game import find_game
from lampion.core.record import HIDDEN
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, SPECTATOR, Json
from lampion.games.lumens.actions import (
    ACTIONS,
    place_action,
    placed_face,
    placed_square,
    square_name,
    square_number,
)
from lampion.games.lumens.compact import COMPACT, observe_compact
from lampion.games.lumens.components import MAX_COLUMNS, MAX_FACE, MAX_ROWS
from lampion.games.lumens.rules_board import STEPS, is_open, line_end
from lampion.games.lumens.state import NO_SQUARE, ROW_LENGTH, State
from tests.games.lumens.build import GREEN, RED, VIOLET, YELLOW, after, position, seat
from tests.support import Case, play_on

# --- the secret choice of a start face ------------------------------------------------------------


def others(match: lampion.Match, player: int) -> str:
    """Everything that anybody but one player is given."""
    seats = [other for other in (SPECTATOR, *range(match.players)) if other != player]
    given = [
        [
            match.view(one),
            match.log.read_by(one),
            match.draw(one),
            match.seen_from(one).tobytes().hex(),
        ]
        for one in seats
    ]
    told = [[match.events(ply, one) for ply in range(match.ply)] for one in seats]
    return json.dumps([given, told])


def test_nobody_else_learns_the_kind_or_the_face_of_a_start_token() -> None:
    """Green draws any kind and chooses any face: all that the others are given is the same."""
    seen = set()
    for kind in ("16", "25", "34"):
        for face in kind:
            match = after(4, f"+16 +{kind} +34 +34")
            match.submit(f"o15={face}", GREEN)
            seen.add(others(match, GREEN))
            assert seat(match, GREEN)["start_face"] == int(face)
            assert seat(match, GREEN, RED)["start_face"] is None
            assert seat(match, GREEN, RED)["has_chosen"] is True
            for player in (YELLOW, RED, VIOLET):
                assert len(match.legal_actions(player)) == 2
    assert len(seen) == 1


def test_the_log_hides_a_choice_from_the_others() -> None:
    match = after(2, "+25 +16")
    match.submit("m9=6", GREEN)
    assert match.log.read_by(GREEN)[-1] == (GREEN, "m9=6")
    assert match.log.read_by(YELLOW)[-1] == match.log.read_by()[-1] == (GREEN, "m9=?")


def test_the_log_tells_the_choices_when_the_tokens_are_shown() -> None:
    match = after(2, "+25 +16")
    match.submit("m9=6", GREEN)
    match.undo()
    match.submit("m9=1", GREEN)
    match.submit("a1=2", YELLOW)
    match.submit("+16")
    told = [
        ("c", "+?"),
        ("c", "+?"),
        (1, "m9=?"),
        (1, "undo 2"),
        (1, "m9=1"),
        (0, "a1=2"),
        ("c", "+?"),
    ]
    assert match.log.read_by() == told, "what was taken back stays secret"


def test_a_preview_of_the_last_choice_does_not_tell_what_the_others_chose() -> None:
    previews = []
    for face in "16":
        match = after(2, "+25 +16")
        match.submit(f"m9={face}", GREEN)
        previews.append(match.preview("a1=5", YELLOW))
    assert previews[0] == previews[1]
    assert {event["player"] for event in previews[0]} == {YELLOW}


def test_the_last_choice_tells_what_all_have_chosen() -> None:
    match = after(2, "+25 +16 a1=5 m9=6")
    shown = [event for event in match.events() if event.get("cause") == "start"]
    assert match.events()[0] == {"event": "start_chosen", "player": 1}
    assert [(event["player"], event["face"]) for event in shown] == [(0, 5), (1, 6)]
    assert points(match.events()) == [(0, shown[0]["room"], 4), (1, shown[1]["room"], 4)]


def test_a_draw_and_a_choice_are_told_to_their_owner_alone() -> None:
    match = after(2, "+25 +16 a1=5")
    assert match.events(0, YELLOW)[0]["faces"] == [2, 5]
    assert match.events(2, YELLOW)[0]["face"] == 5
    for other in (GREEN, SPECTATOR):
        assert "faces" not in match.events(0, other)[0]
        assert "face" not in match.events(2, other)[0]


# --- the hand -------------------------------------------------------------------------------------


def test_bag_and_hand_are_one_number_per_kind_for_everybody() -> None:
    """The example of the rulebook: yellow's start token is a 1/6; when the first turn begins, 7, 8
    and 8 are still to show."""
    seen = set()
    for kind in ("16", "25", "34"):
        match = after(2, f"+16 +16 a1=6 m9=6 +{kind} +16")
        assert [number["count"] for number in seat(match, YELLOW, GREEN)["unshown"]] == [7, 8, 8]  # type: ignore[attr-defined]
        assert seat(match, YELLOW)["hand"] == [int(face) for face in kind]
        assert seat(match, YELLOW, GREEN)["hand"] is None
        seen.add(others(match, YELLOW))
    assert len(seen) == 1


def test_no_field_of_the_state_tells_bag_from_hand() -> None:
    match = lampion.new("lumens", 4, seed=5)
    for running in play_on(match, random.Random(5)):
        seen = running.seen_from(SPECTATOR)
        assert isinstance(seen, State)
        assert (seen.hand == HIDDEN).all() and (seen.start_face == HIDDEN).all()
        state = running.state
        assert isinstance(state, State)
        for player in range(4):
            assert seen.num_unshown[player] == seen.unshown[player].sum() >= state.hand_size[player]


def test_a_draw_is_hidden_from_the_others() -> None:
    match = after(2, "+16 +25")
    assert match.log.read_by(YELLOW) == [("c", "+16"), ("c", "+?")]
    assert match.log.read_by(SPECTATOR) == [("c", "+?"), ("c", "+?")]


def shares(match: lampion.Match, viewer: int, field: str, player: int) -> dict[int, float]:
    """How often guesses of a seat give each value of a hidden field."""
    rng, samples = new_rng(7), 3000
    seen = match.seen_from(viewer)
    states = np.repeat(seen.batch, samples)
    for index in range(samples):
        play.determinize_at(states, index, viewer, rng)
    values, counts = np.unique(states[field][:, player], return_counts=True)
    return {int(value): count / samples for value, count in zip(values, counts, strict=True)}


def test_hands_of_others_are_guessed_with_the_right_probabilities() -> None:
    match = position("v6@a1 g1@o15 g6@o9 g1@o14 g2@o13", active=VIOLET)
    assert shares(match, VIOLET, "hand", GREEN) == pytest.approx(
        {0: 5 / 20, 1: 7 / 20, 2: 8 / 20}, abs=0.04
    )
    assert shares(match, GREEN, "hand", GREEN) == {0: 1.0}


def test_start_faces_of_others_are_guessed_evenly_and_fit_their_tokens() -> None:
    match = after(3, "middle 0 +16 +25 +34")
    match.submit("o1=5", GREEN)
    assert shares(match, YELLOW, "start_face", GREEN) == pytest.approx(
        dict.fromkeys(range(1, 7), 1 / 6), abs=0.04
    )
    assert shares(match, YELLOW, "start_face", RED) == {0: 1.0}
    assert shares(match, GREEN, "start_face", GREEN) == {5: 1.0}


# --- targets, rooms, drawings ---------------------------------------------------------------------


def test_targets_come_with_their_origins() -> None:
    match = position("v3@a1 v3@g1 v6@d7", active=VIOLET)
    found = {
        target["square"]: (target["origins"], target["start_right"])
        for target in match.view(VIOLET)["targets"]
    }
    assert found["d1"] == (["a1", "g1", "d7"], False)
    assert found["a1"] == ([], True)
    assert match.view()["targets"] == match.view(VIOLET)["targets"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_targets_are_the_legal_squares_of_the_player_to_place(players: int) -> None:
    for match in play_on(lampion.new("lumens", players, seed=2), random.Random(2)):
        view = match.view(match.to_act)
        if view["turn"]["phase"] == "play":
            squares = {text.partition("=")[0] for text in match.legal_actions()}
            assert {target["square"] for target in view["targets"]} == squares
            lit = {light["square"]: light["player"] for light in view["squares"]}
            assert all(
                lit[origin] == match.to_act
                for target in view["targets"]
                for origin in target["origins"]
            )
            assert all(target["origins"] or target["start_right"] for target in view["targets"])
        else:
            assert view["targets"] == []


def test_a_target_names_the_squares_to_which_its_faces_could_count_next() -> None:
    """Both faces are placed on targets of a whole game, and the rules
    asked where their lines end."""
    for match in play_on(lampion.new("lumens", 3, seed=6), random.Random(6)):
        for target in match.view()["targets"][::4]:
            for face in match.view(match.to_act)["seats"][match.to_act]["hand"]:
                later = match.copy()
                later.submit(f"{target['square']}={face}")
                state = later.state
                assert isinstance(state, State)
                ends = [
                    line_end(state, square_number(target["square"]), step, face)
                    for step in STEPS.tolist()
                ]
                onward = [
                    square_name(end)
                    for end in ends
                    if end != NO_SQUARE and is_open(state, match.to_act, end)
                ]
                told = target["onward"][face - 1 : face] or [""]
                assert told == [" ".join(onward)]
            assert all(target["onward"][-1:])


def test_rooms_add_up_to_the_scores() -> None:
    for match in play_on(lampion.new("lumens", 3, seed=4), random.Random(4)):
        rooms = match.view()["rooms"]
        assert [
            sum(room["points"][player] for room in rooms) for player in range(3)
        ] == match.scores
        for room in rooms:
            assert room["leaders"] == [p for p, points in enumerate(room["points"]) if points == 4]


def test_a_preview_tells_what_either_face_would_change() -> None:
    match = position("y2@h6 g3@g8", active=YELLOW, hand="34")
    assert points(match.preview("h8=3")) == [(YELLOW, "F", 4)]
    assert points(match.preview("h8=4")) == [(YELLOW, "F", 4), (GREEN, "F", -2)]


def points(events: list[dict[str, Json]]) -> list[tuple[int, str, int]]:
    return [
        (event["player"], event["room"], event["count"])
        for event in events
        if event["event"] == "score"
    ]


def test_a_table_drawn_in_text() -> None:
    match = position("y4@a1 g5@e1 y3@e1 g6@m9", active=GREEN, players=2)
    lines = match.draw(GREEN).splitlines()
    assert lines[8] == ' 1  y4  G   .   .   y3" H   H   H   H   .   .   I   I       H     3*   -'
    assert lines[0].startswith(" 9  A   A   .   .   B   B  [B]  B   B   .   .   C  [g6]")
    assert (
        "> Player 2     green   to show 1/6 x7  2/5 x7  3/4 x8  hand 1/6  may go back to m9"
        in lines
    )
    assert all(len(line) <= 100 for line in lines)


def test_three_players_are_seated_by_chance_and_all_see_where() -> None:
    """U3: until then nobody has a start square, on the board, in text and in numbers."""
    match = lampion.Match(find_game("lumens"), 3)

    def seats() -> list[str | None]:
        return [seat["start"] for seat in match.view()["seats"]]

    def numbers() -> list[int]:
        out = np.full(COMPACT.size, 99, np.uint8)
        observe_compact(match.state.batch[0], 0, out)
        return list(COMPACT["start"].of(out)[:3])

    assert match.game.position_text(match.state).startswith("set-up")
    assert seats() == [None] * 3 and numbers() == [0, 0, 0]
    outcomes = {play.sample_at(match.state.copy().batch, 0, new_rng(seed)) for seed in range(40)}
    assert outcomes == {*match.legal_ids(CHANCE).tolist()}
    match.submit("middle 1")
    told = [(event["player"], event["square"]) for event in match.events()]
    assert [event["event"] for event in match.events()] == ["seated"] * 3
    assert told[0] == (1, "h15"), "the middle spot, on the upper side"
    assert dict(told) == dict(enumerate(seats()))
    assert 0 not in numbers() and len({*numbers()}) == 3


# --- numbers --------------------------------------------------------------------------------------


def test_squares_and_actions_round_trip() -> None:
    names = set()
    for row in range(1, MAX_ROWS + 1):
        for column in range(MAX_COLUMNS):
            square = row * ROW_LENGTH + column
            assert square_number(square_name(square)) == square
            names.add(square_name(square))
            for face in range(1, MAX_FACE + 1):
                action = place_action(square, face)
                assert (placed_square(action), placed_face(action)) == (square, face)
                assert ACTIONS["place"].numbers(action) == (row - 1, column, face - 1)
    assert len(names) == MAX_ROWS * MAX_COLUMNS


def test_every_action_text_reads_back() -> None:
    match = position("v6@a1", active=VIOLET)
    game = find_game("lumens")
    for action in range(ACTIONS["choose_start"].start):
        assert (
            game.parse_action(match.state, VIOLET, game.action_text(match.state, VIOLET, action))
            == action
        )
    draws = range(ACTIONS["draw"].start, ACTIONS.size)
    assert [
        game.parse_action(match.state, CHANCE, game.action_text(match.state, CHANCE, action))
        for action in draws
    ] == list(draws)


def test_views_are_plain_json() -> None:
    for case in (Case("lumens", 2, {}), Case("lumens", 3, {"starts": "balanced"})):
        view = case.new(1).view(0)
        assert json.loads(json.dumps(view)) == view
