"""Events tell everything: the suite for all games, and the arithmetic of changes."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from lampion.core.events import AnyEvent
from lampion.core.fold import changed, differences, fold, unfold
from lampion.core.news import Watched, news_for_all
from lampion.core.types import SPECTATOR, Json
from lampion.testing.fold import *  # noqa: F403
from lampion.testing.folding import Stretch
from tests.support import ALL_GAMES, Case

LAMPION_GAMES = ALL_GAMES


def test_a_change_that_is_missing_wrong_or_told_to_one_seat_only_is_found() -> None:
    """The check shares work between seats, but no seat's mistake hides behind another's."""
    match = Case("connect_four", 2, {}).without_chance()
    before = match.views((SPECTATOR, 0))
    match.submit(int(match.legal_ids()[0]))
    after = match.views((SPECTATOR, 0))
    watched = [Watched(*one) for one in zip((SPECTATOR, 0), before, after, strict=True)]
    (events,), _ = news_for_all(match, watched)
    for wrong in wrong_tellings(events):
        stretch = Stretch(match.game)
        stretch.check(events, before[0], after[0])
        with pytest.raises(AssertionError):
            stretch.check(wrong, before[1], after[1])


def wrong_tellings(events: list[AnyEvent]) -> Iterator[list[AnyEvent]]:
    """The same events, each time with a change left out, told twice, or of an unknown key."""
    for place, event in enumerate(events):
        for number, change in enumerate(event["changes"]):
            others = [*event["changes"][:number], *event["changes"][number + 1 :]]
            elsewhere = [change[0], ["nowhere", *change[1][1:]], *change[2:]]
            for changes in (others, [*event["changes"], change], [*others, elsewhere]):
                is_same_in_the_end = change[0] == "set" and len(changes) > len(event["changes"])
                if not is_same_in_the_end:
                    yield [*events[:place], {**event, "changes": changes}, *events[place + 1 :]]


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
