"""Events tell everything: for every seat, the view before and the events give the view after, and
backwards.

What is marked as derived comes in the closing event `facts`; any other field that it carries is one
of which no event told.
"""

from __future__ import annotations

import os
import random

import msgspec

from lampion.core.events import Watched, event_kind, news, news_for_all
from lampion.core.fold import changed, differences, fold, unfold
from lampion.core.game import Game
from lampion.core.match import Match
from lampion.core.types import SPECTATOR, Json
from lampion.core.views import event_types, is_derived
from tests.support import Case, every_case, random_actor

GAMES_PER_CASE = int(os.environ.get("LAMPION_FOLD_GAMES", "1"))


@every_case
def test_events_lead_from_every_view_to_the_next_and_back(case: Case) -> None:
    for seed in range(GAMES_PER_CASE):
        match, chooser = case.without_chance(), random.Random(seed)
        seats = (SPECTATOR, *range(match.players))
        views = match.views(seats)
        while not match.is_over:
            actor = random_actor(match, chooser)
            match.submit(int(chooser.choice(match.legal_ids(actor))), actor)
            after = match.views(seats)
            for seat, old, new in zip(seats, views, after, strict=True):
                (events,) = news(match, seat, old, new)
                check(match.game, events, old, new)
            views = after


def check(game: Game, events: list[dict[str, Json]], before: Json, after: Json) -> None:
    assert fold(before, events) == after
    assert unfold(after, events) == before
    types = event_types(game)
    for event in events:
        assert msgspec.convert(event, types[event_kind(event)], strict=True) == event
    for event in events:
        if event["event"] == "facts":
            for _, path, *_values in event["changes"]:
                assert is_derived(game, path), f"an event did not tell {path}: {events}"


@every_case
def test_events_of_several_entries_lead_on_as_well(case: Case) -> None:
    """As the server sends them: a decision, and the outcomes of chance behind it, with an undo
    among them."""
    match, chooser = case.new(5), random.Random(5)
    seats = (SPECTATOR, *range(match.players))
    views = match.views(seats)
    while not match.is_over:
        for _ in range(chooser.randrange(1, 4)):
            play_or_undo(match, chooser)
        after = match.views(seats)
        watched = [Watched(*one) for one in zip(seats, views, after, strict=True)]
        watched_alone = chooser.choice(seats)
        for one, told in zip(watched, news_for_all(match, watched), strict=True):
            events = [event for step in told for event in step]
            assert fold(one.before, events) == one.after
            assert unfold(one.after, events) == one.before
            if one.seat == watched_alone:
                assert told == news(match, *one), "what others are told shows in nothing"
        views = after


def play_or_undo(match: Match, chooser: random.Random) -> None:
    if match.is_over:
        return
    if chooser.random() < 0.02 and match.log.last_decision() is not None:
        match.undo()
    actor = random_actor(match, chooser)
    match.submit(int(chooser.choice(match.legal_ids(actor))), actor)


def test_changes_are_taken_back_by_their_inverse() -> None:
    before = {"n": 1, "of": {"list": [1, 2, 3]}, "word": "a"}
    changes = [
        ["add", ["n"], 4],
        ["set", ["word"], "a", None],
        ["insert", ["of", "list"], 1, 9],
        ["remove", ["of", "list"], 3, 3],
    ]
    after = fold(before, [{"changes": changes}])
    assert after == {"n": 5, "of": {"list": [1, 9, 2]}, "word": None}
    assert unfold(after, [{"changes": changes}]) == before
    assert before == {"n": 1, "of": {"list": [1, 2, 3]}, "word": "a"}, "a view never changes"


def test_differences_lead_from_any_value_to_any_other() -> None:
    chooser = random.Random(1)
    for _ in range(500):
        before, after = ({"a": some_list(chooser), "b": chooser.randrange(3)} for _ in range(2))
        folded = before
        for change in differences(before, after):
            folded = changed(folded, change)
        assert folded == after


def some_list(chooser: random.Random) -> list[Json]:
    return [
        chooser.choice([1, 2, "x", [3], {"c": 1}, {"c": 2}]) for _ in range(chooser.randrange(6))
    ]
