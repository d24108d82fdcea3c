"""The gate: what it takes, what it turns away, and what it leaves unchanged."""

from __future__ import annotations

import pytest

import lampion
from lampion.core.types import CHANCE
from tests.support import Case, finished


def a_match() -> lampion.Match:
    return lampion.new("lanterns", 3, seed=7, names=["Ada", "Milo", "Iris"])


@pytest.mark.parametrize(
    ("text", "error", "code"),
    [
        ("", lampion.InvalidAction, "invalid-action"),
        ("hello", lampion.InvalidAction, "invalid-action"),
        ("99r1@0,1", lampion.IllegalAction, "illegal-action"),
        ("5r0@7,7", lampion.IllegalAction, "illegal-action"),
        ("pass", lampion.IllegalAction, "illegal-action"),
        ("d7", lampion.IllegalAction, "illegal-action"),
        ("+3", lampion.IllegalAction, "illegal-action"),
    ],
)
def test_a_refused_action_changes_nothing(text: str, error: type[Exception], code: str) -> None:
    match = a_match()
    before = match.state.tobytes()
    with pytest.raises(error) as refused:
        match.submit(text)
    assert isinstance(refused.value, lampion.Refused)
    assert refused.value.code == code
    assert refused.value.where.startswith("ply 9 (player 0's turn")
    assert match.state.tobytes() == before
    assert match.ply == 9


def test_only_the_player_to_act_may_act() -> None:
    match = a_match()
    with pytest.raises(lampion.NotYourTurn, match="Milo is not to act; waiting for Ada"):
        match.submit("5r0@0,1", player=1)
    with pytest.raises(lampion.NotYourTurn):
        match.submit("+3", player=CHANCE)
    with pytest.raises(lampion.NotYourTurn):
        match.submit("5r0@0,1", player=17)


def test_ids_go_through_the_same_gate() -> None:
    match = a_match()
    with pytest.raises(lampion.InvalidAction):
        match.submit(10**6)
    with pytest.raises(lampion.InvalidAction):
        match.submit(-5)
    with pytest.raises(lampion.IllegalAction):
        match.submit(0)
    match.submit(int(match.legal_ids()[0]))


@pytest.mark.parametrize("players", [0, 1, 5, -1])
def test_wrong_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(lampion.InvalidOptions) as refused:
        lampion.new("lanterns", players)
    assert refused.value.code == "invalid-players"


@pytest.mark.parametrize(
    "names", [["Ada"], ["", "b", "c"], ["x" * 41, "b", "c"], ["a\nb", "b", "c"]]
)
def test_bad_names_are_refused(names: list[str]) -> None:
    with pytest.raises(lampion.InvalidOptions):
        lampion.new("lanterns", 3, names=names)


def test_unknown_games_and_options_are_refused_with_what_there_is() -> None:
    with pytest.raises(lampion.UnknownGame, match="lanterns"):
        lampion.new("chess", 2)
    with pytest.raises(lampion.InvalidOptions, match="no option 'size'"):
        lampion.new("lanterns", 2, options={"size": "3"})


def test_undo_of_one_player_takes_back_what_followed() -> None:
    match = a_match()
    start = match.state.copy()
    for _ in range(4):
        match.submit(match.legal_actions()[0])
    match.undo(0)
    assert match.to_act == 0
    match.undo(0)
    assert match.state == start
    with pytest.raises(lampion.IllegalAction) as refused:
        match.undo(0)
    assert refused.value.code == "nothing-to-undo"


def test_only_decisions_that_stand_can_be_taken_back() -> None:
    match = a_match()
    first = match.ply
    match.submit(match.legal_actions()[0])
    match.undo()
    for ply in (0, first, match.ply, -1):
        with pytest.raises(lampion.IllegalAction, match="not a decision that stands") as refused:
            match.undo_to(ply)
        assert refused.value.code == "nothing-to-undo"


def test_every_entry_is_told_as_soon_as_it_is_in_the_log() -> None:
    """Also what chance draws: the server stores entries in the order in which they come."""
    match, told = a_match(), []
    match.submit(match.legal_actions()[0], tell=lambda entry: told.append((entry, match.ply)))
    assert [entry.actor for entry, _ in told] == [0, CHANCE]
    assert [ply for _, ply in told] == [10, 11]
    assert [entry for entry, _ in told] == match.log[9:]


def test_nobody_acts_after_the_end() -> None:
    match = finished(Case("kuhn", 2, {}), 1)
    for player in (0, 1, CHANCE):
        with pytest.raises(lampion.NotYourTurn, match="the game is over") as refused:
            match.submit("bet", player)
        assert refused.value.code == "game-over"


def test_players_can_be_renamed() -> None:
    match = a_match()
    match.rename(["Ada", "Bo", "Iris"])
    assert match.view()["names"] == list(match.to_record().names) == ["Ada", "Bo", "Iris"]
    with pytest.raises(lampion.InvalidOptions):
        match.rename(["Ada", "Bo"])
    assert match.names == ("Ada", "Bo", "Iris")


def test_a_notebook_and_a_prompt_show_a_match_as_the_player_to_act_sees_it() -> None:
    match = a_match()
    assert match._repr_svg_() == match.svg(0)
    assert str(match) == match.draw(0)
    assert repr(match) == "<Match of lanterns, 3 players, ply 9>"


def test_an_undo_says_whether_something_new_was_shown() -> None:
    match = a_match()
    ply = match.ply
    match.submit(match.legal_actions()[0])
    assert match.log.reveals_since(ply), "a tile was drawn"


def test_others_read_a_question_mark_for_a_drawn_tile() -> None:
    match = a_match()
    assert match.log.read_by(0)[0] == ("c", match.log[0].text)
    assert match.log.read_by(1)[0] == ("c", "+?")
    assert match.log.read_by()[0] == ("c", "+?")


def test_a_record_with_an_illegal_entry_is_refused_with_its_number() -> None:
    record = a_match().to_record(reveal_seed=True)
    record.log.append((0, "d7"))
    with pytest.raises(lampion.InvalidRecord, match="entry 9 cannot be played") as refused:
        lampion.load(record)
    assert refused.value.rule == "L7"
    assert "log[9]" in refused.value.where


def test_a_wrong_result_is_refused() -> None:
    record = a_match().to_record(reveal_seed=True)
    record.scores = [9, 9, 9]
    with pytest.raises(lampion.InvalidRecord) as refused:
        lampion.load(record)
    assert refused.value.code == "wrong-result"


def test_an_unfinished_match_continues_with_the_same_draws() -> None:
    match = a_match()
    again = lampion.load(lampion.dump(match, reveal_seed=True))
    for one in (match, again):
        one.submit(one.legal_actions()[3])
    assert again.state == match.state


def test_records_of_other_rules_are_refused() -> None:
    record = a_match().to_record()
    record.rules = 99
    with pytest.raises(lampion.InvalidRecord) as refused:
        lampion.load(record)
    assert refused.value.code == "other-rules"
