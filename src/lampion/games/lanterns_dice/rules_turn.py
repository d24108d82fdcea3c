"""A turn of Lanterns Dice: the tray (D6), the steps that each player takes alone (D7-D11, D14), and
the last launches (D16)."""

from lampion.core.compile import rule
from lampion.core.trail import note
from lampion.core.types import CHANCE, IntArray, Player
from lampion.games.lanterns_dice.actions import CARD, Placement
from lampion.games.lanterns_dice.components import (
    LOWER,
    NUM_CARDS,
    TWO_SAME,
    UPPER,
    WHOLE_POOL,
    Card,
    Half,
    Pool,
)
from lampion.games.lanterns_dice.rules_fireworks import can_launch, launch
from lampion.games.lanterns_dice.rules_reasons import (
    ALLOWED,
    CARD_IS_PAID,
    CARD_NOT_NOW,
    LAUNCH_NOT_NOW,
    LAUNCH_OF_ANOTHER,
    NO_AREA_FOR_CARD,
    ONE_CARD_A_TURN,
    TOO_FEW_GIFTS,
    TOO_FEW_GIFTS_TO_ROLL,
    TRAY_IS_TURNED,
    TRAY_NOT_TURNED,
    TRAY_OF_ANOTHER,
)
from lampion.games.lanterns_dice.rules_shading import (
    bought_action,
    card_colors,
    choice_due,
    color_of,
    colors_due,
    empty_pools,
    has_open_area,
    is_bonus_due,
    shade,
)
from lampion.games.lanterns_dice.state import (
    CARD_AREA_STEP,
    CARD_BOUGHT,
    CARD_STEP,
    DIE_STEP,
    DONE,
    GAME_ENDED,
    LAST_LAUNCH,
    LAUNCH_STEP,
    NO_CARD,
    NO_COLOR,
    NO_POOL,
    NOT_TURNED,
    NOTHING,
    PLATFORM_BONUS,
    REROLLED,
    ROLL,
    SECOND_AREA_STEP,
    SKIPPED,
    TRAY_STEP,
    TRAY_TURNED,
    TURN_BONUS_STEP,
    TURN_ENDED,
    State,
)

# --- what a step offers ---------------------------------------------------------------------------


@rule(inline=True)
def takes_step(state: State, player: Player, step: int) -> bool:
    """D6, D8, D10: the player whose turn it is turns the tray, has a turn bonus and may launch."""
    if step in (TRAY_STEP, TURN_BONUS_STEP, LAUNCH_STEP):
        return player == state.active
    return True


@rule(inline=True)
def why_not_skip(state: State, player: Player) -> int:
    """D14, with its two exceptions: the tray (D6), and the first area of a bought card (D9)."""
    choice = choice_due(state, player)
    if choice == TRAY_STEP:
        return TRAY_NOT_TURNED
    return CARD_IS_PAID if choice == CARD_AREA_STEP else ALLOWED


@rule(inline=True)
def why_not_turn(state: State, player: Player) -> int:
    """D6: the tray is turned once, by the active player."""
    if choice_due(state, player) == TRAY_STEP:
        return ALLOWED
    return TRAY_IS_TURNED if takes_step(state, player, TRAY_STEP) else TRAY_OF_ANOTHER


@rule(inline=True)
def why_not_pay_to_roll(state: State, player: Player) -> int:
    """D6: as long as there are gifts."""
    return ALLOWED if state.gifts[player] >= state.reroll_cost else TOO_FEW_GIFTS_TO_ROLL


@rule(inline=True)
def why_not_buy(state: State, player: Player) -> int:
    """D9: one card in a turn, in its step."""
    if choice_due(state, player) == CARD_STEP:
        return ALLOWED
    return CARD_NOT_NOW if state.bought[player] == NO_CARD else ONE_CARD_A_TURN


@rule(inline=True)
def why_not_launch(state: State, player: Player) -> int:
    """D10: the active player, at the end of the turn."""
    if choice_due(state, player) == LAUNCH_STEP:
        return ALLOWED
    return LAUNCH_NOT_NOW if takes_step(state, player, LAUNCH_STEP) else LAUNCH_OF_ANOTHER


@rule
def why_not_card(state: State, player: Player, card: Card) -> int:
    """D9: the player can pay for it, and there is an area for it."""
    if state.gifts[player] < state.card_costs[card]:
        return TOO_FEW_GIFTS
    action = state.card_actions[card, state.card_sides[card]]
    if action == WHOLE_POOL:
        return ALLOWED if empty_pools(state, player) != 0 else NO_AREA_FOR_CARD
    colors = card_colors(state, player, action)
    return ALLOWED if has_open_area(state, player, colors) else NO_AREA_FOR_CARD


@rule(inline=True)
def is_card_offered(state: State, player: Player, card: Card) -> bool:
    return why_not_card(state, player, card) == ALLOWED


@rule
def list_cards(state: State, player: Player, out: IntArray, n: int) -> int:
    for card in range(NUM_CARDS):
        if is_card_offered(state, player, card):
            out[n] = CARD + card
            n += 1
    return n


@rule
def has_card_offered(state: State, player: Player) -> bool:
    card = 0
    while card < NUM_CARDS and not is_card_offered(state, player, card):
        card += 1
    return card < NUM_CARDS


