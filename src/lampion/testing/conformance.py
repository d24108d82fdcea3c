"""What every game must keep at every step, for all numbers of players and options, checked in random
play."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np

import lampion
from lampion.core import play
from lampion.core.game import find_game
from lampion.core.gamelog import GameRecord
from lampion.core.match import Match
from lampion.core.record import ALL, HIDDEN, NOBODY, OWNER
from lampion.core.replay import positions
from lampion.core.types import CHANCE, GAME_OVER, IntArray, Json
from lampion.testing.about import about
from lampion.testing.cases import Case, every_case, finished, play_on, random_actor

SEEDS = range(3)


@every_case
def test_legal_lists_are_ascending_and_texts_unique_and_readable(case: Case) -> None:
    for seed in SEEDS:
        for match in play_on(case.new(seed), random.Random(seed)):
            for actor in match.actors:
                check_legal_list(match, actor)


def check_legal_list(match: Match, actor: int) -> None:
    ids, texts = match.legal_ids(actor), match.legal_actions(actor)
    assert len(ids) > 0, "a player who may act has something to do"
    assert (np.diff(ids) > 0).all(), "ids ascend, so they are unique"
    assert len(set(texts)) == len(texts)
    assert all(text.isascii() and text == text.strip() for text in texts)
    assert [match.game.parse_action(match.state, actor, text) for text in texts] == ids.tolist()


@every_case
def test_chance_outcomes_have_weights_and_readable_texts(case: Case) -> None:
    match, chooser = case.without_chance(), random.Random(1)
    while not match.is_over:
        if match.to_act == CHANCE:
            weights = match.chance_weights()
            assert len(weights) == len(match.legal_ids(CHANCE))
            assert (weights > 0).all()
            check_legal_list(match, CHANCE)
        actor = random_actor(match, chooser)
        match.submit(int(chooser.choice(match.legal_ids(actor))), actor)


@every_case
def test_somebody_may_act_until_the_game_is_over(case: Case) -> None:
    for match in play_on(case.new(5), random.Random(5)):
        assert match.to_act in match.actors
        assert not match.may_act(CHANCE)
        assert not any(
            len(match.legal_ids(player))
            for player in range(match.players)
            if player not in match.actors
        )
        assert match.winners == []
    assert match.to_act == GAME_OVER
    assert match.actors == []
    assert len(match.legal_ids()) == 0
    assert match.winners == [player for player, place in enumerate(match.placements) if place == 1]


@every_case
def test_nothing_is_created_or_lost(case: Case) -> None:
    for seed in SEEDS:
        match = case.without_chance()
        chooser = random.Random(seed)
        while not match.is_over:
            about(case.game).check_nothing_lost(match.state)
            actor = random_actor(match, chooser)
            match.submit(int(chooser.choice(match.legal_ids(actor))), actor)
        about(case.game).check_nothing_lost(match.state)


@every_case
def test_a_replayed_log_gives_the_same_state(case: Case) -> None:
    match = finished(case, 2)
    again = lampion.load(lampion.dump(match))
    assert again.state == match.state
    assert again.log.read_by() == match.log.read_by()
    assert (again.scores, again.winners) == (match.scores, match.winners)
    assert match.state.tobytes() == again.state.tobytes()


@every_case
def test_copies_and_pickles_keep_the_whole_match_and_are_independent(case: Case) -> None:
    chooser = random.Random(3)
    for match in play_on(case.new(3), chooser):
        if match.ply % 7:
            continue
        for twin in (match.copy(), copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
            before = match.state.tobytes()
            assert twin.state.tobytes() == before
            assert twin.log.read_by() == match.log.read_by()
            actor = random_actor(twin, chooser)
            twin.submit(int(chooser.choice(twin.legal_ids(actor))), actor)
            assert twin.state.tobytes() != before or twin.ply > match.ply
            assert match.state.tobytes() == before


@every_case
def test_the_same_seed_gives_the_same_game(case: Case) -> None:
    assert lampion.dump(finished(case, 4)) == lampion.dump(finished(case, 4))


@every_case
def test_undo_gives_the_earlier_position_and_the_same_draws_again(case: Case) -> None:
    match, chooser = case.new(6), random.Random(6)
    for _ in range(12):
        actor = match.to_act
        if actor == GAME_OVER:
            break
        before, action = match.state.copy(), int(chooser.choice(match.legal_ids(actor)))
        match.submit(action, actor)
        after, ply = match.state.copy(), match.ply
        match.undo()
        assert match.state == before
        assert match.ply == ply + 1, "an undo is an entry of the log"
        match.submit(action, actor)
        assert match.state == after, "taking back a draw is no second draw"
    assert lampion.load(lampion.dump(match, reveal_seed=True)).state == match.state


@every_case
def test_a_record_verifies_and_a_changed_draw_does_not(case: Case) -> None:
    match = finished(case, 7)
    record = match.to_record()
    draws = sum(entry.actor == CHANCE for entry in match.log)
    assert lampion.verify(record) == draws
    assert record.fairness
    assert any(is_unfair_with(record, f"nonce {number}") for number in range(8)) == bool(draws)


def is_unfair_with(record: GameRecord, nonce: str) -> bool:
    """Whether another nonce leads to other draws; where few things can be drawn, it need not."""
    assert record.fairness
    record.fairness.nonces = [nonce]
    try:
        lampion.verify(record)
    except lampion.UnfairRecord:
        return True
    return False


@every_case
def test_compiled_sampling_of_chance_follows_the_weights(case: Case) -> None:
    """The quick way to draw and the list of weights are two descriptions of one thing; a
    chi-square test compares them."""
    match, chooser = case.without_chance(), random.Random(8)
    kinds_tried: set[str] = set()
    while not match.is_over:
        actor = random_actor(match, chooser)
        if actor == CHANCE:
            outcomes = match.legal_ids(CHANCE)
            kind = match.game.ACTIONS.block_of(int(outcomes[0])).name
            if kind not in kinds_tried:
                kinds_tried.add(kind)
                check_sampling(match, outcomes)
        match.submit(int(chooser.choice(match.legal_ids(actor))), actor)


def check_sampling(match: Match, outcomes: IntArray) -> None:
    weights = match.chance_weights()
    samples = 40 * len(outcomes)
    rng = np.array([9], np.uint64)
    counts = dict.fromkeys(outcomes.tolist(), 0)
    for _ in range(samples):
        counts[int(play.sample_at(match.state.batch, 0, rng))] += 1
    expected = weights / weights.sum() * samples
    freedom = max(len(outcomes) - 1, 1)
    chi_square = float((((np.array(list(counts.values())) - expected) ** 2) / expected).sum())
    # Six standard deviations of the chi-square distribution: never flaky, and a wrong weight is far
    # outside.
    assert chi_square < freedom + 6 * (2 * freedom) ** 0.5


@every_case
def test_every_field_says_who_sees_it(case: Case) -> None:
    for field in find_game(case.game).State.fields.values():
        assert field.seen_by in (ALL, OWNER, NOBODY)
        assert np.iinfo(field.dtype).min <= HIDDEN or field.dtype.kind == "u"


@every_case
def test_chance_does_what_is_marked_as_its_own_and_players_do_the_rest(case: Case) -> None:
    match, chooser = case.without_chance(), random.Random(12)
    while not match.is_over:
        actor = random_actor(match, chooser)
        ids = match.legal_ids(actor)
        blocks = {match.game.ACTIONS.block_of(int(action)) for action in ids}
        assert {block.by_chance for block in blocks} == {actor == CHANCE}, (
            "a block of ActionSpace is marked by_chance, or it is not"
        )
        match.submit(int(chooser.choice(ids)), actor)


@every_case
def test_events_of_every_action_can_be_written(case: Case) -> None:
    match = finished(case, 9)
    for ply, entry in enumerate(match.log):
        events = match.events(ply)
        assert all(event["event"] for event in events)
        assert len(events) == len(entry.trail)
    for earlier, entry in positions(match):
        if entry.actor != CHANCE:
            preview = earlier.preview(entry.text, entry.actor)
            told = match.events(earlier.ply, entry.actor)[: len(preview)]
            assert [without_changes(event) for event in preview] == told
            break


def without_changes(event: dict[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in event.items() if key != "changes"}


@every_case
def test_pictures_can_be_drawn_at_any_time(case: Case) -> None:
    for match in play_on(case.new(10), random.Random(10)):
        if match.ply % 9 == 0:
            assert str(match)
            assert match.svg(match.to_act).startswith("<svg")
    assert str(match)
    assert match.svg().startswith("<svg")
