"""The tree of a search whose moves come from an evaluation (`guided`)."""

from __future__ import annotations

import random

import numpy as np
import pytest

import lampion
from lampion.bots import tree
from lampion.bots.base import Budget
from lampion.bots.knowledge import action_key, action_kind, kinds_at_hand
from lampion.bots.search import Search, Workspace
from lampion.core import play
from lampion.core.match import Match
from lampion.core.record import Record
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, Rng
from lampion.games.lanterns.actions import DEDICATE_FOUR, EXCHANGE, PLACE
from lampion.games.lanterns.components import NUM_SIDES, NUM_TILES
from tests.support import GAMES

GUIDED = 3
WIDE, OFTEN = 12, 8_000
"""A first width, and iterations through one move; a node with a thirtieth of them is due 4 times as
many moves of every kind."""


def at_a_placement(seed: int) -> Match:
    """A match of Lanterns in which player 0 has to place a tile and others have laid some."""
    match = lampion.new("lanterns", 2, seed=seed)
    while match.ply < 24 or match.to_act != 0 or match.legal_ids(0)[0] < PLACE:
        match.submit(int(match.legal_ids(match.to_act)[-1]), match.to_act)
    return match


def plant(match: Match, iterations: int) -> Workspace:
    return Search(guided=GUIDED).plant(
        match.seen_from(0), 0, match.legal_ids(0), Budget(iterations=iterations), new_rng(1)
    )


def iterate(work: Workspace, dice: Rng, iterations: int, effort: int = 10**9) -> tuple[int, int]:
    return tree.run_iterations(work.root, work.states, work.nodes, work.used, 0, work.path, work.legal, work.utilities, work.totals,
                               work.weights, work.settings, dice, np.zeros(1, np.uint8), iterations, effort)  # fmt: skip


def children(work: Workspace, node: int) -> list[int]:
    found, child = [], int(work.nodes[node]["first_child"])
    while child != tree.NO_NODE:
        found.append(child)
        child = int(work.nodes[child]["next_sibling"])
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_a_node_is_given_the_best_few_moves_for_each_tile(seed: int) -> None:
    work = plant(at_a_placement(seed), 3000)
    iterate(work, new_rng(1), 3000)
    checked = 0
    for node in range(1 + len(work.moves), int(work.used[0])):
        by_tile: dict[int, list[float]] = {}
        for child in children(work, node):
            if work.nodes[child]["mover"] >= 0 and work.nodes[child]["key"] >= PLACE:
                tile = (int(work.nodes[child]["key"]) - PLACE) // NUM_SIDES % NUM_TILES
                by_tile.setdefault(tile, []).append(float(work.nodes[child]["prior"]))
        for priors in by_tile.values():
            assert 1 <= len(priors) <= int(work.nodes[node]["width"])
            first = priors[:GUIDED]
            assert first == sorted(first, reverse=True) and 0 <= min(priors) <= max(priors) <= 1
            checked += 1
    assert checked > 100


def test_a_node_that_is_visited_often_is_given_more_moves() -> None:
    work = plant(at_a_placement(1), 6000)
    iterate(work, new_rng(1), 6000)
    inner = work.nodes[1 : int(work.used[0])]
    given = inner[inner["width"] > 0]
    assert set(given["width"]) >= {GUIDED, 2 * GUIDED, 4 * GUIDED}
    doublings = np.log2(given["width"] / GUIDED)
    due = tree.FIRST_WIDENING * 4.0 ** (doublings - 1)
    assert (given["visits"][doublings > 0] >= due[doublings > 0]).all()


