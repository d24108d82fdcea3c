"""The compiled half of the batched environment: from one decision to the next, for a slice of the slots.

A slot is one running game. Between two decisions everything is done here: the action, the draws and rolls that follow (by the
slot's own generator), the rewards, the next game if this one is over, the observation and the mask of the player to act next.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

from lampion.core.compile import entry, rule
from lampion.core.game import (
    apply,
    legal_actions,
    may_act,
    placements,
    sample_chance,
    scores,
    to_act,
)
from lampion.core.observation import Vector, observe, observe_again, observe_compact
from lampion.core.rng import next_random, random_below
from lampion.core.types import (
    CHANCE,
    GAME_OVER,
    Action,
    Batch,
    Elements,
    IntArray,
    IntTable,
    Player,
    Rng,
)

# Instead of an action: leave this slot as it is, start a new game in it, or only look again.
HOLD: Action = -1
NEW_GAME: Action = -2
LOOK: Action = -3
ANY_ACTION: Action = 0
"""What is suggested where the game is over and any action will do."""

# What happens to a slot whose game is over.
STAY, SAME_STEP, NEXT_STEP = range(3)

# What rewards are.
BY_PLACE, BY_SCORE = range(2)

# What observations are.
FULL, COMPACT = range(2)

# The generators of a slot: of the seeds of its games, of chance, and of `random_actions`.
SEEDS, CHANCES, CHOICES = range(3)
NUM_GENERATORS = 3

Seeds = npt.NDArray[np.uint64]
Generators = Annotated[npt.NDArray[np.uint64], Elements(axes=2)]
Mask = npt.NDArray[np.int8]
Masks = Annotated[Mask, Elements(axes=2)]
Vectors = Annotated[Vector, Elements(axes=2)]
Rewards = npt.NDArray[np.float32]
RewardsOfAll = Annotated[Rewards, Elements(axes=2)]
Flags = npt.NDArray[np.bool_]


@rule
def play_chance(state: Batch, rng: Rng) -> Player:
    """Draw what is due, until a player is to act or the game is over; return who."""
    actor = to_act(state)
    while actor == CHANCE:
        apply(state, CHANCE, sample_chance(state, rng))
        actor = to_act(state)
    return actor


@rule
def draw_seed(slot: int, seeds: Seeds, generators: Generators, rng: Rng) -> None:
    rng[0] = generators[slot, SEEDS]
    seeds[slot] = next_random(rng)
    generators[slot, SEEDS] = rng[0]


@rule
def start_game(
    start: Batch, states: Batch, slot: int, seeds: Seeds, generators: Generators, rng: Rng
) -> Player:
    """A new game in a slot, from the seed in `seeds`."""
    states[slot] = start[0]
    rng[0] = seeds[slot]
    generators[slot, CHOICES] = next_random(rng)
    rng[0] = seeds[slot]
    actor = play_chance(states[slot], rng)
    generators[slot, CHANCES] = rng[0]
    return actor


@rule
def write_mask(legal: IntArray, count: int, is_new: bool, span: IntArray, mask: Mask) -> None:
    """Mark the legal actions, none when the game is over. `span` says between which ids the mask was marked before, so that
    the rest of a long mask need not be touched."""
    if is_new:
        mask[:] = 0
    else:
        mask[span[0] : span[1]] = 0
    for k in range(count):
        mask[legal[k]] = 1
    span[0] = legal[0] if count > 0 else 0
    span[1] = legal[count - 1] + 1 if count > 0 else 0


@rule
def see(state: Batch, seat: Player, is_new: bool, detail: int, vector: Vector) -> None:
    """Write what a seat sees; when the game is over, what a spectator sees. Unless it is new,
    `vector` holds what was seen in this game before."""
    if detail == COMPACT:
        observe_compact(state, seat, vector)
    elif is_new:
        observe(state, seat, vector)
    else:
        observe_again(state, seat, vector)


@rule
def any_of(legal: IntArray, count: int, rng: Rng) -> Action:
    """One of the legal actions at random."""
    return int(legal[random_below(rng, count)]) if count > 0 else ANY_ACTION


@rule
def reward_places(places: IntArray, rewards: Rewards) -> None:
    """The mean over the others of 1 for each who is behind and -1 for each who is ahead: the rewards of a game add up to 0."""
    players = len(places)
    for player in range(players):
        balance = 0
        for other in range(players):
            balance += int(places[other] > places[player]) - int(places[other] < places[player])
        rewards[player] = balance / (players - 1) if players > 1 else 0.0


@rule
def reward_scores(state: Batch, now: IntArray, rewards: Rewards) -> None:
    """What each player's score has grown by; `now` is brought up to date."""
    for player in range(len(now)):
        rewards[player] = -now[player]
    scores(state, now)
    for player in range(len(now)):
        rewards[player] += np.float32(now[player])


