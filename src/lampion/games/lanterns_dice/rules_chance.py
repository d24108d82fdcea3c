"""What chance does in Lanterns Dice: the sheets (D1), the shapes and the emperor's cards (D2), the
dice (D5). All outcomes are equally likely."""

from lampion.core.compile import rule
from lampion.core.rng import random_below
from lampion.core.trail import note
from lampion.core.types import CHANCE, Action, IntArray, Rng
from lampion.games.lanterns_dice.actions import (
    CHOOSE_SHAPES,
    DEAL_SHEETS,
    FIRST_DEAL,
    LAY_CARDS,
    NUM_ROLLS,
    ROLL_DICE,
    SHAPE_CHOICES,
    SHEET_DEALS,
    SIDE_CHOICES,
)
from lampion.games.lanterns_dice.components import NUM_CARDS, NUM_COLORS, NUM_DICE, SHAPES_IN_PLAY
from lampion.games.lanterns_dice.state import (
    CARDS_LAID,
    DICE_ROLLED,
    EMPEROR,
    FIREWORKS,
    NO_CARD_SIDE,
    NO_SHAPE,
    NOTHING,
    ROLL,
    SHAPES_CHOSEN,
    SHEETS,
    SHEETS_DEALT,
    TRAY_STEP,
    State,
)

# --- outcomes -------------------------------------------------------------------------------------


@rule
def first_outcome(state: State) -> Action:
    if state.chance_owes == SHEETS:
        return DEAL_SHEETS + FIRST_DEAL[state.num_players]
    if state.chance_owes == FIREWORKS:
        return CHOOSE_SHAPES
    return LAY_CARDS if state.chance_owes == EMPEROR else ROLL_DICE


@rule
def num_outcomes(state: State) -> int:
    if state.chance_owes == SHEETS:
        return FIRST_DEAL[state.num_players + 1] - FIRST_DEAL[state.num_players]
    if state.chance_owes == FIREWORKS:
        return len(SHAPE_CHOICES)
    return len(SIDE_CHOICES) if state.chance_owes == EMPEROR else NUM_ROLLS


@rule
def list_outcomes(state: State, out: IntArray) -> int:
    first, count = first_outcome(state), num_outcomes(state)
    for k in range(count):
        out[k] = first + k
    return count


@rule
def chance_weights(state: State, out: IntArray) -> int:
    count = num_outcomes(state)
    out[:count] = 1
    return count


@rule
def sample_chance(state: State, rng: Rng) -> Action:
    return first_outcome(state) + random_below(rng, num_outcomes(state))


# --- what they do ---------------------------------------------------------------------------------


@rule
def owe_next(state: State) -> None:
    """D2: sheets, then fireworks, then emperor, as far as the options leave them to
    chance; then the first roll."""
    if state.shapes[0] == NO_SHAPE:
        state.chance_owes = FIREWORKS
    elif state.card_sides[0] == NO_CARD_SIDE:
        state.chance_owes = EMPEROR
    else:
        state.chance_owes = ROLL


@rule
def deal_sheets(state: State, deal: int) -> None:
    """D1."""
    for player in range(state.num_players):
        state.sheets[player] = SHEET_DEALS[deal, player]
    note(state, SHEETS_DEALT, CHANCE, deal, 0, 0, 1)
    owe_next(state)


@rule
def choose_shapes(state: State, choice: int) -> None:
    """D2."""
    for k in range(SHAPES_IN_PLAY):
        state.shapes[k] = SHAPE_CHOICES[choice, k]
    note(state, SHAPES_CHOSEN, CHANCE, choice, 0, 0, 1)
    owe_next(state)


@rule
def lay_cards(state: State, choice: int) -> None:
    """D2."""
    for card in range(NUM_CARDS):
        state.card_sides[card] = SIDE_CHOICES[choice, card]
    note(state, CARDS_LAID, CHANCE, choice, 0, 0, 1)
    owe_next(state)


@rule
def roll_dice(state: State, roll: int) -> None:
    """D5: then the active player turns the tray."""
    note(state, DICE_ROLLED, CHANCE, roll, 0, 0, 1)
    for die in range(NUM_DICE - 1, -1, -1):
        state.dice[die] = roll % NUM_COLORS
        roll //= NUM_COLORS
    state.chance_owes = NOTHING
    state.step[state.active] = TRAY_STEP


@rule
def apply_outcome(state: State, action: Action) -> None:
    if action >= ROLL_DICE:
        roll_dice(state, action - ROLL_DICE)
    elif action >= LAY_CARDS:
        lay_cards(state, action - LAY_CARDS)
    elif action >= CHOOSE_SHAPES:
        choose_shapes(state, action - CHOOSE_SHAPES)
    else:
        deal_sheets(state, action - DEAL_SHEETS)
