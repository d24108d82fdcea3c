"""A preview tells a seat what it can know, and nothing of what its action would show."""

from __future__ import annotations

import random

import pytest

import lampion
from lampion.core.match import Match
from lampion.core.news import news
from lampion.core.plain_views import Kind, view_type
from lampion.core.shown import guesses
from lampion.core.types import Batch
from tests.core import flip
from tests.core.flip.state import NUM_FACES
from tests.support import Case, every_case, play_on, shows_secrets

lampion.register(flip)


def dealt(face: int) -> Match:
    match = Match(lampion.find_game("flip"), 2)
    match.submit(f"+{face}")
    return match


def test_turning_the_card_shows_its_face() -> None:
    """Otherwise the tests below would show nothing."""
    told = []
    for face in range(NUM_FACES):
        match = dealt(face)
        match.submit("flip")
        told.append(match.events())
    assert [events[1] for events in told] == [
        {"event": "turned", "player": 0, "face": face} for face in range(NUM_FACES)
    ]


def test_a_preview_does_not_tell_the_face_of_a_card_that_lies_face_down() -> None:
    """It ends before the first event that the player cannot know."""
    for face in range(NUM_FACES):
        assert dealt(face).previews(0) == {
            "flip": [{"event": "touched", "player": 0, "changes": []}],
            "leave": [{"event": "left", "player": 0, "changes": []}],
        }
        assert dealt(face).preview("flip") == [{"event": "touched", "player": 0, "changes": []}]


def test_previews_are_the_same_in_all_worlds_that_a_seat_cannot_tell_apart() -> None:
    """They are made from the same guesses, whatever the card is."""
    worlds = [guesses_of(face) for face in range(NUM_FACES)]
    assert len({world.tobytes() for world in worlds}) == 1
    assert len(set(worlds[0]["card"].tolist())) > 1, "they differ where the seat does not know"


def guesses_of(face: int) -> Batch:
    state = dealt(face).state
    return guesses(lampion.Position(lampion.find_game("flip"), 2, state), 0)


def test_only_a_player_has_previews() -> None:
    match = Match(lampion.find_game("flip"), 2)
    assert match.previews(lampion.CHANCE) == {}
    assert dealt(3).previews(1) == {}
    with pytest.raises(lampion.NotYourTurn):
        dealt(3).preview("flip", 1)


@every_case
def test_a_preview_is_the_beginning_of_what_happens(case: Case) -> None:
    """With the same changes of the view; all of it, unless the action shows a secret."""
    chooser = random.Random(5)
    for match in play_on(case.new(5), chooser):
        if match.ply % 4 == 0:
            text = chooser.choice(match.legal_actions())
            twin, seat = match.with_chance(None), match.to_act
            twin.submit(text)
            (told,) = news(twin, seat, match.view(seat), twin.view(seat))
            preview = match.preview(text)
            assert told[: len(preview)] == preview
            assert len(preview) == len(twin.events()) or shows_secrets(match)


def test_a_preview_of_a_game_that_writes_no_view_shows_what_its_kinds_of_events_declare() -> None:
    """In Kuhn poker a bet moves a coin into the pot; whose turn it is follows from the position."""
    match = lampion.new("kuhn", 2, seed=3)
    assert match.preview("bet") == [
        {
            "event": "paid",
            "player": 0,
            "count": 1,
            "changes": [["add", ["pot"], 1], ["add", ["coins", 0], -1]],
        }
    ]
    before = match.view(0)
    match.submit("bet")
    (told,) = news(match, 0, before, match.view(0))
    assert not {"pot", "coins"} & {path[0] for _, path, *_ in told[-1]["changes"]}


def test_only_numbers_that_all_see_are_told_by_declared_changes() -> None:
    kuhn = lampion.find_game("kuhn")
    for name in ("card", "nothing", "is_bet"):
        with pytest.raises(AssertionError, match=f"the field {name} has to be a number"):
            view_type(kuhn.State, [Kind("taken", adds=[name])])
