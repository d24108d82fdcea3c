"""Leduc poker, P1 to P6: the state, the actions and the rules.

One hand for 2 to 8 players, one card each and one on the table, two rounds of betting. Ranks are
numbers: with n players the n + 1 highest of the nine are in play, two cards of each. All amounts
are twice those of the literature, so that two players can always share a pot.
"""

from lampion.core.actions import ActionSpace, Block
from lampion.core.compile import rule
from lampion.core.plain_views import Kind
from lampion.core.record import ALL, OWNER, Record, array, scalar
from lampion.core.rng import random_below
from lampion.core.trail import clear_trail, note, trail, trail_length
from lampion.core.types import CHANCE, GAME_OVER, NO_PLAYER, Action, IntArray, Player, Rng

RANKS, MAX_PLAYERS, NUM_RANKS, COPIES, NO_CARD = "56789TJQK", 8, 9, 2, -1
START, ANTE, BETS, MAX_RAISES = 26, 2, (4, 8), 2
DEAL_PHASE, BET_PHASE, TURN_PHASE, SHOW_PHASE, OVER_PHASE = range(5)

# What the trail tells: the player, `what` is a rank, `count` is coins.
EVENTS = (
    Kind("dealt"), Kind("turned", what=RANKS), Kind("folded"), Kind("checked"),
    Kind("called", adds=["paid"]), Kind("raised", adds=["paid"]),
    Kind("shown", what=RANKS), Kind("won", adds=["won"]),
)  # fmt: skip
DEALT, TURNED, FOLDED, CHECKED, CALLED, RAISED, SHOWN, WON = range(len(EVENTS))

ACTIONS = ActionSpace(
    Block("fold", rule="P3"),
    Block("call", rule="P3"),
    Block("raise", rule="P3"),
    Block("deal", NUM_RANKS, rule="P1", secret=True, by_chance=True, names=[RANKS]),
    Block("turn", NUM_RANKS, rule="P4", by_chance=True, names=[RANKS]),
    Block("show", rule="P5", by_chance=True),
)
FOLD, CALL, RAISE, DEAL, TURN, SHOW = (block.start for block in ACTIONS.blocks)


class State(Record):
    num_players: int = scalar(seen_by=ALL)
    card: IntArray = array(MAX_PLAYERS, seen_by=OWNER, open_if="is_shown", names=RANKS)
    paid: IntArray = array(MAX_PLAYERS, seen_by=ALL, by_player=True)  # coins in the pot
    won: IntArray = array(MAX_PLAYERS, seen_by=ALL, by_player=True)
    folded: IntArray = array(MAX_PLAYERS, seen_by=ALL, by_player=True)
    is_shown: IntArray = array(MAX_PLAYERS, seen_by=ALL, in_view=False)  # by Player
    table_card: int = scalar(seen_by=ALL, names=RANKS)
    num_dealt: int = scalar(seen_by=ALL, in_view=False)
    num_left: int = scalar(seen_by=ALL, in_view=False)  # players who have not folded
    num_raises: int = scalar(seen_by=ALL)  # in this round
    num_calls: int = scalar(seen_by=ALL, in_view=False)  # since the last raise
    phase: int = scalar(seen_by=ALL, in_view=False)
    active: Player = scalar(seen_by=ALL)  # a player, CHANCE or GAME_OVER
    events: IntArray = trail(2 * MAX_PLAYERS + 2)
    num_events: int = trail_length()


def set_up(state: State) -> None:
    """P1: everybody pays the ante."""
    state.num_left = state.num_players
    state.card[:], state.table_card = NO_CARD, NO_CARD
    state.paid[: state.num_players] = ANTE
    state.phase, state.active = DEAL_PHASE, CHANCE


@rule
def owner(state: State, player: Player) -> Player:
    """P1: a card is dealt for the eyes of its player."""
    return state.num_dealt if state.phase == DEAL_PHASE else NO_PLAYER


@rule
def copies_left(state: State, rank: int) -> int:
    """P1: how many cards of a rank nobody has."""
    left = COPIES - (state.table_card == rank) if rank >= NUM_RANKS - 1 - state.num_players else 0
    for player in range(state.num_dealt):
        left -= state.card[player] == rank
    return left


@rule
def legal_actions(state: State, player: Player, out: IntArray) -> int:
    if player == CHANCE:
        return outcomes(state, out)
    n = 0
    out[n] = FOLD
    n += state.paid[player] < stakes(state)  # P3: nobody folds who need not pay
    out[n] = CALL
    n += 1
    out[n] = RAISE
    n += state.num_raises < MAX_RAISES
    return n


@rule
def outcomes(state: State, out: IntArray) -> int:
    if state.phase == SHOW_PHASE:
        out[0] = SHOW
        return 1
    n = 0
    for rank in range(NUM_RANKS):
        if copies_left(state, rank) > 0:
            out[n] = rank + (DEAL if state.phase == DEAL_PHASE else TURN)
            n += 1
    return n


