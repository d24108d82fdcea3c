"""What a seat of Lanterns sees, in a third of the numbers: tiles by number, and no colors around the
free places. The pieces tell the rest."""

from lampion.core.compile import rule
from lampion.core.observation import MOST, Observation, Part, Vector, counted_from
from lampion.core.types import Player
from lampion.games.lanterns.components import (
    HAND_SIZE,
    MAX_PLAYERS,
    MAX_STACK,
    MAX_TILES_IN_PLAY,
    NUM_COLORS,
    NUM_SIDES,
    NUM_STACKS,
    NUM_TILES,
)
from lampion.games.lanterns.observation import MIDDLE
from lampion.games.lanterns.rules_reasons import is_final_round
from lampion.games.lanterns.state import MAX_FRONTIER, MAX_LAKE_TILES, State

_FAR = 2 * MIDDLE

COMPACT = Observation(
    Part("num_players", 1, high=MAX_PLAYERS, meaning="how many play"),
    Part("active", 1, high=MAX_PLAYERS - 1, code=True, meaning="whose turn it is, counted from this seat"),
    Part("step", 1, high=2, code=True, meaning="what may still be done in the turn: 0 exchange, 1 dedicate, 2 place"),
    Part("final_round", 1, high=1, meaning="whether the active player has no tiles left (L14)"),
    Part("left_to_draw", 1, high=MAX_TILES_IN_PLAY, meaning="tiles still to be drawn"),
    Part("supply", NUM_COLORS, high=99, meaning="lantern cards left, by color"),
    Part("tokens_taken", NUM_STACKS, high=MAX_STACK, meaning="tokens taken from each stack"),
    Part("side", MAX_PLAYERS, high=NUM_SIDES, code=True, meaning="side of the lake where each player sits, 1 + side; 0 nobody"),
    Part("lanterns", MAX_PLAYERS, NUM_COLORS, high=99, meaning="cards held, by player and color"),
    Part("favors", MAX_PLAYERS, high=MOST, meaning="favor tokens, by player"),
    Part("honor", MAX_PLAYERS, high=MOST, meaning="honor, by player"),
    Part("hand_size", MAX_PLAYERS, high=HAND_SIZE, meaning="tiles in hand, by player"),
    Part("hand", MAX_PLAYERS, HAND_SIZE, high=NUM_TILES, code=True, meaning="1 + tile, by player and slot; 0 none, or hidden"),
    Part("laid", MAX_LAKE_TILES, high=NUM_SIDES * NUM_TILES, code=True,
         meaning="1 + 4 × tile + turn of the laid tiles, in the order of laying; 0 none"),
    Part("laid_x", MAX_LAKE_TILES, high=_FAR, meaning="and 33 + steps east of the start tile; 0 none"),
    Part("laid_y", MAX_LAKE_TILES, high=_FAR, meaning="and 33 + steps north of it"),
    Part("place_x", MAX_FRONTIER, high=_FAR, meaning="free places, numbered as in the action ids: 33 + steps east"),
    Part("place_y", MAX_FRONTIER, high=_FAR, meaning="and 33 + steps north"),
    Part("num_places", 1, high=MAX_FRONTIER, meaning="how many free places there are"),
)  # fmt: skip

_STARTS = {part.name: part.start for part in COMPACT.parts}
_NUM_PLAYERS, _ACTIVE, _STEP, _FINAL_ROUND, _LEFT_TO_DRAW = (
    _STARTS[name] for name in ("num_players", "active", "step", "final_round", "left_to_draw")
)
_SUPPLY, _TOKENS_TAKEN, _SIDE, _LANTERNS = (
    _STARTS[name] for name in ("supply", "tokens_taken", "side", "lanterns")
)
_FAVORS, _HONOR, _HAND_SIZE, _HAND = (
    _STARTS[name] for name in ("favors", "honor", "hand_size", "hand")
)
_LAID, _LAID_X, _LAID_Y = (_STARTS[name] for name in ("laid", "laid_x", "laid_y"))
_PLACE_X, _PLACE_Y, _NUM_PLACES = (_STARTS[name] for name in ("place_x", "place_y", "num_places"))


@rule
def observe_compact(state: State, seat: Player, out: Vector) -> None:
    out[:] = 0
    first = max(seat, 0)
    out[_NUM_PLAYERS] = state.num_players
    out[_ACTIVE] = counted_from(first, state.active, state.num_players)
    out[_STEP] = state.step
    out[_FINAL_ROUND] = is_final_round(state)
    out[_LEFT_TO_DRAW] = state.left_to_draw
    for color in range(NUM_COLORS):
        out[_SUPPLY + color] = state.supply[color]
    for stack in range(NUM_STACKS):
        out[_TOKENS_TAKEN + stack] = state.tokens_taken[stack]
    player = first
    for k in range(state.num_players):
        compact_player(state, player, k, out)
        if player == seat or state.public_hands:
            for slot in range(HAND_SIZE):
                out[_HAND + k * HAND_SIZE + slot] = 1 + state.hand[player, slot]
        player = player + 1 if player + 1 < state.num_players else 0
    compact_lake(state, out)


@rule
def compact_player(state: State, player: Player, k: int, out: Vector) -> None:
    out[_SIDE + k] = 1 + state.seat_sides[player]
    out[_FAVORS + k] = min(state.favors[player], MOST)
    out[_HONOR + k] = min(state.honor[player], MOST)
    out[_HAND_SIZE + k] = state.hand_size[player]
    for color in range(NUM_COLORS):
        out[_LANTERNS + k * NUM_COLORS + color] = state.lanterns[player, color]


@rule
def compact_lake(state: State, out: Vector) -> None:
    """One loop for each part: the compiler does many at a time."""
    out[_NUM_PLACES] = state.num_frontier
    for k in range(state.num_laid):
        out[_LAID + k] = 1 + state.laid[k]
    for k in range(state.num_laid):
        out[_LAID_X + k] = MIDDLE + state.laid_x[k]
    for k in range(state.num_laid):
        out[_LAID_Y + k] = MIDDLE + state.laid_y[k]
    for f in range(state.num_frontier):
        out[_PLACE_X + f] = MIDDLE + state.frontier_x[f]
    for f in range(state.num_frontier):
        out[_PLACE_Y + f] = MIDDLE + state.frontier_y[f]
