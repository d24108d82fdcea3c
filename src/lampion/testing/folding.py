"""One random game in which every event is held to its promise: for every seat and for spectators,
the view before and the events give the view after, and backwards.

The tests play a few such games; `python -m benchmarks.fold` plays thousands.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from lampion.core.events import AnyEvent, event_kind
from lampion.core.fold import Change, fold, unfold
from lampion.core.game import Game, find_game
from lampion.core.match import Match
from lampion.core.news import Watched, news_for_all
from lampion.core.types import SPECTATOR, Json
from lampion.core.views import event_types, is_derived
from lampion.testing.cases import random_actor


def play_and_check(match: Match, chooser: random.Random, longest: int = 1) -> int:
    """Play to the end, chance included, and check every stretch of up to `longest` log entries;
    returns how many entries there are."""
    seats = (SPECTATOR, *range(match.players))
    views = match.views(seats)
    while not match.is_over:
        _play(match, chooser, chooser.randrange(longest) + 1)
        after = match.views(seats)
        watched = [Watched(*one) for one in zip(seats, views, after, strict=True)]
        stretch = Stretch(match.game)
        for one, steps in zip(watched, news_for_all(match, watched), strict=True):
            stretch.check([*chain.from_iterable(steps)], one.before, one.after)
        views = after
    return match.ply


def _play(match: Match, chooser: random.Random, entries: int) -> None:
    while entries and not match.is_over:
        actor = random_actor(match, chooser)
        match.submit(int(chooser.choice(match.legal_ids(actor))), actor)
        entries -= 1


class Stretch:
    """The check of what some log entries told to all seats.

    Every change has a path, so what is below one key of a view follows from what was there and
    from the changes below that key, whatever happens elsewhere: views are folded key by key. Seats
    share what is public. The same objects with the same changes are folded for the first seat
    only, and an event that several seats are told is held to its type once. This skips no seat:
    whatever differs, be it by a single change, is folded on its own.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._folded: dict[tuple[str, int, int], list[list[Change]]] = {}
        """By key and the `id` of what is there before and after: the changes that lead there and
        back. The caller keeps the views as long as this."""
        self._typed: dict[int, AnyEvent] = {}
        """The events that are of their published types, by `id`."""

    def check(
        self, events: Sequence[AnyEvent], before: Mapping[str, Json], after: Mapping[str, Json]
    ) -> None:
        assert [*before] == [*after], "a view gained or lost a key"
        by_key: dict[str, list[Change]] = {key: [] for key in before}
        for event in events:
            for change in event["changes"]:
                assert change[1][0] in by_key, f"this changes what no view has: {change}"
                by_key[change[1][0]].append(change)
            if id(event) not in self._typed:
                self._check_type(event)
                self._typed[id(event)] = event
        for key, changes in by_key.items():
            if changes or before[key] is not after[key]:
                self._check_key(key, before[key], changes, after[key])

    def _check_key(self, key: str, before: Json, changes: list[Change], after: Json) -> None:
        known = self._folded.setdefault((key, id(before), id(after)), [])
        if changes in known:
            return
        told = [{"changes": changes}]
        assert fold({key: before}, told) == {key: after}, f"these do not lead on: {changes}"
        assert unfold({key: after}, told) == {key: before}, f"these do not lead back: {changes}"
        known.append(changes)

    def _check_type(self, event: AnyEvent) -> None:
        kind = _types(self._game.NAME)[event_kind(event)]
        assert msgspec.convert(event, kind, strict=True) == event
        if event["event"] == "facts":
            for _, path, *_values in event["changes"]:
                assert _is_derived(self._game.NAME, tuple(path)), f"no event told {path}: {event}"


# Types are read once for a game, and paths are looked up once: thousands of games ask.


@functools.cache
def _types(game: str) -> dict[str, Any]:
    return event_types(find_game(game))


@functools.cache
def _is_derived(game: str, path: tuple[Json, ...]) -> bool:
    return is_derived(find_game(game), path)
