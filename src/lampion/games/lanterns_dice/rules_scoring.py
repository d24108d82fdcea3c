"""Scoring in Lanterns Dice: D17 and D18. Every part can be asked for at any time."""

import numpy as np

from lampion.core.compile import rule
from lampion.core.types import IntArray, Player
from lampion.games.lanterns_dice.components import BOAT_HONOR, MAX_PLAYERS, NUM_COLUMNS
from lampion.games.lanterns_dice.rules_shading import completed_pools, empty_pools
from lampion.games.lanterns_dice.state import FIRST_COLUMN, LAST_COLUMN, PoolSet, State

# --- groups of pools ------------------------------------------------------------------------------


@rule
def num_pools(pools: PoolSet) -> int:
    count = 0
    while pools != 0:
        pools &= pools - 1
        count += 1
    return count


@rule
def group_of_lowest(pools: PoolSet) -> PoolSet:
    """The group, orthogonally connected, that the lowest pool of a set belongs to."""
    group, before = pools & -pools, 0
    while group != before:
        before = group
        sideways = (group & ~LAST_COLUMN) << 1 | (group & ~FIRST_COLUMN) >> 1
        group |= (group << NUM_COLUMNS | group >> NUM_COLUMNS | sideways) & pools
    return group


@rule
def second_group(pools: PoolSet) -> int:
    """D17: the size of the second largest group; of two equal largest, one is ignored."""
    largest, second = 0, 0
    while pools != 0:
        group = group_of_lowest(pools)
        pools ^= group
        size = num_pools(group)
        second = max(second, min(size, largest))
        largest = max(largest, size)
    return second


# --- boats ----------------------------------------------------------------------------------------


@rule
def surrounded_boats(state: State, player: Player) -> PoolSet:
    """D17: the pool wholly unshaded, its 4 neighbors completed. A boat on the edge has
    fewer than 4 and never scores."""
    pools = completed_pools(state, player)
    beside = (pools & ~LAST_COLUMN) << 1 & (pools & ~FIRST_COLUMN) >> 1
    return (
        state.boats[state.sheets[player]]
        & empty_pools(state, player)
        & beside
        & pools << NUM_COLUMNS
        & pools >> NUM_COLUMNS
    )


@rule
def boats_honor(state: State, player: Player) -> int:
    return BOAT_HONOR * num_pools(surrounded_boats(state, player))


# --- the end --------------------------------------------------------------------------------------


@rule
def score(state: State, player: Player) -> int:
    """D17: fireworks, second group, boats."""
    return (
        state.honor[player]
        + second_group(completed_pools(state, player))
        + boats_honor(state, player)
    )


@rule
def scores(state: State, out: IntArray) -> None:
    for player in range(state.num_players):
        out[player] = score(state, player)


@rule(inline=True)
def tie_break(state: State, player: Player) -> int:
    """D18: honor from fireworks."""
    return state.honor[player]


@rule
def is_ahead(state: State, totals: IntArray, a: Player, b: Player) -> bool:
    """D18: more honor; then what breaks ties."""
    if totals[a] != totals[b]:
        return totals[a] > totals[b]
    return tie_break(state, a) > tie_break(state, b)


@rule
def placements(state: State, out: IntArray) -> None:
    """D18: one's place is one more than the number of players ahead."""
    totals = np.zeros(MAX_PLAYERS, np.int32)
    scores(state, totals)
    for player in range(state.num_players):
        out[player] = 1
        for other in range(state.num_players):
            out[player] += is_ahead(state, totals, other, player)
