"""Exact play where the rest of the game is small: every line to its end, chance by expectation.

Each player is assumed to maximize their own utility. Between two players, whose utilities add up to
1, lines that cannot matter are cut off (alpha-beta): a position is left as soon as it gives one player
more than the other, who could have avoided it, would let them have. Nothing is cut off across an
outcome of chance. What was best in the last position of a level is tried first in the next one,
which is often like it.

The walk goes depth first. Level d has a record in `states`, a row of `legal` and of `weights`, and
what is known so far in `levels[d]`:

    actor, count, next    who acts, how many actions or outcomes there are, the one to try next
    weight, total         of the outcome of chance that is being tried, and of all
    values[player]        the utilities of the best move so far, or the sum over outcomes of chance
    floors[player]        what a player who decided further up is sure of; NO_FLOOR below chance
    last_best             the action that was best in the last position of this level

A walk can be put down after any number of positions and taken up again: where it stands is in
`progress`, the levels and the states.

The solver sees everything in the record that it is given. Bots give it guesses of what their seat
cannot see, never the true state.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

from lampion.bots.knowledge import is_certain
from lampion.bots.utility import Floats, Settings, final_utilities
from lampion.core.compile import entry, rule
from lampion.core.game import (
    apply,
    chance_weights,
    determinize,
    legal_actions,
    placements,
    sample_chance,
    scores,
    to_act,
)
from lampion.core.record import record_type
from lampion.core.rng import random_below
from lampion.core.types import (
    CHANCE,
    GAME_OVER,
    MOST_SEATS,
    Action,
    Batch,
    Elements,
    IntArray,
    IntTable,
    Player,
    Rng,
)

LEVEL = record_type(
    [
        ("actor", "i4"),
        ("count", "i4"),
        ("next", "i4"),
        ("weight", "f8"),
        ("total", "f8"),
        ("values", "f8", MOST_SEATS),
        ("floors", "f8", MOST_SEATS),
        ("last_best", "i4"),
    ]
)
PROGRESS = record_type(
    [
        ("nodes", "i8"),  # positions looked at so far
        ("best", "f8"),  # the highest value of a move so far
        ("guess", "i4"),
        ("move", "i4"),  # its place in the list
        ("level", "i4"),  # where the walk below that move stands; WORLD between two moves
        ("is_new", "i4"),  # whether that level is still to be entered
    ]
)
MAX_LEVELS = 48
WORLD = 0
"""The level of the position whose moves are solved."""
SOLVED, NOT_SOLVED, NOT_YET = 0, -1, -2
NO_FLOOR = -1.0
UNDECIDED = -2.0
"""Less than any utility: no move has been tried yet."""

Levels = Annotated[npt.NDArray[np.void], Elements(name="Level", dtype=LEVEL)]
Progress = Annotated[npt.NDArray[np.void], Elements(name="Progress", dtype=PROGRESS)]
"""One record of it."""


@rule
def enter(
    states: Batch,
    level: int,
    legal: IntTable,
    weights: IntTable,
    settings: Settings,
    levels: Levels,
) -> None:
    """List what can happen at a level; at the end of the game, write what it is worth."""
    state, here, players = states[level], levels[level], states[level].num_players
    here.actor = to_act(state)
    here.next, here.count = 0, 0
    if here.actor == GAME_OVER:
        points = np.zeros(players, np.int32)
        places = np.zeros(players, np.int32)
        margins = np.zeros(players)
        placements(state, places)
        scores(state, points)
        final_utilities(places, points, margins, settings, here.values[:players])
        return
    here.count = legal_actions(state, here.actor, legal[level])
    for player in range(players):
        here.values[player] = 0.0 if here.actor == CHANCE else UNDECIDED
    if here.actor != CHANCE:
        put_first(here.last_best, here.count, legal[level])
    else:
        chance_weights(state, weights[level])
        here.total = 0.0
        for k in range(here.count):
            here.total += weights[level, k]


@rule
def put_first(action: Action, count: int, actions: IntArray) -> None:
    """Swap an action with the first one, if it is among them."""
    for k in range(count):
        if actions[k] == action:
            actions[k] = actions[0]
            actions[0] = action
            return


@rule
def is_cut(level: int, players: int, levels: Levels) -> bool:
    """Whether the other of two players, deciding further up, would not let the game come here."""
    here = levels[level]
    if players != 2 or here.actor == CHANCE:
        return False
    return bool(1.0 - here.values[here.actor] <= here.floors[1 - here.actor])


@rule
def step_down(
    states: Batch, level: int, legal: IntTable, weights: IntTable, levels: Levels
) -> None:
    """Try the next action or outcome of a level, on the level below."""
    here, below = levels[level], levels[level + 1]
    for player in range(states[level].num_players):
        below.floors[player] = NO_FLOOR if here.actor == CHANCE else here.floors[player]
    if here.actor == CHANCE:
        here.weight = weights[level, here.next]
    else:
        below.floors[here.actor] = max(here.floors[here.actor], here.values[here.actor])
    states[level + 1] = states[level]
    apply(states[level + 1], here.actor, legal[level, here.next])
    here.next += 1


@rule
def take_over(level: int, players: int, legal: IntTable, levels: Levels) -> None:
    """What the level below has found: the value of an outcome, or of a move that may be better."""
    here, below = levels[level], levels[level + 1]
    if here.actor == CHANCE:
        for player in range(players):
            here.values[player] += here.weight / here.total * below.values[player]
    elif below.values[here.actor] > here.values[here.actor]:
        here.last_best = legal[level, here.next - 1]
        for player in range(players):
            here.values[player] = below.values[player]


@rule
def walk(
    states: Batch,
    first: int,
    legal: IntTable,
    weights: IntTable,
    settings: Settings,
    most_nodes: int,
    levels: Levels,
    progress: Progress,
) -> int:
    """Go on until the utilities of `states[first]` are in its level: SOLVED; NOT_YET if that takes
    more positions than `most_nodes`, NOT_SOLVED if they lie too deep. The floors of that level are
    given."""
    players, now = states[first].num_players, progress[0]
    nodes, level, is_new = now.nodes, now.level, now.is_new != 0
    while level >= first and (nodes < most_nodes or not is_new):
        if is_new:
            if level + 1 >= len(levels):
                return NOT_SOLVED
            nodes += 1
            enter(states, level, legal, weights, settings, levels)
        here = levels[level]
        is_new = here.next < here.count and not is_cut(level, players, levels)
        if is_new:
            step_down(states, level, legal, weights, levels)
            level += 1
        else:
            level -= 1
            if level >= first:
                take_over(level, players, legal, levels)
    now.nodes, now.level, now.is_new = nodes, level, is_new
    return SOLVED if level < first else NOT_YET


@rule
def begin_move(
    root: Batch,
    states: Batch,
    seat: Player,
    moves: IntArray,
    floor: float,
    levels: Levels,
    progress: Progress,
    rng: Rng,
) -> None:
    """Play the next move, in a new guess if it is the first one."""
    now = progress[0]
    if now.move == 0:
        states[WORLD] = root[0]
        determinize(states[WORLD], seat, rng)
    states[WORLD + 1] = states[WORLD]
    apply(states[WORLD + 1], seat, moves[now.move])
    for player in range(states[WORLD].num_players):
        levels[WORLD + 1].floors[player] = NO_FLOOR
    levels[WORLD + 1].floors[seat] = floor
    now.level, now.is_new = WORLD + 1, 1


@entry(loops=True)
def solve_moves(
    root: Batch,
    states: Batch,
    seat: Player,
    moves: IntArray,
    guesses: int,
    legal: IntTable,
    weights: IntTable,
    levels: Levels,
    settings: Settings,
    rng: Rng,
    chunk: int,
    only_best: bool,
    progress: Progress,
    out: Floats,
) -> int:
    """Add to `out` the exact utility of each move of a seat, the mean over guesses of what it cannot
    see: SOLVED, NOT_SOLVED if the game goes too deep, or NOT_YET after `chunk` positions; the next
    call goes on from there. `progress` and `out` are 0 at first. With `only_best` and one guess,
    moves that are no better than one before them get a bound, which is no higher than the best
    value."""
    now = progress[0]
    most_nodes = now.nodes + chunk
    while now.guess < guesses:
        if now.level == WORLD:
            is_bounded = only_best and guesses == 1 and now.move > 0
            floor = now.best if is_bounded else NO_FLOOR
            begin_move(root, states, seat, moves, floor, levels, progress, rng)
        found = walk(states, WORLD + 1, legal, weights, settings, most_nodes, levels, progress)
        if found != SOLVED:
            return found
        value = levels[WORLD + 1].values[seat]
        out[now.move] += value / guesses
        now.best = max(now.best, value)
        now.move += 1
        if now.move == len(moves):
            now.move, now.guess = 0, now.guess + 1
    return SOLVED


@entry
def is_certain_at(root: Batch, seat: Player) -> bool:
    return is_certain(root[0], seat)


@entry(loops=True)
def estimate_size(
    root: Batch, states: Batch, seat: Player, legal: IntArray, samples: int, most: float, rng: Rng
) -> float:
    """About how many positions there are below a position: the mean over random games of the sum of
    the products of their numbers of actions (Knuth 1975). A game ends early beyond `most`."""
    total = 0.0
    for _ in range(samples):
        states[0] = root[0]
        determinize(states[0], seat, rng)
        product, size = 1.0, 1.0
        actor = to_act(states[0])
        while actor != GAME_OVER and size < most:
            count = legal_actions(states[0], actor, legal)
            product *= count
            size += product
            if actor == CHANCE:
                apply(states[0], CHANCE, sample_chance(states[0], rng))
            else:
                apply(states[0], actor, legal[random_below(rng, count)])
            actor = to_act(states[0])
        total += size
    return total / samples