@rule
def has_choice(state: State, player: Player) -> bool:
    """Whether there is anything but `skip` in the player's step. A card is sold only if there is,
    so its area is never missing."""
    step = state.step[player]
    if not takes_step(state, player, step):
        return False
    if step in (DIE_STEP, TURN_BONUS_STEP, SECOND_AREA_STEP):
        return has_open_area(state, player, colors_due(state, player))
    if step == CARD_STEP:
        return has_card_offered(state, player)
    if step == LAUNCH_STEP:
        return can_launch(state, player)
    return True


# --- from step to step ----------------------------------------------------------------------------


@rule
def step_after(state: State, player: Player) -> int:
    """The next step, whether or not it offers anything, if no card is bought."""
    step = state.step[player]
    if step == CARD_STEP or (step == CARD_AREA_STEP and bought_action(state, player) != TWO_SAME):
        return LAUNCH_STEP
    return step + 1


@rule
def settle(state: State, player: Player) -> None:
    """D14: pass without asking every step in which nothing is possible. D12: a bonus is resolved
    before anything else."""
    if not is_bonus_due(state, player):
        while not has_choice(state, player):
            state.step[player] = step_after(state, player)


@rule
def use_up(state: State, player: Player) -> int:
    """Use up what the player may do now, a platform's bonus or else the step; return which."""
    if is_bonus_due(state, player):
        state.bonus_pool[player] = NO_POOL
        return PLATFORM_BONUS
    step = state.step[player]
    state.step[player] = step_after(state, player)
    return step


# --- what players do ------------------------------------------------------------------------------


@rule
def reroll(state: State, player: Player) -> None:
    """D6: all four dice."""
    state.gifts[player] -= state.reroll_cost
    state.chance_owes = ROLL
    note(state, REROLLED, player, 0, 0, 0, state.reroll_cost)


@rule
def turn_tray(state: State, player: Player, quarters: int) -> None:
    """D6: then everybody acts."""
    state.tray = quarters
    note(state, TRAY_TURNED, player, 0, quarters, 0, 1)
    for other in range(state.num_players):
        state.step[other] = DIE_STEP
        settle(state, other)


@rule
def shade_one(state: State, player: Player, half: Half, pool: Pool) -> None:
    """D7-D9, D12."""
    why = use_up(state, player)
    if why == CARD_AREA_STEP and state.step[player] == SECOND_AREA_STEP:
        state.second_color[player] = color_of(state, player, half, pool)
    shade(state, player, half, pool, why)
    settle(state, player)


@rule
def shade_pool(state: State, player: Player, pool: Pool) -> None:
    """D9, whole_pool: both areas; D12: they give one bonus on a platform."""
    why = use_up(state, player)
    shade(state, player, UPPER, pool, why)
    shade(state, player, LOWER, pool, why)
    settle(state, player)


@rule
def buy_card(state: State, player: Player, card: Card) -> None:
    """D9."""
    state.gifts[player] -= state.card_costs[card]
    state.bought[player] = card
    state.step[player] = CARD_AREA_STEP
    note(state, CARD_BOUGHT, player, card, 0, 0, state.card_costs[card])


@rule
def launch_tile(state: State, player: Player, placement: Placement) -> None:
    """D10, D16."""
    state.step[player] = DONE
    launch(state, player, placement)


@rule
def skip(state: State, player: Player) -> None:
    """D14."""
    note(state, SKIPPED, player, 0, use_up(state, player), 0, 0)
    settle(state, player)


# --- the end of a turn ----------------------------------------------------------------------------


@rule
def is_everybody_done(state: State) -> bool:
    """D11."""
    num_busy = 0
    for player in range(state.num_players):
        num_busy += state.step[player] != DONE
    return num_busy == 0 and state.chance_owes == NOTHING


@rule
def end_turn(state: State) -> None:
    """The next player is active; after the last full turn come the last launches (D16)."""
    note(state, TURN_ENDED, state.active, 0, state.turn, 0, 0)
    state.dice[:] = NO_COLOR
    state.tray = NOT_TURNED
    state.bought[:] = NO_CARD
    state.second_color[:] = NO_COLOR
    state.active += 1
    if state.active == state.num_players:
        state.active = 0
        state.turn += 1
    if state.turn < state.num_turns:
        state.chance_owes = ROLL
    else:
        offer_last_launch(state, 0)


@rule
def offer_last_launch(state: State, player: Player) -> None:
    """D16: the next player who can launch may, from this one on; when nobody
    is left the game is over."""
    while player < state.num_players:
        state.active = player
        if can_launch(state, player):
            state.step[player] = LAUNCH_STEP
            note(state, LAST_LAUNCH, player, 0, 0, 0, 1)
            return
        player += 1
    state.is_over = 1
    note(state, GAME_ENDED, CHANCE, 0, 0, 0, 0)


@rule
def is_last_launch(state: State) -> bool:
    return state.turn == state.num_turns


@rule
def turns_taken(state: State, player: Player) -> int:
    """Players take the turns of a round one after the other, so earlier seats are ahead by one."""
    if is_last_launch(state):
        return state.num_turns
    return state.turn + (player < state.active)


@rule
def end_what_is_done(state: State) -> None:
    """D11: the turn ends when everybody has finished; D16: so does a last launch."""
    if is_everybody_done(state):
        if is_last_launch(state):
            offer_last_launch(state, state.active + 1)
        else:
            end_turn(state)