@rule
def pay(
    state: Batch,
    is_over: bool,
    kind: int,
    standing: IntArray,
    rewards: Rewards,
    final_scores: IntArray,
    final_places: IntArray,
) -> None:
    """What the last action was worth to each player. The arrays are those of one slot."""
    if kind == BY_SCORE:
        reward_scores(state, standing, rewards)
    if is_over:
        scores(state, final_scores)
        placements(state, final_places)
        if kind == BY_PLACE:
            reward_places(final_places, rewards)


@entry(loops=True)
def step_slots(
    start: Batch, states: Batch, first: int, last: int, seeds: Seeds, generators: Generators, seats: IntArray,
    standing: IntTable, masks: Masks, spans: IntTable, vectors: Vectors, random_actions: IntArray, legal: IntArray,
    rng: Rng, actions: IntArray, rewards: RewardsOfAll, terminated: Flags, final_scores: IntTable,
    final_places: IntTable, after_the_end: int, reward_kind: int, detail: int,
) -> None:  # fmt: skip
    """One decision in each slot of a slice. Trusts the actions: `first_illegal` has looked at them.

    All that a slot ever needs is in this one door, so that a step is one call for each thread.
    """
    for slot in range(first, last):
        action, seat = actions[slot], seats[slot]
        for player in range(rewards.shape[1]):
            rewards[slot, player] = 0.0
        terminated[slot] = seat == GAME_OVER and after_the_end == STAY and action != NEW_GAME
        if action == HOLD or terminated[slot]:
            continue
        is_new = action == NEW_GAME
        if seat == GAME_OVER and action >= 0:
            draw_seed(slot, seeds, generators, rng)
            is_new = True
        elif action >= 0:
            rng[0] = generators[slot, CHANCES]
            apply(states[slot], seat, action)
            seats[slot] = play_chance(states[slot], rng)
            generators[slot, CHANCES] = rng[0]
            terminated[slot] = seats[slot] == GAME_OVER
            pay(
                states[slot],
                terminated[slot],
                reward_kind,
                standing[slot],
                rewards[slot],
                final_scores[slot],
                final_places[slot],
            )
            if terminated[slot] and after_the_end == SAME_STEP:
                draw_seed(slot, seeds, generators, rng)
                is_new = True
        if is_new:
            seats[slot] = start_game(start, states, slot, seeds, generators, rng)
            scores(states[slot], standing[slot])
        is_new = is_new or action == LOOK
        see(states[slot], seats[slot], is_new, detail, vectors[slot])
        count = legal_actions(states[slot], seats[slot], legal) if seats[slot] >= 0 else 0
        write_mask(legal, count, is_new, spans[slot], masks[slot])
        rng[0] = generators[slot, CHOICES]
        random_actions[slot] = any_of(legal, count, rng)
        generators[slot, CHOICES] = rng[0]


@entry
def seed_slots(generators: Generators, rng: Rng) -> None:
    """Give every slot a generator of seeds of its own."""
    for slot in range(len(generators)):
        generators[slot, SEEDS] = next_random(rng)


@entry
def draw_seeds(seeds: Seeds, generators: Generators, rng: Rng) -> None:
    """The seed of the next game in every slot."""
    for slot in range(len(seeds)):
        draw_seed(slot, seeds, generators, rng)


@entry
def observe_at(states: Batch, slot: int, seat: Player, out: Vector) -> None:
    observe(states[slot], seat, out)


@entry
def compact_at(states: Batch, slot: int, seat: Player, out: Vector) -> None:
    observe_compact(states[slot], seat, out)


@entry
def first_illegal(actions: IntArray, seats: IntArray, masks: Masks) -> int:
    """The first slot whose action is not legal, or -1. A slot whose game is over takes any."""
    for slot in range(len(actions)):
        action = actions[slot]
        if action == HOLD or seats[slot] == GAME_OVER:
            continue
        if action < 0 or action >= masks.shape[1] or masks[slot, action] == 0:
            return slot
    return -1


@rule
def is_listed(legal: IntArray, count: int, action: Action) -> bool:
    """Whether an action is among the first so many of an ascending list."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if legal[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < count and legal[low] == action


@entry(loops=True)
def observe_game(
    states: Batch,
    actors: IntArray,
    actions: IntArray,
    legal: IntArray,
    first_row: int,
    masks: Masks,
    vectors: Vectors,
) -> int:
    """Play a game of a file again in `states[0]`; before each decision of a player, write what that
    player saw and might do, from `first_row` on.

    Nothing is taken on trust: returns the number of the first entry that is not legal, or of
    entries if all are.
    """
    row = first_row
    for ply in range(len(actors)):
        actor = int(actors[ply])
        if actor != CHANCE and (actor < 0 or actor >= states[0].num_players):
            return ply
        if not may_act(states[0], actor):
            return ply
        count = legal_actions(states[0], actor, legal)
        if not is_listed(legal, count, actions[ply]):
            return ply
        if actor != CHANCE:
            if row >= len(masks):
                return ply
            observe(states[0], actor, vectors[row])
            masks[row, :] = 0
            for k in range(count):
                masks[row, legal[k]] = 1
            row += 1
        apply(states[0], actor, int(actions[ply]))
    return len(actors)
