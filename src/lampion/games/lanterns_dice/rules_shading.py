"""Shading in Lanterns Dice: which areas may be shaded (D7-D9), and what
shading one brings (D12, D13)."""

from lampion.core.bits import BIT_MODULUS
from lampion.core.compile import rule
from lampion.core.trail import note
from lampion.core.types import Action, IntArray, Player
from lampion.games.lanterns_dice.actions import SHADE, area_of
from lampion.games.lanterns_dice.components import (
    ANY_COLOR,
    ANY_DIE,
    COLOR_NOT_SHOWN,
    DIAGONAL,
    DIAGONAL_DIE,
    LOWER,
    NUM_COLORS,
    NUM_DICE,
    NUM_HALVES,
    OWN_DIE,
    UPPER,
    WHOLE_POOL,
    CardAction,
    Color,
    Colors,
    Half,
    Pool,
)
from lampion.games.lanterns_dice.rules_reasons import (
    ALLOWED,
    ALREADY_SHADED,
    BOTH_AREAS,
    CARD_FIRST,
    NOT_ADJACENT,
    NOT_COLOR_OF_CARD,
    NOT_COLOR_OF_DIE,
    NOT_COLOR_OF_TURN,
    NOT_WHOLE_POOL,
    ONLY_LAUNCH,
    POOL_NOT_EMPTY,
    TRAY_NOT_TURNED,
)
from lampion.games.lanterns_dice.state import (
    ALL_POOLS,
    AREA_SHADED,
    BOAT_LOST,
    BONUS_DUE,
    CARD_AREA_STEP,
    CARD_STEP,
    DIE_STEP,
    GIFT_EARNED,
    LAUNCH_STEP,
    NEIGHBORS,
    NO_POOL,
    PLATFORM_BONUS,
    POOL_BIT,
    POOL_COMPLETED,
    POOL_OF_REMAINDER,
    SECOND_AREA_STEP,
    TRAY_STEP,
    TURN_BONUS_STEP,
    PoolSet,
    State,
)

# --- sets of pools --------------------------------------------------------------------------------


@rule
def list_pools(pools: PoolSet, first: Action, out: IntArray, n: int) -> int:
    """Write `first + pool` for all pools of a set, ascending."""
    while pools != 0:
        lowest = pools & -pools
        out[n] = first + POOL_OF_REMAINDER[lowest % BIT_MODULUS]
        n += 1
        pools ^= lowest
    return n


@rule(inline=True)
def completed_pools(state: State, player: Player) -> PoolSet:
    return state.shaded[player, UPPER] & state.shaded[player, LOWER]


@rule(inline=True)
def empty_pools(state: State, player: Player) -> PoolSet:
    """Pools with no shaded area."""
    return ALL_POOLS & ~(state.shaded[player, UPPER] | state.shaded[player, LOWER])


@rule
def open_areas(state: State, player: Player, half: Half, colors: Colors) -> PoolSet:
    """The unshaded areas in one half that have one of these colors."""
    sheet = state.sheets[player]
    areas = 0
    for color in range(NUM_COLORS):
        if colors >> color & 1:
            areas |= state.color_areas[sheet, color, half]
    return areas & ~state.shaded[player, half]


@rule
def has_open_area(state: State, player: Player, colors: Colors) -> bool:
    return (
        open_areas(state, player, UPPER, colors) | open_areas(state, player, LOWER, colors)
    ) != 0


@rule
def color_of(state: State, player: Player, half: Half, pool: Pool) -> Color:
    color = 0
    while not state.color_areas[state.sheets[player], color, half] & POOL_BIT[pool]:
        color += 1
    return color


# --- colors --------------------------------------------------------------------------------------


@rule(inline=True)
def die_faced(state: State, player: Player, tray: int, further: int) -> int:
    """D4: which die of the tray the player faces, or one further on."""
    return (state.tray_seats[player] + tray + further) % NUM_DICE


@rule
def die_color(state: State, player: Player, further: int) -> Color:
    """D4: the color of the die that the player faces, or of one further on."""
    return state.dice[die_faced(state, player, state.tray, further)]


@rule
def colors_shown(state: State) -> Colors:
    shown = 0
    for die in range(NUM_DICE):
        shown |= 1 << state.dice[die]
    return shown


@rule
def card_colors(state: State, player: Player, action: CardAction) -> Colors:
    """D9: the colors that an action of the emperor allows."""
    if action == OWN_DIE:
        return 1 << die_color(state, player, 0)
    if action == DIAGONAL_DIE:
        return 1 << die_color(state, player, DIAGONAL)
    if action == COLOR_NOT_SHOWN:
        return ANY_COLOR & ~colors_shown(state)
    if action == ANY_DIE:
        return colors_shown(state)
    return ANY_COLOR


@rule(inline=True)
def bought_action(state: State, player: Player) -> CardAction:
    card = state.bought[player]
    return state.card_actions[card, state.card_sides[card]]