def decision_after(work: Workspace, move: int, dice: Rng) -> tuple[Record, int] | None:
    """The first decision after a move of seat 0, in one guess, and its node if it has one."""
    state = work.game.State(work.root.copy())
    play.determinize_at(state.batch, 0, 0, dice)
    node, actor, action = tree.ROOT, 0, move
    while True:
        key = int(action_key(state, actor, action, 0))
        node = next((one for one in children(work, node) if work.nodes[one]["key"] == key), -1)
        if node < 0:
            return None
        play.apply_at(state.batch, 0, actor, action)
        actor = int(play.to_act_at(state.batch, 0))
        if actor != CHANCE:
            return (state, node) if actor >= 0 else None
        action = int(play.sample_at(state.batch, 0, dice))


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_move_enters_a_node_that_is_visited_often(game: str) -> None:
    """Of every tile that the other player may hold, also of those that were in no hand when the
    node was given more moves."""
    match, chooser = lampion.new(game, 2, seed=3), random.Random(3)
    while match.ply < 30 or match.to_act != 0 or len(match.legal_ids(0)) < 2:
        match.submit(int(chooser.choice(match.legal_ids())), match.to_act)
    if game == "lanterns":
        match = at_a_placement(1)
    only = match.legal_ids(0)[-1:]
    work = Search(guided=WIDE, net=0, cutoff=0).plant(
        match.seen_from(0), 0, only, Budget(iterations=OFTEN), new_rng(1)
    )
    iterate(work, new_rng(1), OFTEN)
    dice, kinds, checked = new_rng(2), set(), 0
    for _ in range(60):
        found = decision_after(work, int(only[0]), dice)
        if found is None or work.nodes[found[1]]["visits"] < OFTEN // 30:
            continue
        state, node = found
        actor, width = int(play.to_act_at(state.batch, 0)), int(work.nodes[node]["width"])
        legal = np.zeros(match.game.ACTIONS.size, np.int32)
        count = play.legal_at(state.batch, 0, actor, legal)
        keys = {int(work.nodes[one]["key"]) for one in children(work, node)}
        by_kind: dict[int, list[bool]] = {}
        for action in legal[:count]:
            is_in = int(action_key(state, actor, int(action), 0)) in keys
            by_kind.setdefault(int(action_kind(state, actor, int(action))), []).append(is_in)
        for kind, entered in by_kind.items():
            assert sum(entered) >= min(width // 2, len(entered)), f"kind {kind}"
            kinds.add(kind)
            checked += all(entered)
    assert checked >= 20
    assert len(kinds) > (8 if game == "lanterns" else 0)


def test_moves_that_the_policy_never_suggests_are_in_the_tree() -> None:
    """The quick policy of Lanterns never exchanges; yet everybody's exchanges are looked at."""
    match = at_a_placement(1)
    work = Search(net=0).plant(
        match.seen_from(0), 0, match.legal_ids(0), Budget(iterations=8000), new_rng(1)
    )
    iterate(work, new_rng(1), 8000)
    inner = work.nodes[1 + len(work.moves) : int(work.used[0])]
    keys = inner["key"][inner["mover"] >= 0]
    assert ((keys >= EXCHANGE) & (keys < DEDICATE_FOUR)).any()


def test_kinds_cover_all_that_is_legal() -> None:
    for game in ("lanterns", "lanterns_dice", "lumens"):
        match = lampion.new(game, 3, seed=4)
        while not match.is_over:
            seat = match.to_act
            kinds = int(kinds_at_hand(match.state, seat))
            assert all(
                kinds >> int(action_kind(match.state, seat, action)) & 1
                for action in match.legal_ids(seat)
            )
            match.submit(int(match.legal_ids(seat)[0]), seat)


def test_effort_ends_a_chunk_early_and_changes_nothing_else() -> None:
    match, dice, done = at_a_placement(1), new_rng(1), 0
    whole, parts = plant(match, 400), plant(match, 400)
    assert iterate(whole, new_rng(1), 400)[0] == 400
    while done < 400:
        did, spent = iterate(parts, dice, 400 - done, effort=50)
        assert did >= 1 and (spent >= 50 or done + did == 400)
        done += did
    assert (parts.children["visits"] == whole.children["visits"]).all()


def test_a_tree_that_is_full_ends_the_search() -> None:
    work = plant(at_a_placement(1), 100)
    work.nodes = work.nodes[: 1 + len(work.moves) + tree.MAX_NEW_NODES + 20].copy()
    done, _ = iterate(work, new_rng(1), 10**6)
    assert 0 < done < 10**6
    assert work.used[0] <= len(work.nodes)
