"""Views and events are of the types that the games publish: every key,
nothing else, for every seat."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from lampion.core import rows
from lampion.core.events import Telling, event_kind
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.rows import known_rows, told_rows
from lampion.core.types import SPECTATOR, Json
from lampion.core.views import event_types, view_schema
from tests.support import GAMES, Case, every_case, finished, play_on


def assert_is(data: Json, kind: Any) -> None:
    """A conversion leaves unknown keys out, so whatever has one is not equal to
    what it was converted to."""
    assert msgspec.convert(data, kind, strict=True) == data


def check_views(match: Match) -> None:
    for view in match.views([SPECTATOR, *range(match.players)]):
        assert_is(view, match.game.View)


def check_events(match: Match, ply: int) -> None:
    types = event_types(match.game)
    for seat in (SPECTATOR, *range(match.players)):
        for event in match.events(ply, seat):
            assert_is(event, types[event_kind(event)])


@every_case
def test_views_and_events_are_of_the_published_types(case: Case) -> None:
    for seed in range(2):
        match = case.new(seed)
        for _ in play_on(match, random.Random(seed)):
            check_views(match)
        check_views(match)
        for ply in range(match.ply):
            check_events(match, ply)


@every_case
def test_views_before_the_first_deal_are_of_the_published_types(case: Case) -> None:
    match = case.without_chance()
    check_views(match)
    match.submit(match.legal_actions()[0])
    check_views(match)


@every_case
def test_views_of_several_seats_are_the_views_of_each(case: Case) -> None:
    for match in play_on(case.new(3), random.Random(3)):
        if match.ply % 5 == 0:
            seats = [*range(match.players), SPECTATOR]
            assert match.views(seats) == [match.view(seat) for seat in seats]


@every_case
def test_previews_are_those_of_each_legal_action(case: Case) -> None:
    for match in play_on(case.new(4), random.Random(4)):
        before = match.state.tobytes()
        for actor in match.actors:
            found = match.previews(actor)
            assert list(found) == match.legal_actions(actor)
            text = random.Random(match.ply).choice(list(found))
            assert found[text] == match.preview(text, actor)
        assert match.state.tobytes() == before
    assert match.previews() == {}


@pytest.mark.parametrize("name", GAMES)
def test_the_published_schema_says_the_same(name: str) -> None:
    game = find_game(name)
    schema = view_schema(game)
    Draft202012Validator.check_schema(schema)
    match = Case(name, game.NUM_PLAYERS[-1], {}).new(1)
    for _ in play_on(match, random.Random(1)):
        pass
    events = [event for ply in range(match.ply) for event in match.events(ply)]
    Draft202012Validator(schema).validate({"view": match.view(0), "events": events})
    with_more = {"view": {**match.view(0), "more": 1}, "events": events}
    assert not Draft202012Validator(schema).is_valid(with_more)


def test_what_is_known_of_rows_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server plays for months; when there is too much, it is told again, and told the same."""
    game = find_game("lanterns")
    match = finished(Case("lanterns", 2, {}), seed=2)

    def told() -> list[list[bytes]]:
        views = [match.at(ply).view(0) for ply in range(20, 30)]
        found = []
        for ply, view in enumerate(views, 20):
            telling = Telling(match.start, view)
            telling.action = match.log[ply].known_action(0)
            written = told_rows(game, telling, match.log[ply].trail, known_rows(game))
            found.append([event for row in written for event in row.encoded])
        return found

    before = told()
    assert len(known_rows(game)) > 3
    monkeypatch.setattr(rows, "MOST_ROWS", 3)
    assert not known_rows(game)
    assert told() == before
    assert len(known_rows(game)) <= 3 + game.State.fields["events"].shape[0]
