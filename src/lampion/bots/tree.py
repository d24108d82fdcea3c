"""Information-set Monte Carlo tree search, compiled, for any game, any number of players, chance and hidden hands.

The tree is that of one seat: each iteration guesses what the seat cannot see (`determinize`), walks down the tree with that guess,
adds a node, plays to the end (or evaluates after a while), and adds everybody's utility to the nodes on the way.

    nodes[n]   key           the action that led here, by what the seat can see of it (`action_key`)
               mover         who did it, or CHANCE
               visits, value how often, and the sum of the mover's utilities
               prior         what the mover's utility looked like before any visit (root moves, and
                             all if `guided`)
               width         how many moves of each kind it is due (only if `guided`)
               kinds         the kinds of moves of which it has been given that many, one bit each
                             (`kinds_at_hand`; only if `guided`)
               first_child, next_sibling, num_children

Where the choice is wide the tree widens slowly, in one of two ways, and no legal move stays out for
ever. With `guided`, a node that is visited again is given the best moves of every kind at hand (each
tile of a hidden hand is a kind of its own) by what they look like one move later, which pays where a
trained network judges; every time its visits have grown fourfold it is due twice as many, which a
kind gets when it is next at hand.
Otherwise a node with v visits has about `widening * sqrt(v)` children, each suggested by the quick
policy, or drawn from all that is legal when the policy has nothing new to say.

At the root all moves stand in the order of a one-move evaluation and are tried from the front.
"""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
import numpy.typing as npt

from lampion.bots.knowledge import (
    NO_ACTION,
    action_key,
    action_kind,
    evaluate,
    keyed_action,
    kinds_at_hand,
    playout_action,
)
from lampion.bots.net import Weights
from lampion.bots.utility import (
    Floats,
    Settings,
    evaluated_utilities,
    evaluated_utility,
    final_utilities,
)
from lampion.core.compile import entry, rule
from lampion.core.facts import POLICY_PLAYOUT, RANDOM_PLAYOUT
from lampion.core.game import (
    apply,
    determinize,
    legal_actions,
    placements,
    sample_chance,
    scores,
    to_act,
)
from lampion.core.numbers import log
from lampion.core.record import record_type
from lampion.core.rng import random_below
from lampion.core.types import CHANCE, GAME_OVER, Action, Batch, Elements, IntArray, Player, Rng

NODE = record_type(
    [
        ("key", "i8"),
        ("kinds", "i8"),
        ("value", "f8"),
        ("prior", "f8"),
        ("visits", "i4"),
        ("first_child", "i4"),
        ("last_child", "i4"),
        ("next_sibling", "i4"),
        ("num_children", "i4"),
        ("mover", "i4"),
        ("width", "i4"),
    ]
)
NO_NODE = -1
ROOT = 0
MAX_DEPTH = 2000
NOT_LOOKED_AT = -1.0
MAX_KINDS, ALL_KINDS = 63, -1
FIRST_WIDENING = 32
"""Visits after which a node is given twice as many moves; after four times as many, again."""
MAX_NEW_NODES = 64
"""Without `guided`, one iteration adds one decision and the chance outcomes on the way to it; this much room is always kept."""

Nodes = Annotated[npt.NDArray[np.void], Elements(name="Node", dtype=NODE)]
FloatTable = Annotated[Floats, Elements(axes=2)]


# --- nodes ------------------------------------------------------------------------------------------------------------------------


@rule
def find_child(nodes: Nodes, parent: int, key: int) -> int:
    child = nodes[parent].first_child
    while child != NO_NODE and nodes[child].key != key:
        child = nodes[child].next_sibling
    return child


@rule
def add_child(nodes: Nodes, used: IntArray, parent: int, key: int, mover: Player) -> int:
    """A new last child; `used[0]` counts the nodes."""
    child = used[0]
    used[0] += 1
    node = nodes[child]
    node.key, node.mover = key, mover
    node.value, node.prior, node.visits, node.kinds, node.width = 0.0, 0.0, 0, 0, 0
    node.first_child, node.last_child, node.next_sibling, node.num_children = (
        NO_NODE,
        NO_NODE,
        NO_NODE,
        0,
    )
    if nodes[parent].first_child == NO_NODE:
        nodes[parent].first_child = child
    else:
        nodes[nodes[parent].last_child].next_sibling = child
    nodes[parent].last_child = child
    nodes[parent].num_children += 1
    return child


