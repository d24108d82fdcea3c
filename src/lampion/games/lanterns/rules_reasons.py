"""Why something may not be done in Lanterns: L6 to L9 and L14. What a rule forbids and what a
refusal says come from here alone.

A reason is a number, ALLOWED if there is none; `REASONS` gives its rule and its key in the message
catalogs.
"""

from lampion.core.compile import rule
from lampion.core.types import NO_PLAYER, Player
from lampion.games.lanterns.components import Color
from lampion.games.lanterns.rules_cards import lanterns_due
from lampion.games.lanterns.state import DEDICATE_STEP, EXCHANGE_STEP, State

REASONS = (
    ("", ""),
    ("L14", "final-round"),
    ("L14", "pass-too-early"),
    ("L8", "too-many-cards"),
    ("L8", "no-discard-needed"),
    ("L6", "step-is-past"),
    ("L6", "too-few-favors"),
    ("L6", "no-such-card"),
    ("L6", "same-color"),
    ("L6", "pile-is-empty"),
    ("L7", "step-is-past"),
    ("L7", "set-not-held"),
    ("L8", "no-such-card"),
    ("L9", "not-in-hand"),
    ("L13", "tile-already-seen"),
)
(
    ALLOWED,
    ALL_PLACED,
    TILES_LEFT,
    OVER_LIMIT,
    WITHIN_LIMIT,
    EXCHANGE_PAST,
    TOO_FEW_FAVORS,
    NO_CARD_TO_GIVE,
    SAME_COLOR,
    PILE_IS_EMPTY,
    DEDICATION_PAST,
    SET_NOT_HELD,
    NO_CARD_TO_DISCARD,
    NOT_IN_HAND,
    TILE_SEEN,
) = range(len(REASONS))


@rule(inline=True)
def is_final_round(state: State) -> bool:
    """L14: every tile has been placed."""
    return state.drawer == NO_PLAYER and state.hand_size[state.active] == 0


@rule(inline=True)
def is_over_limit(state: State, player: Player) -> bool:
    """L8: more cards than allowed before placing; there is no limit in the final round."""
    return state.num_lanterns[player] > state.card_limit and not is_final_round(state)


@rule(inline=True)
def has_card(state: State, player: Player, color: Color) -> bool:
    return state.lanterns[player, color] > 0


@rule
def why_not_pass(state: State) -> int:
    """L14."""
    return ALLOWED if is_final_round(state) else TILES_LEFT


@rule
def why_not_exchange(state: State, player: Player) -> int:
    """L6: the first step of a turn, for two favors."""
    if state.step > EXCHANGE_STEP:
        return EXCHANGE_PAST
    return ALLOWED if state.favors[player] >= state.exchange_cost else TOO_FEW_FAVORS


@rule(inline=True)
def why_not_swap(state: State, player: Player, give: Color, take: Color) -> int:
    """L6: one card for one of another color that the supply has (L12)."""
    if not has_card(state, player, give):
        return NO_CARD_TO_GIVE
    if give == take:
        return SAME_COLOR
    return ALLOWED if lanterns_due(state, take) > 0 else PILE_IS_EMPTY


@rule
def why_not_dedicate(state: State) -> int:
    """L7: once, before the tile."""
    return ALLOWED if state.step <= DEDICATE_STEP else DEDICATION_PAST


@rule
def why_not_discard(state: State, player: Player) -> int:
    """L8."""
    return ALLOWED if is_over_limit(state, player) else WITHIN_LIMIT


@rule
def why_not_place(state: State, player: Player) -> int:
    """L9, with the limit (L8) and the end (L14)."""
    if is_final_round(state):
        return ALL_PLACED
    return OVER_LIMIT if is_over_limit(state, player) else ALLOWED
