"""The tree of a search whose moves come from an evaluation (`guided`)."""

from __future__ import annotations

import numpy as np
import pytest

import lampion
from lampion.bots import tree
from lampion.bots.base import Budget
from lampion.bots.knowledge import action_kind, kinds_at_hand
from lampion.bots.search import Search, Workspace
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.core.types import Rng
from lampion.games.lanterns.actions import DEDICATE_FOUR, EXCHANGE, PLACE
from lampion.games.lanterns.components import NUM_SIDES, NUM_TILES

GUIDED = 3


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
        for tile, priors in by_tile.items():
            assert int(work.nodes[node]["kinds"]) >> 1 + tile & 1
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
