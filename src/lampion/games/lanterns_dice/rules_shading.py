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
    CardAction,
    Color,
    Colors,
    Half,
    Pool,
)
from lampion.games.lanterns_dice.state import (
    ALL_POOLS,
    AREA_SHADED,
    BOAT_LOST,
    BONUS_DUE,
    DIE_STEP,
    GIFT_EARNED,
    NEIGHBORS,
    NO_POOL,
    POOL_BIT,
    POOL_COMPLETED,
    POOL_OF_REMAINDER,
    SECOND_AREA_STEP,
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


@rule
def list_areas(
    state: State, player: Player, colors: Colors, within: PoolSet, out: IntArray, n: int
) -> int:
    for half in range(NUM_HALVES):
        n = list_pools(
            open_areas(state, player, half, colors) & within, SHADE + area_of(half, 0), out, n
        )
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


@rule(inline=True)
def is_bonus_due(state: State, player: Player) -> bool:
    return state.bonus_pool[player] != NO_POOL
