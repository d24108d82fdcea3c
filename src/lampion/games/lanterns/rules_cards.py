"""Lantern cards, favors and honor in Lanterns: L6, L7, L8, and what an empty pile means (L12)."""

from lampion.core.compile import rule
from lampion.core.trail import note
from lampion.core.types import Action, Player
from lampion.games.lanterns.actions import (
    DEDICATE_FOUR,
    DEDICATE_PAIRS,
    TRIPLES,
    dedicated_stack,
)
from lampion.games.lanterns.components import (
    CARDS_FOUR,
    CARDS_PAIR,
    FOUR_OF_A_KIND,
    NUM_COLORS,
    THREE_PAIRS,
    Color,
    Side,
    Stack,
)
from lampion.games.lanterns.state import (
    DEDICATE_GIVE,
    DEDICATE_STEP,
    DEDICATED,
    DISCARDED,
    EXCHANGE_COST,
    EXCHANGE_GIVE,
    EXCHANGE_TAKE,
    PLACE_STEP,
    PLATFORM,
    State,
)


@rule(inline=True)
def lanterns_due(state: State, color: Color) -> int:
    """L12: an empty pile gives nothing: no substitute, no debt."""
    return 1 if state.supply[color] > 0 else 0


@rule
def take_lantern(state: State, player: Player, color: Color) -> int:
    """A card from the supply, if there is one (L12); return how many."""
    count = lanterns_due(state, color)
    state.supply[color] -= count
    state.lanterns[player, color] += count
    state.num_lanterns[player] += count
    return count


@rule
def gain_lantern(state: State, player: Player, color: Color, side: Side, cause: int) -> None:
    """L10, L11."""
    note(state, cause, player, color, side, 0, take_lantern(state, player, color))


@rule
def return_lanterns(
    state: State, player: Player, color: Color, count: int, cause: int, stack: Stack
) -> None:
    state.lanterns[player, color] -= count
    state.num_lanterns[player] -= count
    state.supply[color] += count
    note(state, cause, player, color, stack, 0, count)


@rule
def exchange(state: State, player: Player, give: Color, take: Color) -> None:
    """L6."""
    state.favors[player] -= state.exchange_cost
    note(state, EXCHANGE_COST, player, 0, 0, 0, state.exchange_cost)
    return_lanterns(state, player, give, 1, EXCHANGE_GIVE, 0)
    gain_lantern(state, player, take, 0, EXCHANGE_TAKE)
    state.step = DEDICATE_STEP


@rule
def has_token(state: State, stack: Stack) -> bool:
    return state.tokens_taken[stack] < state.stack_size[stack]


@rule
def token_pays(state: State, stack: Stack, place: int) -> int:
    """L7: a token of the stack, counted from the top as it was set up; below the last the stack
    keeps paying."""
    if place < state.stack_size[stack]:
        return int(state.stack_honor[stack, place])
    return state.generic_honor


@rule
def stack_pays(state: State, stack: Stack) -> int:
    """L7: the top token of the stack."""
    return token_pays(state, stack, state.tokens_taken[stack])


@rule
def take_token(state: State, player: Player, stack: Stack) -> None:
    """L7."""
    honor, is_token = stack_pays(state, stack), has_token(state, stack)
    state.tokens_taken[stack] += is_token
    state.honor[player] += honor
    state.step = PLACE_STEP
    note(state, DEDICATED, player, is_token, stack, 0, honor)


@rule
def dedicate(state: State, player: Player, action: Action) -> None:
    """L7: return one set, take a token."""
    stack = dedicated_stack(action)
    if stack == FOUR_OF_A_KIND:
        give_back(state, player, action - DEDICATE_FOUR, CARDS_FOUR, stack)
    elif stack == THREE_PAIRS:
        for color in TRIPLES[action - DEDICATE_PAIRS]:
            give_back(state, player, color, CARDS_PAIR, stack)
    else:
        for color in range(NUM_COLORS):
            give_back(state, player, color, 1, stack)
    take_token(state, player, stack)


@rule
def give_back(state: State, player: Player, color: Color, count: int, stack: Stack) -> None:
    return_lanterns(state, player, color, count, DEDICATE_GIVE, stack)


@rule
def discard(state: State, player: Player, color: Color) -> None:
    """L8: discarding closes the exchange and the dedication."""
    return_lanterns(state, player, color, 1, DISCARDED, 0)
    state.step = PLACE_STEP


@rule
def gain_favor(state: State, player: Player, side: Side) -> None:
    """L10: favors are unlimited, and due even if no card was."""
    state.favors[player] += 1
    note(state, PLATFORM, player, 0, side, 0, 1)