@rule
def best_child(
    nodes: Nodes, parent: int, state: Batch, actor: Player, most: int, settings: Settings
) -> tuple[int, Action]:
    """The most promising of the first `most` children that can be played here, and its action."""
    total = log(nodes[parent].visits + 1.0)
    prior_visits = settings[0].prior_visits if parent == ROOT or settings[0].guided > 0 else 0.0
    exploration = settings[0].exploration
    best, chosen, chosen_action = -1.0, NO_NODE, NO_ACTION
    child, seen = nodes[parent].first_child, 0
    while child != NO_NODE and seen < most:
        node = nodes[child]
        action = keyed_action(state, actor, node.key)
        if action != NO_ACTION:
            inverse = 1.0 / max(node.visits + prior_visits, 1.0)
            bound = (node.value + prior_visits * node.prior) * inverse + exploration * math.sqrt(
                total * inverse
            )
            if bound > best:
                best, chosen, chosen_action = bound, child, action
        child = node.next_sibling
        seen += 1
    return chosen, chosen_action


# --- one move ahead ---------------------------------------------------------------------------------------------------------------


@rule
def look_ahead(
    states: Batch,
    actor: Player,
    legal: IntArray,
    count: int,
    kinds: int,
    weights: Weights,
    settings: Settings,
    out: Floats,
) -> int:
    """The actor's utility after each legal action of these kinds, NOT_LOOKED_AT for others; how many there are of these kinds."""
    values = np.zeros(states[0].num_players)
    looked = 0
    for k in range(count):
        out[k] = NOT_LOOKED_AT
        if kinds >> action_kind(states[0], actor, legal[k]) & 1:
            states[1] = states[0]
            apply(states[1], actor, legal[k])
            out[k] = evaluated_utility(states[1], actor, values, weights, settings)
            looked += 1
    return looked


@rule
def missing_kinds(states: Batch, nodes: Nodes, node: int, settings: Settings) -> int:
    """The kinds at hand of which a node has not been given all the moves that it is due now."""
    kinds = kinds_at_hand(states[0], to_act(states[0]))
    if nodes[node].width == 0:
        nodes[node].width = settings[0].guided
    due = FIRST_WIDENING
    width = settings[0].guided
    while width < nodes[node].width:
        due, width = 4 * due, 2 * width
    if nodes[node].visits >= due:
        nodes[node].width *= 2
        nodes[node].kinds = 0  # also of those that are in no hand now: they get theirs later
    return kinds & ~nodes[node].kinds


@rule
def expand(
    states: Batch,
    nodes: Nodes,
    used: IntArray,
    node: int,
    seat: Player,
    legal: IntArray,
    weights: Weights,
    settings: Settings,
) -> int:
    """Give a node the best moves of every kind at hand that it is due; how many were looked at."""
    missing = missing_kinds(states, nodes, node, settings)
    if missing == 0:
        return 0
    actor = to_act(states[0])
    count = legal_actions(states[0], actor, legal)
    priors = np.empty(count)
    order = np.empty(count, np.int32)
    given = np.zeros(MAX_KINDS, np.int32)
    looked = look_ahead(states, actor, legal, count, missing, weights, settings, priors)
    is_first = nodes[node].width == settings[0].guided
    sort_by_value(priors, order)
    for k in order:
        kind = action_kind(states[0], actor, legal[k])
        if (
            priors[k] != NOT_LOOKED_AT
            and given[kind] < nodes[node].width
            and used[0] + MAX_NEW_NODES < len(nodes)
        ):
            given[kind] += 1
            key = action_key(states[0], actor, legal[k], seat)
            if is_first or find_child(nodes, node, key) == NO_NODE:
                child = add_child(nodes, used, node, key, actor)
                nodes[child].prior = priors[k]
    nodes[node].kinds |= missing
    return looked


@rule
def highest(values: Floats) -> int:
    """The place of the highest value, the first of equal ones."""
    best = 0
    for k in range(1, len(values)):
        if values[k] > values[best]:
            best = k
    return best


@rule
def sort_by_value(values: Floats, order: IntArray) -> None:
    """Write the places of the values, the highest first; equal ones stay in order. Runs twice as long are merged in each round."""
    count, width = len(values), 1
    merged = np.empty(count, np.int32)
    for k in range(count):
        order[k] = k
    while width < count:
        start = 0
        while start < count:
            merge_runs(
                values,
                order,
                start,
                min(start + width, count),
                min(start + 2 * width, count),
                merged,
            )
            start += 2 * width
        order[:] = merged
        width *= 2


