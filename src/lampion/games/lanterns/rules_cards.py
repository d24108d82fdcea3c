"""Lantern cards, favours and honour in Lanterns: L6, L7, L8, and what an empty pile means (L12)."""

from lampion.core.compile import rule
from lampion.core.trail import note
from lampion.core.types import Action, Player
from lampion.games.lanterns.actions import (
    DEDICATE_FOUR,
    DEDICATE_PAIRS,
    DEDICATE_SEVEN,
    TRIPLES,
)
from lampion.games.lanterns.components import (
    CARDS_FOUR,
    CARDS_PAIR,
    FOUR_OF_A_KIND,
    NUM_COLORS,
    SEVEN_UNIQUE,
    THREE_PAIRS,
    Color,
    Side,
    Stack,
)
from lampion.games.lanterns.state import (
    DEDICATE_STEP,
    DEDICATED,
    DISCARDED,
    EXCHANGED,
    MATCH_FAVOR,
    NO_LANTERN,
    PLACE_STEP,
    State,
)


@rule
def gain_lantern(state: State, player: Player, color: Color, side: Side, kind: int) -> None:
    """L12: an empty pile gives nothing: no substitute, no debt."""
    if state.supply[color] > 0:
        state.supply[color] -= 1
        state.lanterns[player, color] += 1
        state.num_lanterns[player] += 1
        note(state, kind, player, color, side)
    else:
        note(state, NO_LANTERN, player, color, side)


@rule
def return_lanterns(state: State, player: Player, color: Color, count: int) -> None:
    state.lanterns[player, color] -= count
    state.num_lanterns[player] -= count
    state.supply[color] += count


@rule
def exchange(state: State, player: Player, give: Color, take: Color) -> None:
    """L6."""
    state.favors[player] -= state.exchange_cost
    return_lanterns(state, player, give, 1)
    state.supply[take] -= 1
    state.lanterns[player, take] += 1
    state.num_lanterns[player] += 1
    state.step = DEDICATE_STEP
    note(state, EXCHANGED, player, give, take)


@rule
def take_token(state: State, player: Player, stack: Stack) -> None:
    """L7: the top token of the stack; an empty stack keeps paying."""
    taken = state.tokens_taken[stack]
    honor = state.generic_honor
    if taken < state.stack_size[stack]:
        honor = int(state.stack_honor[stack, taken])
        state.tokens_taken[stack] += 1
    state.honor[player] += honor
    state.step = PLACE_STEP
    note(state, DEDICATED, player, stack, honor)


@rule
def dedicate(state: State, player: Player, action: Action) -> None:
    """L7: return one set, take a token."""
    if action < DEDICATE_PAIRS:
        return_lanterns(state, player, action - DEDICATE_FOUR, CARDS_FOUR)
        take_token(state, player, FOUR_OF_A_KIND)
    elif action < DEDICATE_SEVEN:
        for color in TRIPLES[action - DEDICATE_PAIRS]:
            return_lanterns(state, player, color, CARDS_PAIR)
        take_token(state, player, THREE_PAIRS)
    else:
        for color in range(NUM_COLORS):
            return_lanterns(state, player, color, 1)
        take_token(state, player, SEVEN_UNIQUE)


@rule
def discard(state: State, player: Player, color: Color) -> None:
    """L8: discarding closes the exchange and the dedication."""
    return_lanterns(state, player, color, 1)
    state.step = PLACE_STEP
    note(state, DISCARDED, player, color, 0)


@rule
def gain_favor(state: State, player: Player, side: Side) -> None:
    """L10: favours are unlimited, and due even if no card was."""
    state.favors[player] += 1
    note(state, MATCH_FAVOR, player, side, 1)
