"""What a seat in Lumens cannot see, guessed: the other hands, and the faces that others have chosen
for their start tokens."""

from lampion.core.compile import rule
from lampion.core.rng import random_below
from lampion.core.types import Player, Rng
from lampion.games.lumens.components import MAX_PLAYERS, NO_FACE, NUM_SIDES, Kind
from lampion.games.lumens.state import CHOOSE_PHASE, NO_KIND, State


@rule
def random_unshown(state: State, player: Player, rng: Rng) -> Kind:
    """One of the tokens that a player has not shown, each equally likely."""
    left = random_below(rng, state.num_unshown[player])
    kind = 0
    while left >= state.unshown[player, kind]:
        left -= state.unshown[player, kind]
        kind += 1
    return kind


@rule
def determinize(seen: State, seat: Player, rng: Rng) -> None:
    """Any token that a player has not shown is equally likely to be the one in hand. Of
    a start token that is chosen but not shown either face is: what a player prefers is
    not for the rules to know."""
    for player in range(MAX_PLAYERS):
        if player == seat:
            continue
        seen.hand[player] = (
            random_unshown(seen, player, rng) if seen.hand_size[player] > 0 else NO_KIND
        )
        seen.start_face[player] = NO_FACE
        if seen.phase == CHOOSE_PHASE and seen.has_chosen[player]:
            seen.start_face[player] = seen.kind_faces[
                seen.hand[player], random_below(rng, NUM_SIDES)
            ]
