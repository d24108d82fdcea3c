"""The rules of Lanterns Dice, D1 to D18: plain functions on the state,
compiled when speed is wanted.

    deal (D1, D2) -> turns: roll (D5), tray (D6), shading (D7, D8), emperor (D9), launch (D10) -> last launches (D16) -> score (D17)

Chance is in `rules_chance`, the steps of a turn in `rules_turn`, shading in `rules_shading`, tiles
in `rules_fireworks`, scoring in `rules_scoring`. From the turn of the tray to the end of the turn
everybody who has not finished may act (D11).
"""

from lampion.core.compile import rule
from lampion.core.trail import clear_trail
from lampion.core.types import CHANCE, GAME_OVER, Action, IntArray, Player, Rng
from lampion.games.lanterns_dice.actions import (
    CARD,
    DEAL_SHEETS,
    LAUNCH,
    REROLL,
    SHADE,
    SHADE_POOL,
    SKIP,
    TRAY,
    half_of,
    pool_of,
)
from lampion.games.lanterns_dice.components import NUM_DICE
from lampion.games.lanterns_dice.rules_chance import (
    apply_outcome,
    chance_weights,
    list_outcomes,
    sample_chance,
)
from lampion.games.lanterns_dice.rules_fireworks import list_launches
from lampion.games.lanterns_dice.rules_reasons import ALLOWED
from lampion.games.lanterns_dice.rules_scoring import placements, scores
from lampion.games.lanterns_dice.rules_shading import (
    empty_pools,
    list_areas,
    list_pools,
    why_not_shade,
    why_not_shade_pool,
)
from lampion.games.lanterns_dice.rules_turn import (
    buy_card,
    end_what_is_done,
    launch_tile,
    list_cards,
    reroll,
    shade_one,
    shade_pool,
    skip,
    turn_tray,
    why_not_buy,
    why_not_launch,
    why_not_pay_to_roll,
    why_not_skip,
)
from lampion.games.lanterns_dice.state import DONE, NOTHING, State

__all__ = [
    "apply", "chance_weights", "determinize", "legal_actions", "may_act", "placements", "sample_chance", "scores", "to_act",
]  # fmt: skip


# --- who is to act --------------------------------------------------------------------------------


@rule
def to_act(state: State) -> Player:
    """D11: where several may act, the active player first, then clockwise."""
    if state.is_over:
        return GAME_OVER
    if state.chance_owes != NOTHING:
        return CHANCE
    player = state.active
    while state.step[player] == DONE:
        player = player + 1 if player + 1 < state.num_players else 0
    return player


@rule
def may_act(state: State, player: Player) -> bool:
    """D11: everybody who has something to choose."""
    if state.chance_owes != NOTHING:
        return player == CHANCE
    return 0 <= player < state.num_players and state.step[player] != DONE


# --- legal actions --------------------------------------------------------------------------------


@rule
def list_tray(state: State, player: Player, out: IntArray, n: int) -> int:
    """D6: roll again, as long as there are gifts, or turn the tray: always all four ways."""
    if why_not_pay_to_roll(state, player) == ALLOWED:
        out[n] = REROLL
        n += 1
    for quarters in range(NUM_DICE):
        out[n + quarters] = TRAY + quarters
    return n + NUM_DICE


@rule
def legal_actions(state: State, player: Player, out: IntArray) -> int:
    if player == CHANCE:
        return list_outcomes(state, out)
    n = 0
    if why_not_skip(state, player) == ALLOWED:
        out[n] = SKIP
        n += 1
    if why_not_shade(state, player) == ALLOWED:
        return list_areas(state, player, out, n)
    if why_not_shade_pool(state, player) == ALLOWED:
        return list_pools(empty_pools(state, player), SHADE_POOL, out, n)
    if why_not_buy(state, player) == ALLOWED:
        return list_cards(state, player, out, n)
    if why_not_launch(state, player) == ALLOWED:
        return list_launches(state, player, out, n)
    return list_tray(state, player, out, n)


# --- actions --------------------------------------------------------------------------------------


@rule
def apply(state: State, player: Player, action: Action) -> None:
    clear_trail(state)
    if action >= DEAL_SHEETS:
        apply_outcome(state, action)
    elif action >= LAUNCH:
        launch_tile(state, player, action - LAUNCH)
    elif action >= CARD:
        buy_card(state, player, action - CARD)
    elif action >= SHADE_POOL:
        shade_pool(state, player, action - SHADE_POOL)
    elif action >= SHADE:
        shade_one(state, player, half_of(action - SHADE), pool_of(action - SHADE))
    elif action >= TRAY:
        turn_tray(state, player, action - TRAY)
    elif action == REROLL:
        reroll(state, player)
    else:
        skip(state, player)
    end_what_is_done(state)


# --- what a seat cannot see -----------------------------------------------------------------------


@rule
def determinize(seen: State, seat: Player, rng: Rng) -> None:
    """Everything on the table is public, and future rolls are nowhere in the state:
    there is nothing to guess."""
