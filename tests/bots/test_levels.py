"""The levels that people choose: they err as people do, and one of them keeps the game close."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lampion.bots.base import Budget
from lampion.bots.even import BAND, FAIR, LEAST_VISITS, STEP, eyes
from lampion.bots.human import Human, Limits, kinds_of, prospects_of
from lampion.bots.levels import CHOICES, LEVELS, TEXTBOOK, human_limits, level_bot, make_player
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
    hasty, forgetful = Human(Limits(glance=0.0)), Human(Limits(forget=1.0))
    for bot in (hasty, forgetful):
        noticed = bot._notice(kinds, np.random.default_rng(2))
        assert len(set(noticed)) == min(3, len(kinds))
    assert len(Human()._notice(kinds, np.random.default_rng(2))) == len(kinds)


@pytest.mark.parametrize("game", GAMES)
def test_novice_wins_rather_95_than_80_percent_against_random(game: str) -> None:
    assert is_stronger(game, (level_bot("novice", game), "random"), elo_0=241, elo_1=512)


def last_turns(players: int, seed: int) -> list[Match]:
    """The moments of Lanterns in which a seat without tiles can still dedicate."""
    found = []
    for match in moments("lanterns", players, seed):
        seat = match.to_act
        scores = {points_after(match, int(action)) for action in match.legal_ids()}
        state: Any = match.state
        if state.hand_size[seat] == 0 and len(scores) > 1:
            found.append(match)
    return found


@pytest.mark.parametrize("level", HUMAN_LEVELS)
def test_nobody_passes_up_a_dedication_in_the_final_round(level: str) -> None:
    bot, checked = make_player(level, "lanterns").bot, 0
    for match in (each for seed in range(12) for each in last_turns(3, seed)):
        seat, before = match.to_act, match.scores[match.to_act]
        for dice in range(5):
            chosen = bot.choose(
                match.seen_from(seat), seat, match.legal_ids(), Budget(), new_rng(dice)
            )
            assert points_after(match, chosen) > before
            checked += 1
    assert checked >= 20


ORDER = (Limits(glance=0.9), Limits(glance=0.6), Limits(glance=0.3))
"""Of a careful, a middling and a hasty player."""


def thought(value: float, visits: int = 50) -> Thought:
    return Thought([Move(0, visits, value, []), Move(1, 3, FAIR, [])], 50)


def test_the_even_level_plays_its_best_when_it_is_not_ahead() -> None:
    for value in (0.1, FAIR, FAIR + 0.9 * BAND):
        assert eyes(thought(value), ORDER) is None


def test_the_even_level_plays_lower_the_further_it_is_ahead() -> None:
    played = [eyes(thought(FAIR + BAND + (k + 0.5) * STEP), ORDER) for k in range(5)]
    assert played == [*ORDER, ORDER[-1], ORDER[-1]]


def test_the_even_level_trusts_no_lead_that_it_hardly_looked_at() -> None:
    assert eyes(thought(0.9, visits=LEAST_VISITS - 1), ORDER) is None


@pytest.mark.parametrize("game", GAMES)
def test_the_even_level_has_lower_levels_to_play_like(game: str) -> None:
    limits = human_limits(game)
    assert len(limits) == len(set(limits)) >= 3
    assert [each.doubt for each in limits] == sorted(each.doubt for each in limits)
    twice = limits[-1].doubled()
    assert twice.doubt == 2 * limits[-1].doubt and 0 <= twice.glance < limits[-1].glance
    assert Limits().doubled() == Limits()


def test_the_textbook_search_is_spelled_out_where_results_are_kept() -> None:
    assert level_bot("textbook:0.1s") == f"search:0.1s,{TEXTBOOK}"
    assert make_player("textbook:40").budget == Budget(iterations=40)


def test_the_page_about_bots_names_the_bot_behind_every_level() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
    for game in GAMES:
        for level in CHOICES:
            assert f"`{level_bot(level.name, game)}`" in page, (game, level.name)


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
