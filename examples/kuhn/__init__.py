"""Kuhn poker, by Harold W. Kuhn: three cards, two players, one coin to bet. Rules K1 to K4."""

from lampion.core.actions import ActionSpace, Block
from lampion.core.compile import rule
from lampion.core.plain import complete
from lampion.core.plain_views import Kind
from lampion.core.record import ALL, OWNER, Record, array, scalar
from lampion.core.rng import random_below
from lampion.core.trail import clear_trail, note, trail, trail_length
from lampion.core.types import CHANCE, GAME_OVER, NO_PLAYER, Action, IntArray, Player, Rng

NAME, TITLE, DESIGNER = "kuhn", "Kuhn Poker", "Harold W. Kuhn"
NUM_PLAYERS, RANKS, NUM_RANKS, NO_CARD, START = range(2, 3), "JQK", 3, -1, 2

ACTIONS = ActionSpace(
    Block("pass", rule="K2"),
    Block("bet", rule="K2"),
    Block("deal", NUM_RANKS, rule="K1", secret=True, by_chance=True, names=[RANKS]),
)
PASS, BET, DEAL = (block.start for block in ACTIONS.blocks)

EVENTS = (
    Kind("dealt"), Kind("passed"), Kind("paid", takes=["coins"], adds=["pot"]),
    Kind("shown", what=RANKS), Kind("won", takes=["pot"], adds=["coins"]),
)  # fmt: skip
DEALT, PASSED, PAID, SHOWN, WON = range(len(EVENTS))


class State(Record):
    num_players: int = scalar(seen_by=ALL)
    card: IntArray = array(2, seen_by=OWNER, open_if="is_shown", names=RANKS)  # or NO_CARD
    coins: IntArray = array(2, seen_by=ALL, by_player=True)
    pot: int = scalar(seen_by=ALL)
    num_dealt: int = scalar(seen_by=ALL, in_view=False)
    is_bet: int = scalar(seen_by=ALL, in_view=False)
    is_shown: int = scalar(seen_by=ALL, in_view=False)
    active: Player = scalar(seen_by=ALL)  # a player, CHANCE or GAME_OVER
    events: IntArray = trail(4)
    num_events: int = trail_length()


def set_up(state: State) -> None:
    """K1: both pay a coin."""
    state.card[:], state.coins[:], state.pot = NO_CARD, START - 1, 2
    state.active = CHANCE


@rule
def is_left(state: State, card: int) -> bool:
    return state.card[0] != card and state.card[1] != card


@rule
def legal_actions(state: State, player: Player, out: IntArray) -> int:
    """K1, K2: chance deals any card that is left; a player may always pass or bet."""
    if player != CHANCE:
        out[0], out[1] = PASS, BET
        return 2
    n = 0
    for card in range(NUM_RANKS):
        out[n] = DEAL + card
        n += is_left(state, card)
    return n


@rule
def apply(state: State, player: Player, action: Action) -> None:
    clear_trail(state)
    if action >= DEAL:
        deal(state, action - DEAL)
    elif action == BET:
        bet(state, player)
    else:
        pass_on(state, player)


@rule
def deal(state: State, card: int) -> None:
    """K1: one card each; the first player begins."""
    note(state, DEALT, state.num_dealt, 0, 0, 0, 1)
    state.card[state.num_dealt] = card
    state.num_dealt += 1
    state.active = CHANCE if state.num_dealt < 2 else 0


@rule
def bet(state: State, player: Player) -> None:
    """K2: a coin for the pot. K3: when both have bet, the cards are shown."""
    note(state, PAID, player, 0, 0, 0, 1)
    state.coins[player] -= 1
    state.pot += 1
    if state.is_bet:
        show(state)
    else:
        state.is_bet, state.active = True, 1 - player


@rule
def pass_on(state: State, player: Player) -> None:
    """K3: after a bet the other player wins; when both have passed, the cards are shown."""
    note(state, PASSED, player, 0, 0, 0, 0)
    if state.is_bet:
        win(state, 1 - player)
    elif player == 1:
        show(state)
    else:
        state.active = 1


@rule
def show(state: State) -> None:
    """K4: the higher card wins."""
    state.is_shown = True
    for player in range(2):
        note(state, SHOWN, player, state.card[player], 0, 0, 0)
    win(state, 0 if state.card[0] > state.card[1] else 1)


@rule
def win(state: State, player: Player) -> None:
    note(state, WON, player, 0, 0, 0, state.pot)
    state.coins[player] += state.pot
    state.pot, state.active = 0, GAME_OVER


@rule
def scores(state: State, out: IntArray) -> None:
    out[:2] = state.coins[:]


@rule
def owner(state: State, player: Player) -> Player:
    return state.num_dealt if state.num_dealt < 2 else NO_PLAYER  # of the next card


@rule
def determinize(seen: State, seat: Player, rng: Rng) -> None:
    for player in range(2):
        if player != seat and not seen.is_shown:
            seen.card[player] = NO_CARD
    for player in range(seen.num_dealt):
        while seen.card[player] == NO_CARD:
            card = random_below(rng, NUM_RANKS)
            seen.card[player] = card if is_left(seen, card) else NO_CARD


complete(__name__)