@rule
def merge_runs(
    values: Floats, order: IntArray, left: int, middle: int, end: int, merged: IntArray
) -> None:
    right = middle
    first = left
    for k in range(left, end):
        if first < middle and (right >= end or values[order[first]] >= values[order[right]]):
            merged[k] = order[first]
            first += 1
        else:
            merged[k] = order[right]
            right += 1


# --- playouts ---------------------------------------------------------------------------------------------------------------------


@rule
def likely_action(
    states: Batch, actor: Player, legal: IntArray, weights: Weights, settings: Settings, rng: Rng
) -> tuple[Action, int]:
    """A random action, what the policy of the game suggests, or what looks best one move later; and how many were looked at."""
    if settings[0].playout == POLICY_PLAYOUT:
        return playout_action(states[0], actor, legal, rng), 0
    count = legal_actions(states[0], actor, legal)
    if settings[0].playout == RANDOM_PLAYOUT or count == 1:
        return legal[random_below(rng, count)], 0
    values = np.empty(count)
    looked = look_ahead(states, actor, legal, count, ALL_KINDS, weights, settings, values)
    return legal[highest(values)], looked


@rule
def play_out(states: Batch, legal: IntArray, weights: Weights, settings: Settings, rng: Rng) -> int:
    """Play on to the end of the game, or for a while; how many moves were looked at."""
    state, decisions, looked = states[0], 0, 0
    actor = to_act(state)
    while actor != GAME_OVER:
        if actor == CHANCE:
            apply(state, CHANCE, sample_chance(state, rng))
        else:
            if decisions == settings[0].cutoff:
                return looked
            action, more = likely_action(states, actor, legal, weights, settings, rng)
            apply(state, actor, action)
            decisions += 1
            looked += more
        actor = to_act(state)
    return looked


# --- one iteration ----------------------------------------------------------------------------------------------------------------


@rule
def descend(
    states: Batch, nodes: Nodes, used: IntArray, seat: Player, path: IntArray, legal: IntArray, weights: Weights,
    settings: Settings, rng: Rng,
) -> tuple[int, int]:  # fmt: skip
    """Walk from the root to a new node (or the end of the game), playing on the way; the length of the path, and the moves looked at
    to choose it."""
    state, looked = states[0], 0
    node, length, is_new = ROOT, 1, False
    is_guided = settings[0].guided > 0
    path[0] = ROOT
    actor = seat  # where several may act at once, the tree is about this one's decision
    while actor != GAME_OVER and not is_new and length < len(path):
        if actor == CHANCE:
            action = sample_chance(state, rng)
            key = action_key(state, CHANCE, action, seat)
            child = find_child(nodes, node, key)
        else:
            if is_guided and node != ROOT:
                looked += expand(states, nodes, used, node, seat, legal, weights, settings)
            child, action, key = choose_move(
                states, nodes, node, actor, seat, legal, weights, settings, rng
            )
        # A chance outcome alone says nothing; the new node worth a playout is the decision after it.
        is_new = actor != CHANCE and (child == NO_NODE or (is_guided and nodes[child].visits == 0))
        if child == NO_NODE:
            child = add_child(nodes, used, node, key, actor)
        apply(state, actor, action)
        node = child
        path[length] = node
        length += 1
        actor = to_act(state)
    return length, looked


@rule
def most_children(nodes: Nodes, node: int, settings: Settings) -> int:
    """How many children of a node may be visited now: all that `expand` gave it, or more with every visit."""
    if node != ROOT and settings[0].guided > 0:
        return nodes[node].num_children
    width = settings[0].root_width if node == ROOT else settings[0].widening
    return 1 + int(width * math.sqrt(nodes[node].visits))


@rule
def choose_move(
    states: Batch, nodes: Nodes, node: int, actor: Player, seat: Player, legal: IntArray, weights: Weights, settings: Settings,
    rng: Rng,
) -> tuple[int, Action, int]:  # fmt: skip
    """A child to go to, or NO_NODE and a new move."""
    state = states[0]
    most = most_children(nodes, node, settings)
    if node == ROOT or nodes[node].num_children >= most:
        child, action = best_child(nodes, node, state, actor, most, settings)
        if child != NO_NODE:
            return child, action, nodes[child].key
    action, _ = likely_action(states, actor, legal, weights, settings, rng)
    key = action_key(state, actor, action, seat)
    child = find_child(nodes, node, key)
    if child != NO_NODE:
        # The policy has nothing new to say: any legal move may come in, so that none stays out.
        action = legal[random_below(rng, legal_actions(state, actor, legal))]
        key = action_key(state, actor, action, seat)
        child = find_child(nodes, node, key)
    return child, action, key