@rule
def colors_due(state: State, player: Player) -> Colors:
    """The colors that the player's step allows."""
    step = state.step[player]
    if step == DIE_STEP:
        return 1 << die_color(state, player, 0)
    if step == TURN_BONUS_STEP:
        return 1 << int(state.turn_bonuses[state.sheets[player], state.turn])
    if step == SECOND_AREA_STEP:
        return 1 << state.second_color[player]
    return card_colors(state, player, bought_action(state, player))


# --- what may be shaded now -----------------------------------------------------------------------


@rule(inline=True)
def is_bonus_due(state: State, player: Player) -> bool:
    return state.bonus_pool[player] != NO_POOL


@rule(inline=True)
def choice_due(state: State, player: Player) -> int:
    """What the player is to choose now: PLATFORM_BONUS comes before the step (D12)."""
    return PLATFORM_BONUS if is_bonus_due(state, player) else state.step[player]


@rule(inline=True)
def is_whole_pool_due(state: State, player: Player) -> bool:
    """D9: both areas of a pool at once."""
    return (
        choice_due(state, player) == CARD_AREA_STEP and bought_action(state, player) == WHOLE_POOL
    )


@rule
def why_not_shade(state: State, player: Player) -> int:
    """D6, D9, D10: whether the player is to shade single areas now."""
    choice = choice_due(state, player)
    if choice == TRAY_STEP:
        return TRAY_NOT_TURNED
    if choice == CARD_STEP:
        return CARD_FIRST
    if choice == LAUNCH_STEP:
        return ONLY_LAUNCH
    return BOTH_AREAS if is_whole_pool_due(state, player) else ALLOWED


@rule
def areas_due(state: State, player: Player, half: Half) -> PoolSet:
    """D7-D9: the areas in one half that the player may shade; D12: for a bonus those of adjacent
    pools."""
    if is_bonus_due(state, player):
        return open_areas(state, player, half, ANY_COLOR) & NEIGHBORS[state.bonus_pool[player]]
    return open_areas(state, player, half, colors_due(state, player))


@rule
def why_not_area(state: State, player: Player, half: Half, pool: Pool) -> int:
    """D7-D9, D12: whether the area is one of those that the player may shade."""
    if areas_due(state, player, half) & POOL_BIT[pool] != 0:
        return ALLOWED
    if state.shaded[player, half] & POOL_BIT[pool] != 0:
        return ALREADY_SHADED
    choice = choice_due(state, player)
    if choice == PLATFORM_BONUS:
        return NOT_ADJACENT
    if choice == DIE_STEP:
        return NOT_COLOR_OF_DIE
    return NOT_COLOR_OF_TURN if choice == TURN_BONUS_STEP else NOT_COLOR_OF_CARD


@rule
def why_not_shade_pool(state: State, player: Player) -> int:
    """D9: whether the player is to shade a whole pool now."""
    return ALLOWED if is_whole_pool_due(state, player) else NOT_WHOLE_POOL


@rule
def why_not_pool(state: State, player: Player, pool: Pool) -> int:
    """D9: a whole pool has no shaded area."""
    return ALLOWED if empty_pools(state, player) & POOL_BIT[pool] != 0 else POOL_NOT_EMPTY


@rule
def list_areas(state: State, player: Player, out: IntArray, n: int) -> int:
    for half in range(NUM_HALVES):
        n = list_pools(areas_due(state, player, half), SHADE + area_of(half, 0), out, n)
    return n


# --- shading --------------------------------------------------------------------------------------


@rule
def shade(state: State, player: Player, half: Half, pool: Pool, why: int) -> None:
    """Shade one area. D12: a pavilion in it gives a gift, a platform in the pool that it completes
    gives a bonus. D13: boats."""
    sheet, bit = state.sheets[player], POOL_BIT[pool]
    is_boat_lost = (state.boats[sheet] & empty_pools(state, player) & bit) != 0
    state.shaded[player, half] |= bit
    color = color_of(state, player, half, pool)
    note(state, AREA_SHADED, player, color, area_of(half, pool), why, 1)
    if is_boat_lost:
        note(state, BOAT_LOST, player, 0, pool, 0, 1)
    if state.pavilions[sheet, half] & bit:
        state.gifts[player] += 1
        note(state, GIFT_EARNED, player, state.gifts[player], pool, 0, 1)
    if completed_pools(state, player) & bit:
        note(state, POOL_COMPLETED, player, 0, pool, 0, 1)
        if state.platforms[sheet] & bit:
            offer_platform_bonus(state, player, pool)


@rule
def offer_platform_bonus(state: State, player: Player, pool: Pool) -> None:
    """D12: one area of any color in an adjacent pool; D14: if there is one."""
    if NEIGHBORS[pool] & ~completed_pools(state, player):
        state.bonus_pool[player] = pool
        note(state, BONUS_DUE, player, 0, pool, 0, 1)
    else:
        note(state, BONUS_DUE, player, 0, pool, 0, 0)