@rule
def chance_weights(state: State, out: IntArray) -> int:
    out[0] = 1
    n = 0
    for rank in range(NUM_RANKS):
        left = copies_left(state, rank)
        if left > 0 and state.phase != SHOW_PHASE:
            out[n] = left
            n += 1
    return max(n, 1)


@rule
def random_card(state: State, rng: Rng) -> int:
    """A rank by the copies that are left of it."""
    rank = int(random_below(rng, NUM_RANKS))
    while random_below(rng, COPIES) >= copies_left(state, rank):
        rank = int(random_below(rng, NUM_RANKS))
    return rank


@rule
def determinize(seen: State, seat: Player, rng: Rng) -> None:
    """A card that nobody has shown may be any that is left."""
    for player in range(MAX_PLAYERS):
        if player != seat and not seen.is_shown[player]:
            seen.card[player] = NO_CARD
    for player in range(seen.num_dealt):
        if seen.card[player] == NO_CARD:
            seen.card[player] = random_card(seen, rng)


@rule
def stakes(state: State) -> int:
    """What everybody must have paid to stay."""
    most = ANTE
    for player in range(state.num_players):
        most = max(most, int(state.paid[player]))
    return most


@rule
def apply(state: State, player: Player, action: Action) -> None:
    clear_trail(state)
    if action >= SHOW:
        show(state)
    elif action >= TURN:
        state.table_card = action - TURN
        note(state, TURNED, CHANCE, action - TURN, 0, 0, 0)
        begin_round(state)
    elif action >= DEAL:
        deal(state, action - DEAL)
    elif action == FOLD:
        fold(state, player)
    else:
        pay(state, player, action)


@rule
def deal(state: State, rank: int) -> None:
    """P1: one card for each player."""
    note(state, DEALT, state.num_dealt, 0, 0, 0, 1)
    state.card[state.num_dealt] = rank
    state.num_dealt += 1
    if state.num_dealt == state.num_players:
        begin_round(state)


@rule
def begin_round(state: State) -> None:
    """P2: the first player who has not folded begins."""
    state.phase, state.num_raises, state.num_calls = BET_PHASE, 0, 0
    state.active = next_player(state, state.num_players - 1)


@rule
def next_player(state: State, player: Player) -> Player:
    player = (player + 1) % state.num_players
    while state.folded[player]:
        player = (player + 1) % state.num_players
    return player


@rule
def fold(state: State, player: Player) -> None:
    """P3: who folds is out; P5: the last one left takes the pot and shows nothing."""
    state.folded[player] = True
    state.num_left -= 1
    note(state, FOLDED, player, 0, 0, 0, 0)
    if state.num_left == 1:
        win(state, next_player(state, player), 1)
        state.phase, state.active = OVER_PHASE, GAME_OVER
    else:
        go_on(state, player)


@rule
def pay(state: State, player: Player, action: Action) -> None:
    """P3: a call pays what others have paid, a raise 4 coins more in the first round and 8 in the
    second."""
    owed = stakes(state) - state.paid[player]
    if action == RAISE:
        owed += BETS[0] if state.table_card == NO_CARD else BETS[1]
        state.num_raises, state.num_calls = state.num_raises + 1, 0
        note(state, RAISED, player, 0, 0, 0, owed)
    else:
        state.num_calls += 1
        note(state, CALLED if owed > 0 else CHECKED, player, 0, 0, 0, owed)
    state.paid[player] += owed
    go_on(state, player)


@rule
def go_on(state: State, player: Player) -> None:
    """P4: a round ends when all who are left have called. P5: after the
    second the cards are shown."""
    if state.num_calls < state.num_left - (state.num_raises > 0):
        state.active = next_player(state, player)
    else:
        state.phase = TURN_PHASE if state.table_card == NO_CARD else SHOW_PHASE
        state.active = CHANCE


@rule
def strength(state: State, player: Player) -> int:
    """P6: a pair with the card on the table, or else the rank."""
    return state.card[player] + (NUM_RANKS if state.card[player] == state.table_card else 0)


@rule
def show(state: State) -> None:
    """P5, P6: the best hand takes the pot; two equal ones share it."""
    best, winners = -1, 0
    for player in range(state.num_players):
        if not state.folded[player]:
            state.is_shown[player] = True
            note(state, SHOWN, player, state.card[player], 0, 0, 0)
            if strength(state, player) > best:
                best, winners = strength(state, player), 0
            winners += strength(state, player) == best
    for player in range(state.num_players):
        if not state.folded[player] and strength(state, player) == best:
            win(state, player, winners)
    state.phase, state.active = OVER_PHASE, GAME_OVER


@rule
def win(state: State, player: Player, winners: int) -> None:
    pot = 0
    for other in range(state.num_players):
        pot += state.paid[other]
    state.won[player] = pot // winners
    note(state, WON, player, 0, 0, 0, state.won[player])


@rule
def scores(state: State, out: IntArray) -> None:
    for player in range(state.num_players):
        out[player] = START - state.paid[player] + state.won[player]
