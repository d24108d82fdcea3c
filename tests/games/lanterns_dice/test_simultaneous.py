"""D11: players act at the same time, in any interleaving, with the same result."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import factorial, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lampion
from lampion.core.types import CHANCE
from tests.games.lanterns_dice.build import at_the_die, position
from tests.support import IS_NIGHT, Case, play_on

PLENTY = [5, 5, 5, 5]
ALMOST = "f6l f5u f3l f2l c3u a5l g4l i2l h3l a1u a1l b1u b1l c1u c1l a2u a2l c2u c2l a3u b3u c4u"
"""A lake on which chains start and fireworks fit."""

Plan = dict[int, list[str]]


def choices(match: lampion.Match, chooser: random.Random) -> Plan:
    """What each player chooses in this turn, found by playing it in canonical order;
    `skip` only now and then."""
    plan: Plan = {player: [] for player in range(match.players)}
    twin, turn = match.copy(), match.view()["turn"]
    while twin.to_act != CHANCE and not twin.is_over and twin.view()["turn"] == turn:
        legal = twin.legal_actions()
        text = chooser.choice(legal if chooser.random() < 0.1 else legal[legal[0] == "skip" :])
        plan[twin.to_act].append(text)
        twin.submit(text)
    return plan


def num_interleavings(plan: Plan) -> int:
    lengths = [len(texts) for texts in plan.values()]
    return factorial(sum(lengths)) // prod(factorial(length) for length in lengths)


def interleavings(plan: Plan) -> Iterator[list[int]]:
    """Every order in which the players can take their own sequences."""
    waiting = [player for player, texts in plan.items() if texts]
    if not waiting:
        yield []
    for player in waiting:
        rest = {**plan, player: plan[player][1:]}
        for order in interleavings(rest):
            yield [player, *order]


def result(match: lampion.Match, plan: Plan, order: list[int]) -> lampion.Match:
    """Play the choices in that order; every one of them is offered to its
    player when its time comes."""
    twin, left = match.copy(), {player: list(texts) for player, texts in plan.items()}
    for player in order:
        assert twin.actors == [other for other, texts in left.items() if texts]
        twin.submit(left[player].pop(0), player)
    return twin


@pytest.mark.parametrize("seed", range(8 if IS_NIGHT else 4))
def test_worked_case_5_every_interleaving_ends_in_the_same_state(seed: int) -> None:
    """All orders of one turn of two players with chains, cards and a
    launch: up to some hundreds."""
    match = at_the_die(
        position(2, lakes=[ALMOST, ALMOST], gifts=PLENTY[:2], emperor="ABB"),
        "rBOWR",
        f"t{seed % 4}",
    )
    plan = choices(match, random.Random(seed))
    assert num_interleavings(plan) > 1
    results = [result(match, plan, order).state for order in interleavings(plan)]
    assert len(results) == num_interleavings(plan)
    assert all(state == results[0] for state in results)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4))
def test_any_interleaving_in_the_middle_of_any_game_ends_in_the_same_state(
    seed: int, players: int
) -> None:
    chooser = random.Random(seed)
    stop = chooser.randrange(20, 120)
    for match in play_on(Case("lanterns_dice", players, {}).new(seed), chooser):
        if match.ply >= stop and match.view()["turn"]["phase"] == "act" and len(match.actors) > 1:
            break
    if match.is_over or len(match.actors) < 2:
        return
    match = match.with_chance(None)
    plan = choices(match, chooser)
    canonical = [player for player in _clockwise(match) for _ in plan[player]]
    expected = result(match, plan, canonical).state
    for _ in range(5):
        order = list(canonical)
        chooser.shuffle(order)
        assert result(match, plan, order).state == expected


def _clockwise(match: lampion.Match) -> list[int]:
    active = match.view()["turn"]["active"]
    return [(active + k) % match.players for k in range(match.players)]


def test_nobody_waits_for_anybody_but_the_tray() -> None:
    match = position(4, gifts=PLENTY)
    match.submit("rRBOW")
    assert match.actors == [0]
    match.submit("t0")
    assert match.actors == [0, 1, 2, 3]
    for player in (3, 1, 2):
        while match.may_act(player):
            match.submit("skip", player)
    assert match.actors == [0]


def test_what_others_do_changes_nothing_for_a_player() -> None:
    match = at_the_die(position(3, lakes=[ALMOST] * 3, gifts=PLENTY[:3]), "rBBBB")
    before = match.legal_actions(2)
    while match.may_act(0) or match.may_act(1):
        player = 0 if match.may_act(0) else 1
        legal = match.legal_actions(player)
        match.submit(legal[-1], player)
        assert match.legal_actions(2) == before
