"""The doors from Python into compiled rules, and loops over whole games. Generic: the
record type chooses the game.

Doors take `(states, index)`: an array of records is something that NumPy and C both understand.
"""

from __future__ import annotations

import numpy as np

from lampion.core.compile import entry, rule
from lampion.core.game import (
    apply,
    chance_weights,
    determinize,
    legal_actions,
    may_act,
    placements,
    sample_chance,
    scores,
    to_act,
)
from lampion.core.rng import next_random, random_below
from lampion.core.types import (
    CHANCE,
    GAME_OVER,
    Action,
    ActionList,
    ActionLists,
    Batch,
    IntArray,
    IntTable,
    Player,
    PlayerList,
    Rng,
)


@entry
def to_act_at(states: Batch, index: int) -> Player:
    return to_act(states[index])


@entry
def may_act_at(states: Batch, index: int, player: Player) -> bool:
    return may_act(states[index], player)


@entry
def actors_at(states: Batch, index: int, out: IntArray) -> int:
    """Write all players who may act, and return how many there are. `out` is as long as there are
    players."""
    count = 0
    for player in range(len(out)):
        if may_act(states[index], player):
            out[count] = player
            count += 1
    return count


@entry
def legal_at(states: Batch, index: int, player: Player, out: ActionList) -> int:
    return legal_actions(states[index], player, out)


@entry
def is_legal_at(states: Batch, index: int, player: Player, action: Action, out: ActionList) -> bool:
    """Whether an action is in the list that the rules write."""
    count = legal_actions(states[index], player, out)
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if out[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < count and out[low] == action


@entry
def weights_at(states: Batch, index: int, out: ActionList) -> int:
    return chance_weights(states[index], out)


@entry
def sample_at(states: Batch, index: int, rng: Rng) -> Action:
    return sample_chance(states[index], rng)


@entry
def apply_at(states: Batch, index: int, player: Player, action: Action) -> None:
    apply(states[index], player, action)


@rule
def common_rows(trails: IntTable, first: int, state: Batch, most: int) -> int:
    """How many events of a state are the rows of `trails` from `first` on, `most` at most."""
    count = 0
    while count < min(most, state.num_events):
        for column in range(trails.shape[1]):
            if trails[first + count, column] != state.events[count, column]:
                return count
        count += 1
    return count


@entry(loops=True)
def agreed_trails(
    worlds: Batch,
    player: Player,
    actions: IntArray,
    work: Batch,
    trails: IntTable,
    ends: IntArray,
) -> None:
    """Try all of these actions in all worlds, each in `work[0]`. What the worlds agree
    on, up to the first event on which two differ, is written one after the other: of
    action k up to `ends[k]`."""
    end = 0
    for k in range(len(actions)):
        work[0] = worlds[0]
        apply(work[0], player, actions[k])
        length = work[0].num_events
        for event in range(length):
            trails[end + event][:] = work[0].events[event]
        for world in range(1, len(worlds)):
            work[0] = worlds[world]
            apply(work[0], player, actions[k])
            length = common_rows(trails, end, work[0], length)
        end += length
        ends[k] = end


@rule
def settle(state: Batch, legal: IntArray, rng: Rng) -> int:
    """Let chance act until a player is to decide; write what is legal then and return how many, 0
    at the end of the game."""
    actor = to_act(state)
    while actor == CHANCE:
        apply(state, CHANCE, sample_chance(state, rng))
        actor = to_act(state)
    return 0 if actor == GAME_OVER else legal_actions(state, actor, legal)


@entry
def settle_at(states: Batch, index: int, legal: ActionList, rng: Rng) -> int:
    return settle(states[index], legal, rng)


@entry
def step_at(states: Batch, index: int, action: Action, legal: ActionList, rng: Rng) -> int:
    """Perform an action of the player to act, then settle: one crossing from
    Python for each decision."""
    state = states[index]
    apply(state, to_act(state), action)
    return settle(state, legal, rng)


@entry
def scores_at(states: Batch, index: int, out: PlayerList) -> None:
    scores(states[index], out)


@entry
def placements_at(states: Batch, index: int, out: PlayerList) -> None:
    placements(states[index], out)


@entry
def determinize_at(states: Batch, index: int, seat: Player, rng: Rng) -> None:
    determinize(states[index], seat, rng)


@entry
def next_number(rng: Rng) -> None:
    """Move a generator on."""
    next_random(rng)


@rule
def play_to_end(states: Batch, index: int, legal: IntArray, rng: Rng) -> int:
    """Play uniformly random actions to the end of the game; return how
    many decisions players made."""
    state = states[index]
    decisions = 0
    actor = to_act(state)
    while actor != GAME_OVER:
        if actor == CHANCE:
            apply(state, CHANCE, sample_chance(state, rng))
        else:
            count = legal_actions(state, actor, legal)
            apply(state, actor, legal[random_below(rng, count)])
            decisions += 1
        actor = to_act(state)
    return decisions


@entry(loops=True)
def play_random_game(states: Batch, index: int, legal: ActionList, rng: Rng) -> int:
    """Play the game at `index` to its end; return the number of decisions."""
    return play_to_end(states, index, legal, rng)


@entry(loops=True)
def play_random_games(start: Batch, states: Batch, games: int, legal: ActionList, rng: Rng) -> int:
    """Play `games` games from the record `start[0]`, in `states[0]`; return the number of
    decisions. Holds no lock."""
    decisions = 0
    for _ in range(games):
        states[0] = start[0]
        decisions += play_to_end(states, 0, legal, rng)
    return decisions


@entry(loops=True)
def copy_many(states: Batch, times: int) -> int:
    """Copy record 0 to the others again and again: what a copy costs in compiled code."""
    for time in range(times):
        states[1 + time % (len(states) - 1)] = states[0]
    return times


@entry(loops=True)
def perft(states: Batch, legal: ActionLists, depth: int) -> int:
    """How many sequences of `depth` actions, chance outcomes included, start at `states[0]`; a game
    that ends early counts once.

    `states` and the rows of `legal` need `depth` elements; of fewer, as many levels are walked as
    fit. Walks depth first: row d holds the actions of level d, `next_action[d]` the one to try next
    there.
    """
    depth = min(depth, min(len(states), len(legal)))
    if depth <= 0:
        return 1
    leaves = 0
    num_actions = np.zeros(depth, np.int64)
    next_action = np.zeros(depth, np.int64)
    level = 0
    entering = True
    while level >= 0:
        state = states[level]
        actor = to_act(state)
        if entering:
            num_actions[level] = (
                0 if actor == GAME_OVER else legal_actions(state, actor, legal[level])
            )
            next_action[level] = 0
            if actor == GAME_OVER:
                leaves += 1
            elif level == depth - 1:
                leaves += num_actions[level]
                next_action[level] = num_actions[level]
        entering = next_action[level] < num_actions[level]
        if entering:
            states[level + 1] = state
            apply(states[level + 1], actor, legal[level, next_action[level]])
            next_action[level] += 1
            level += 1
        else:
            level -= 1
    return leaves
