"""Bots: they do not peek, they choose legally, they keep to their budget."""

from __future__ import annotations

import random
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import lampion
from lampion.bots import tree
from lampion.bots.analysis import analyse
from lampion.bots.base import Bot, Budget, Stop
from lampion.bots.external import BotFailed, ExternalBot
from lampion.bots.human import Human, Limits
from lampion.bots.levels import make_player
from lampion.bots.random import RandomBot
from lampion.bots.search import Greedy, Search
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.testing.redaction import another_world
from tests.support import GAMES, Case, finished, play_on

BOTS: dict[str, tuple[Bot, Budget]] = {
    "random": (RandomBot(), Budget()),
    "greedy": (Greedy(), Budget()),
    "beginner": (Greedy(noise=0.1), Budget()),
    "human": (Human(Limits(glance=0.5, forget=0.1, promise=0.7, gifts=0.3, doubt=1.0)), Budget()),
    "even": (make_player("even:60").bot, Budget(iterations=60)),
    "search": (Search(), Budget(iterations=60)),
    "guided": (Search(guided=3, cutoff=2), Budget(iterations=60)),
}


def choice(name: str, match: Match, seat: int, seed: int = 1) -> int:
    bot, budget = BOTS[name]
    return bot.choose(match.seen_from(seat), seat, match.legal_ids(seat), budget, new_rng(seed))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", BOTS)
def test_whatever_a_bot_cannot_see_does_not_change_its_choice(
    name: str, game: str, players: int
) -> None:
    for match in play_on(Case(game, players, {}).new(3), random.Random(3)):
        if match.ply % 6 == 0:
            seat = match.to_act
            other = another_world(match, seat, match.ply)
            assert choice(name, match, seat) == choice(name, other, seat)


LATE = 12
"""Decisions before the end of a game, in most of which the rest is solved."""


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_what_a_bot_cannot_see_does_not_change_how_it_solves_an_end(
    game: str, players: int
) -> None:
    budget, num_solved = Budget(iterations=400), 0
    for seed in range(3):
        matches = [
            each.copy() for each in play_on(Case(game, players, {}).new(seed), random.Random(seed))
        ]
        for match in matches[-LATE:]:
            seat, legal = match.to_act, match.legal_ids()
            thoughts = [
                [*Search().think(world.seen_from(seat), seat, legal, budget, new_rng(1))][-1]
                for world in (match, another_world(match, seat, match.ply))
                if len(legal) > 1
            ]
            if thoughts:
                assert thoughts[0] == thoughts[1]
                num_solved += thoughts[0].is_exact
    assert num_solved >= 4


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", BOTS)
def test_a_bot_chooses_legally_and_the_same_for_the_same_generator(name: str, game: str) -> None:
    for match in play_on(Case(game, 3, {}).new(4), random.Random(4)):
        if match.ply % 4 == 0:
            seat = match.to_act
            chosen = choice(name, match, seat, seed=match.ply)
            assert chosen in match.legal_ids(seat)
            assert choice(name, match, seat, seed=match.ply) == chosen


def test_a_bot_does_not_change_what_it_is_given() -> None:
    match = lampion.new("lanterns", 2, seed=1)
    seen = match.seen_from(0)
    before = seen.tobytes()
    Search().choose(seen, 0, match.legal_ids(0), Budget(iterations=50), new_rng(1))
    assert seen.tobytes() == before


def test_search_can_be_stopped() -> None:
    match, stop = lampion.new("lanterns", 2, seed=1), Stop()
    choice("search", match, 0)
    threading.Timer(0.1, stop.set).start()
    wanted = 10**7
    *_, last = Search().think(
        match.seen_from(0), 0, match.legal_ids(0), Budget(iterations=wanted), new_rng(1), stop
    )
    assert stop.is_set and last.iterations < wanted


