"""The levels that people choose: they err as people do, and one of them keeps the game close."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lampion.bots.base import Budget
from lampion.bots.even import FAIR, MOST_GIVEN, even_move
from lampion.bots.human import Human, Limits, kinds_of, prospects_of
from lampion.bots.levels import CHOICES, LEVELS, level_bot, make_player
from lampion.bots.search import Move, Thought
from lampion.core.errors import InvalidOptions
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.rng import new_rng
from tests.bots.test_strength import is_stronger
from tests.support import GAMES, Case, play_on

HUMAN_LEVELS = [level.name for level in LEVELS if level.bot.startswith("human:")]


def moments(game: str, players: int = 2, seed: int = 5) -> list[Match]:
    """The moments of a random game at which there is a choice."""
    found = play_on(Case(game, players, {}).new(seed), random.Random(seed))
    return [match.copy() for match in found if len(match.legal_ids()) > 1]


def points_after(match: Match, action: int) -> int:
    after = match.copy()
    after.submit(action)
    return after.scores[match.to_act]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", HUMAN_LEVELS)
def test_free_points_are_never_refused(game: str, level: str) -> None:
    bot, seen_any = make_player(level, game).bot, False
    for match in moments(game):
        seat, legal = match.to_act, match.legal_ids()
        seen = match.seen_from(seat)
        before, prospects = prospects_of(seen, seat, legal, np.random.default_rng(1))
        full = prospects.own - prospects.rival
        scoring = full[prospects.points > before]
        chosen = bot.choose(seen, seat, legal, Budget(), new_rng(match.ply))
        place = int(np.flatnonzero(legal == chosen)[0])
        seen_any = seen_any or len(scoring) > 0
        if len(scoring) and prospects.points[place] <= before:
            # Another guess of what is hidden may judge by a hair otherwise.
            assert full[place] > scoring.max() - 0.5
    assert seen_any, "in this game nothing scored at once"


@pytest.mark.parametrize("game", GAMES)
def test_prospects_are_the_points_that_an_action_brings(game: str) -> None:
    for match in moments(game)[::7]:
        seat, legal = match.to_act, match.legal_ids()
        _, prospects = prospects_of(match.seen_from(seat), seat, legal, np.random.default_rng(1))
        place = match.ply % len(legal)
        assert prospects.points[place] == points_after(match, int(legal[place]))


def test_a_kind_of_action_may_be_forgotten_and_a_hasty_player_still_compares_a_few() -> None:
    match = moments("lanterns", seed=9)[-1]
    kinds = kinds_of(find_game("lanterns").ACTIONS, match.legal_ids())
    hasty, forgetful = Human(glance=0.0), Human(forget=1.0)
    for bot in (hasty, forgetful):
        noticed = bot._notice(kinds, np.random.default_rng(2))
        assert len(set(noticed)) == min(3, len(kinds))
    assert len(Human()._notice(kinds, np.random.default_rng(2))) == len(kinds)


@pytest.mark.parametrize("game", GAMES)
def test_novice_wins_rather_97_than_90_percent_against_random(game: str) -> None:
    assert is_stronger(game, (level_bot("novice", game), "random"), elo_0=382, elo_1=604)


def thought(*values: float) -> Thought:
    return Thought([Move(k, 10 - k, value, []) for k, value in enumerate(values)], 50)


def test_the_even_level_plays_its_best_when_it_is_behind() -> None:
    assert even_move(thought(0.4, 0.39, 0.1)).action == 0


def test_the_even_level_keeps_the_game_open_when_it_is_ahead() -> None:
    assert even_move(thought(0.9, 0.7, 0.55, 0.2)).action == 2
    assert even_move(thought(0.99, 0.3)).action == 0, f"more than {MOST_GIVEN} would be a gift"
    assert even_move(thought(FAIR + 0.2, FAIR - 0.1)).action == 1


def test_every_level_is_a_bot_in_every_game() -> None:
    for game in GAMES:
        for level in CHOICES:
            assert make_player(level.name, game).name == level.name
    assert level_bot("expert", "lumens") != level_bot("expert", "lanterns")
    assert level_bot("random", "lumens") == "random"


@pytest.mark.parametrize("name", ["human:", "human:sight=1", "human:glance=2", "even:", "even:x"])
def test_what_is_no_level_is_refused(name: str) -> None:
    with pytest.raises(InvalidOptions):
        make_player(name)
    assert Limits() == Limits(glance=1.0, forget=0.0, promise=1.0, gifts=1.0, doubt=0.0)