@entry(loops=True)
def run_iterations(
    root: Batch,
    states: Batch,
    nodes: Nodes,
    used: IntArray,
    seat: Player,
    path: IntArray,
    legal: IntArray,
    utilities: Floats,
    totals: FloatTable,
    weights: Weights,
    settings: Settings,
    rng: Rng,
    stop: npt.NDArray[np.uint8],
    iterations: int,
    effort: int,
) -> tuple[int, int]:
    """Up to that many iterations, and no more when that many moves have been looked at (an iteration
    counts as one more): how many of both there were. `totals` sums over finished games, per player:
    wins, places, points."""
    players = len(utilities)
    values = np.zeros(players)
    places = np.zeros(players, np.int32)
    points = np.zeros(players, np.int32)
    spent = 0
    for done in range(iterations):
        if stop[0] or spent >= effort or used[0] + MAX_NEW_NODES > len(nodes):
            return done, spent
        states[0] = root[0]
        determinize(states[0], seat, rng)
        length, looked = descend(states, nodes, used, seat, path, legal, weights, settings, rng)
        spent += 1 + looked + play_out(states, legal, weights, settings, rng)
        if to_act(states[0]) == GAME_OVER:
            placements(states[0], places)
            scores(states[0], points)
            final_utilities(places, points, values, settings, utilities)
            add_totals(places, points, totals)
        else:
            evaluated_utilities(states[0], values, weights, settings, utilities)
        for k in range(length):
            node = nodes[path[k]]
            node.visits += 1
            if node.mover >= 0:
                node.value += utilities[node.mover]
    return iterations, spent


@rule
def add_totals(places: IntArray, points: IntArray, totals: FloatTable) -> None:
    winners = 0
    for player in range(len(totals)):
        winners += places[player] == 1
    for player in range(len(totals)):
        totals[player, 0] += (places[player] == 1) / winners
        totals[player, 1] += places[player]
        totals[player, 2] += points[player]


# --- the root ---------------------------------------------------------------------------------------------------------------------


@entry(loops=True)
def evaluate_moves(
    root: Batch,
    states: Batch,
    seat: Player,
    legal: IntArray,
    weights: Weights,
    settings: Settings,
    out: Floats,
    rng: Rng,
) -> None:
    """The utility of each move for its player one move later, by evaluation alone."""
    states[0] = root[0]
    determinize(states[0], seat, rng)
    look_ahead(states, seat, legal, len(legal), ALL_KINDS, weights, settings, out)


@entry(loops=True)
def look_at_prospects(
    root: Batch,
    states: Batch,
    seat: Player,
    legal: IntArray,
    players: int,
    out: FloatTable,
    rng: Rng,
) -> None:
    """What each move leads to one move later, in points: as they stand for its player, what the
    player can expect by the evaluation of the game, and what the best of the others can."""
    states[0] = root[0]
    determinize(states[0], seat, rng)
    points = np.zeros(players, np.int32)
    for k in range(len(legal)):
        states[1] = states[0]
        apply(states[1], seat, legal[k])
        scores(states[1], points)
        out[k, 0], out[k, 1], out[k, 2] = points[seat], evaluate(states[1], seat), -1e9
        for other in range(players):
            if other != seat:
                out[k, 2] = max(out[k, 2], evaluate(states[1], other))


@entry
def plant_root(
    root: Batch, nodes: Nodes, used: IntArray, seat: Player, moves: IntArray, priors: Floats
) -> None:
    """A root with all moves below it, in the order given."""
    used[0] = 0
    nodes[ROOT].first_child, nodes[ROOT].last_child, nodes[ROOT].next_sibling = (
        NO_NODE,
        NO_NODE,
        NO_NODE,
    )
    nodes[ROOT].num_children, nodes[ROOT].visits, nodes[ROOT].mover = 0, 0, CHANCE
    nodes[ROOT].kinds, nodes[ROOT].width = 0, 0
    used[0] = 1
    for k in range(len(moves)):
        child = add_child(nodes, used, ROOT, action_key(root[0], seat, moves[k], seat), seat)
        nodes[child].prior = priors[k]


# --- reading the tree -------------------------------------------------------------------------------------------------------------


@entry
def keyed_at(states: Batch, index: int, player: Player, key: int) -> Action:
    return keyed_action(states[index], player, key)


@entry
def most_visited_child(nodes: Nodes, parent: int) -> int:
    best, chosen = 0, NO_NODE
    child = nodes[parent].first_child
    while child != NO_NODE:
        if nodes[child].visits > best:
            best, chosen = nodes[child].visits, child
        child = nodes[child].next_sibling
    return chosen
