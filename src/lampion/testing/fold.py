"""Events tell everything: for every seat, the view before and the events give the view after, and
backwards. Thousands of games: `python -m benchmarks.fold`.

What is marked as derived comes in the closing event `facts`; any other field that it carries is one
of which no event told.
"""

from __future__ import annotations

import os
import random

from lampion.core.fold import fold, unfold
from lampion.core.match import Match
from lampion.core.news import Watched, news, news_for_all
from lampion.core.types import SPECTATOR
from lampion.testing.cases import Case, every_case, random_actor
from lampion.testing.folding import play_and_check

GAMES_PER_CASE = int(os.environ.get("LAMPION_FOLD_GAMES", "1"))


@every_case
def test_events_lead_from_every_view_to_the_next_and_back(case: Case) -> None:
    for seed in range(GAMES_PER_CASE):
        play_and_check(case.without_chance(), random.Random(seed))


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
