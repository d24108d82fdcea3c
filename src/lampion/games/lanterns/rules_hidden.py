"""What a seat in Lanterns cannot see, guessed: the other hands, unless they are public."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lampion.core.compile import rule
from lampion.core.record import HIDDEN
from lampion.core.rng import random_below
from lampion.core.types import Player, Rng
from lampion.games.lanterns.components import NUM_TILES
from lampion.games.lanterns.rules_lake import tile_of
from lampion.games.lanterns.state import (
    NO_TILE,
    State,
)

Flags: TypeAlias = npt.NDArray[np.bool_]


@rule
def determinize(seen: State, seat: Player, rng: Rng) -> None:
    """Deal the tiles that this seat has not seen to the hands that it does not see; the rest is
    unseen.

    Every such deal is equally likely.
    """
    is_known = np.zeros(NUM_TILES, np.bool_)
    for k in range(seen.num_laid):
        is_known[tile_of(seen.laid[k])] = True
    for player in range(seen.hand.shape[0]):
        if seen.hand[player, 0] != HIDDEN:
            mark_hand(seen, player, is_known)
    n = 0
    for tile in range(NUM_TILES):
        if not is_known[tile]:
            seen.unseen[n] = tile
            n += 1
    for player in range(seen.hand.shape[0]):
        if seen.hand[player, 0] == HIDDEN:
            n = deal_guess(seen, player, n, rng)
    seen.unseen[n:] = NO_TILE


@rule
def mark_hand(seen: State, player: Player, is_known: Flags) -> None:
    for slot in range(seen.hand.shape[1]):
        if seen.hand[player, slot] != NO_TILE:
            is_known[seen.hand[player, slot]] = True


@rule
def deal_guess(seen: State, player: Player, num_left: int, rng: Rng) -> int:
    """Give a player a random hand from the first `num_left` unseen tiles;
    return how many are left."""
    for slot in range(seen.hand.shape[1]):
        seen.hand[player, slot] = NO_TILE
        if slot < seen.hand_size[player]:
            k = random_below(rng, num_left)
            num_left -= 1
            seen.hand[player, slot] = seen.unseen[k]
            seen.unseen[k] = seen.unseen[num_left]
    return num_left