def test_compiled_search_leaves_the_interpreter_to_others() -> None:
    """One call that would take many seconds ends at once when this thread, running beside it, raises the flag."""
    match, stop, done = lampion.new("lanterns", 2, seed=1), Stop(), list[int]()
    search, endless = Search(), Budget(iterations=10**8)
    choice("search", match, 0)
    work = search.plant(match.seen_from(0), 0, match.legal_ids(0), endless, new_rng(1))

    def iterate() -> None:
        did, _ = tree.run_iterations(work.root, work.states, work.nodes, work.used, 0, work.path, work.legal, work.utilities,
                                     work.totals, work.weights, work.settings, new_rng(1), stop.flag, 10**8, 10**9)  # fmt: skip
        done.append(did)

    thread = threading.Thread(target=iterate)
    thread.start()
    while int(work.nodes[tree.ROOT]["visits"]) == 0:
        time.sleep(0.001)
    stop.set()
    thread.join()
    assert 0 < done[0] < 10**8
    assert work.used[0] + tree.MAX_NEW_NODES <= len(work.nodes), (
        "it did not end because the nodes were used up"
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_search_that_ends_early_chooses_the_same(game: str) -> None:
    """It ends when no other move can be visited most any more; the generator it was given moves on by the same step."""
    for match in play_on(Case(game, 2, {}).new(6), random.Random(6)):
        if match.ply % 10 == 0:
            seat, budget = match.to_act, Budget(iterations=120)
            seen, legal, dice, others = (
                match.seen_from(seat),
                match.legal_ids(seat),
                new_rng(2),
                new_rng(2),
            )
            *_, whole = Search(exact=0).think(seen, seat, legal, budget, dice)
            *_, early = Search(exact=0).think(seen, seat, legal, budget, others, until_clear=True)
            assert early.moves[0].action == whole.moves[0].action
            assert early.iterations <= whole.iterations == 120
            assert dice[0] == others[0]


@pytest.mark.parametrize("game", GAMES)
def test_searches_in_threads_do_not_disturb_each_other(game: str) -> None:
    match = lampion.new(game, 2, seed=2)
    seat = match.to_act
    alone = choice("search", match, seat)
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(choice("search", match, seat)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 3


@pytest.mark.parametrize("game", GAMES)
def test_analysis_tells_about_players_and_moves(game: str) -> None:
    match = lampion.new(game, 3, seed=5)
    last = analyse(match, budget=Budget(iterations=400))
    assert last.iterations == sum(move.visits for move in last.moves) == 400
    assert all((move.value is None) == (move.visits == 0) for move in last.moves)
    assert {move.action for move in last.moves} == set(match.legal_ids().tolist())
    assert last.moves[0].visits == max(move.visits for move in last.moves)
    assert last.moves[0].line[0] == last.moves[0].text == match.action_text(last.moves[0].action)


@pytest.mark.parametrize("game", GAMES)
def test_what_an_analysis_expects_is_what_its_best_move_is_worth(game: str) -> None:
    """One search gives both numbers, also where the rest is solved."""
    for match in [each.copy() for each in play_on(Case(game, 2, {}).new(5), random.Random(5))][::7]:
        found = lampion.analyse(match, budget=Budget(iterations=150))
        assert found.seat == match.to_act
        assert found.value is not None and 0 <= found.value <= 1
        assert found.value == found.moves[0].value
        if found.is_exact:
            assert all(move.value is not None for move in found.moves)
            assert found.value == max(move.value or 0 for move in found.moves)


def test_a_record_is_analyzed_at_any_ply_from_what_a_seat_saw() -> None:
    match = finished(Case("lanterns_dice", 3, {}), 2)
    ply = next(ply for ply in range(20, match.ply) if len(match.at(ply).actors) > 1)
    before, record = match.at(ply), lampion.dump(match)
    for seat in before.actors:
        found = lampion.analyse(record, ply=ply, seat=seat, budget=Budget(iterations=50))
        assert found == analyse(before, seat=seat, budget=Budget(iterations=50))
        assert {move.text for move in found.moves} == set(before.legal_actions(seat))
    for seat in (0, 3):
        with pytest.raises(lampion.InvalidOptions) as refused:
            lampion.analyse(record, seat=seat)
        assert refused.value.code == "no-decision"


# --- your own programs --------------------------------------------------------------------------------------------------------

FIRST_MOVE = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"name": "first"} if asked["type"] == "hello" else {"action": asked["legal"][0]}), flush=True)
"""


def program(tmp_path: Path, code: str) -> ExternalBot:
    file = tmp_path / "bot.py"
    file.write_text(code)
    return ExternalBot(f"{sys.executable} {file}")


def test_a_program_can_play(tmp_path: Path) -> None:
    bot, match = program(tmp_path, FIRST_MOVE), lampion.new("lanterns", 2, seed=1)
    for _ in range(5):
        seat = match.to_act
        chosen = bot.choose(
            match.seen_from(seat), seat, match.legal_ids(seat), Budget(), new_rng(1)
        )
        assert chosen == match.legal_ids(seat)[0]
        match.submit(chosen)
    bot.close()


@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit",
        "print('no json', flush=True)",
        FIRST_MOVE.replace('asked["legal"][0]', "'pass'"),
        FIRST_MOVE.replace(
            'print(json.dumps({"name"',
            'if asked["type"] != "hello": __import__("time").sleep(60)\n    print(json.dumps({"name"',
        ),
    ],
)
def test_a_program_that_fails_is_told_of(tmp_path: Path, code: str) -> None:
    bot, match = program(tmp_path, code), lampion.new("lanterns", 2, seed=1)
    with pytest.raises(BotFailed) as failed:
        bot.choose(match.seen_from(0), 0, match.legal_ids(0), Budget(seconds=0.5), new_rng(1))
    assert failed.value.code == "bot-failed"
    bot.close()


BAD_NAMES = [
    "",
    "chess",
    "search",
    "search:",
    "search:x",
    "search:0",
    "search:5,depth=3",
    "textbook:",
    "textbook:5,net=1",
    "greedy:3x",
    "exec:",
]
BAD_SETTINGS = [
    "guided=-1",
    "guided=2.5",
    "playout=3",
    "cutoff=-2",
    "net=2",
    "margin_scale=0",
    "exploration=nan",
    "widening=-1",
    "net=",
]


@pytest.mark.parametrize("name", [*BAD_NAMES, *(f"search:5,{setting}" for setting in BAD_SETTINGS)])
def test_bad_names_of_bots_are_refused(name: str) -> None:
    with pytest.raises(lampion.InvalidOptions) as refused:
        make_player(name)
    assert refused.value.code == "unknown-bot"


def test_names_of_bots_set_budget_and_settings() -> None:
    player = make_player("search:0.2s,exploration=0.3,cutoff=6")
    assert player.budget == Budget(seconds=0.2)
    assert isinstance(player.bot, Search)
    settings = player.bot.settings(lampion.find_game("lanterns"))
    assert (settings.exploration, settings.cutoff) == (0.3, 6)
    assert np.isclose(make_player("search:500").budget.iterations or 0, 500)
