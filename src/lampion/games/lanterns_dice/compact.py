"""What a seat of Lanterns Dice sees, in a tenth of the numbers: sheets by their letter, and sets of
pools with eight pools in a number. The pieces tell the rest."""

from lampion.core.compile import rule
from lampion.core.observation import MOST, Observation, Part, Vector, counted_from
from lampion.core.types import Player
from lampion.games.lanterns_dice.components import (
    MAX_PLAYERS,
    MAX_STACK,
    MAX_TURNS,
    NUM_CARD_SIDES,
    NUM_CARDS,
    NUM_COLORS,
    NUM_DICE,
    NUM_HALVES,
    NUM_POOLS,
    NUM_SHAPES,
    NUM_SHEETS,
    SHAPES_IN_PLAY,
)
from lampion.games.lanterns_dice.rules_scoring import score
from lampion.games.lanterns_dice.state import DONE, NO_SHAPE, PoolSet, State

BYTE = 8
SET_BYTES = -(-NUM_POOLS // BYTE)
"""Of a set of pools: pool p is bit p % 8 of byte p // 8."""

COMPACT = Observation(
    Part("num_players", 1, high=MAX_PLAYERS, meaning="how many play"),
    Part("active", 1, high=MAX_PLAYERS - 1, code=True, meaning="whose turn it is, counted from this seat"),
    Part("turn", 1, high=MAX_TURNS, meaning="full turns that everybody has taken"),
    Part("dice", NUM_DICE, high=NUM_COLORS, code=True, meaning="1 + color of the dice in tray order; 0 not rolled"),
    Part("tray", 1, high=NUM_DICE, code=True, meaning="1 + quarter turns of the tray; 0 not turned"),
    Part("card_side", NUM_CARDS, high=NUM_CARD_SIDES, code=True, meaning="1 + side of the emperor's card that lies up; 0 not laid"),
    Part("shape", SHAPES_IN_PLAY, high=NUM_SHAPES, code=True, meaning="1 + shape of each stack of fireworks; 0 not chosen"),
    Part("tiles_taken", SHAPES_IN_PLAY, high=MAX_STACK, meaning="tiles taken from the stack"),
    Part("sheet", MAX_PLAYERS, high=NUM_SHEETS, code=True, meaning="1 + sheet, by player; 0 no player"),
    Part("step", MAX_PLAYERS, high=DONE, code=True, meaning="what each player may do, as in the full observation"),
    Part("bonus_pool", MAX_PLAYERS, high=NUM_POOLS, code=True, meaning="1 + pool of the platform whose bonus is due; 0 none"),
    Part("bought", MAX_PLAYERS, high=NUM_CARDS, code=True, meaning="1 + card bought this turn; 0 none"),
    Part("second_color", MAX_PLAYERS, high=NUM_COLORS, code=True, meaning="1 + color of the second area of the card; 0 none"),
    Part("gifts", MAX_PLAYERS, high=MOST, meaning="gifts, by player"),
    Part("honor", MAX_PLAYERS, high=MOST, meaning="honor from fireworks, by player"),
    Part("score", MAX_PLAYERS, high=MOST, meaning="score as it stands, by player"),
    Part("shaded", MAX_PLAYERS, NUM_HALVES, SET_BYTES, high=MOST, meaning="bits of the shaded areas: pool p is bit p % 8 of number p // 8"),
    Part("covered", MAX_PLAYERS, SET_BYTES, high=MOST, meaning="bits of the pools under tiles of fireworks"),
)  # fmt: skip

_STARTS = {part.name: part.start for part in COMPACT.parts}
_NUM_PLAYERS, _ACTIVE, _TURN, _DICE, _TRAY, _CARD_SIDE = (
    _STARTS[name] for name in ("num_players", "active", "turn", "dice", "tray", "card_side")
)
_SHAPE, _TILES_TAKEN, _SHEET, _STEP = (
    _STARTS[name] for name in ("shape", "tiles_taken", "sheet", "step")
)
_BONUS_POOL, _BOUGHT, _SECOND_COLOR = (
    _STARTS[name] for name in ("bonus_pool", "bought", "second_color")
)
_GIFTS, _HONOR, _SCORE, _SHADED, _COVERED = (
    _STARTS[name] for name in ("gifts", "honor", "score", "shaded", "covered")
)


@rule
def observe_compact(state: State, seat: Player, out: Vector) -> None:
    out[:] = 0
    first = max(seat, 0)
    compact_table(state, first, out)
    player = first
    for k in range(state.num_players):
        compact_player(state, player, k, out)
        for half in range(NUM_HALVES):
            write_set(
                state.shaded[player, half], _SHADED + (k * NUM_HALVES + half) * SET_BYTES, out
            )
        write_set(state.covered[player], _COVERED + k * SET_BYTES, out)
        player = player + 1 if player + 1 < state.num_players else 0


@rule
def compact_table(state: State, seat: Player, out: Vector) -> None:
    out[_NUM_PLAYERS] = state.num_players
    out[_ACTIVE] = counted_from(seat, state.active, state.num_players)
    out[_TURN] = state.turn
    out[_TRAY] = 1 + state.tray
    for die in range(NUM_DICE):
        out[_DICE + die] = 1 + state.dice[die]
    for card in range(NUM_CARDS):
        out[_CARD_SIDE + card] = 1 + state.card_sides[card]
    for k in range(SHAPES_IN_PLAY):
        shape = state.shapes[k]
        if shape != NO_SHAPE:
            out[_SHAPE + k] = 1 + shape
            out[_TILES_TAKEN + k] = state.tiles_taken[shape]


@rule
def compact_player(state: State, player: Player, k: int, out: Vector) -> None:
    out[_SHEET + k] = 1 + state.sheets[player]
    out[_STEP + k] = state.step[player]
    out[_BONUS_POOL + k] = 1 + state.bonus_pool[player]
    out[_BOUGHT + k] = 1 + state.bought[player]
    out[_SECOND_COLOR + k] = 1 + state.second_color[player]
    out[_GIFTS + k] = min(state.gifts[player], MOST)
    out[_HONOR + k] = min(state.honor[player], MOST)
    out[_SCORE + k] = min(score(state, player), MOST)


@rule
def write_set(pools: PoolSet, first: int, out: Vector) -> None:
    for byte in range(SET_BYTES):
        out[first + byte] = pools >> BYTE * byte & MOST
