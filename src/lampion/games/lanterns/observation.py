"""What a seat of Lanterns sees, as numbers.

A placement is named by its free place, the slot of the hand and the rotation, so a free place is
described by what a tile laid there would touch: the colors on the sides that face it. Colors are 1
+ Color, and 0 is open water, or no tile.
"""

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
from lampion.games.lanterns.rules_lake import neighbor, opposite, side_color, tile_of
from lampion.games.lanterns.rules_reasons import is_final_round
from lampion.games.lanterns.state import MAX_FRONTIER, MAX_LAKE_TILES, NO_TILE, OPEN_WATER, State

MIDDLE = MAX_LAKE_TILES
"""The coordinates of the start tile, so that none is below 0."""
_FAR = 2 * MIDDLE

OBSERVATION = Observation(
    Part("num_players", 1, high=MAX_PLAYERS, meaning="how many play"),
    Part("active", 1, high=MAX_PLAYERS - 1, code=True, meaning="whose turn it is, counted from this seat"),
    Part("step", 1, high=2, code=True, meaning="what may still be done in the turn: 0 exchange, 1 dedicate, 2 place"),
    Part("final_round", 1, high=1, meaning="whether the active player has no tiles left (L14)"),
    Part("left_to_draw", 1, high=MAX_TILES_IN_PLAY, meaning="tiles still to be drawn"),
    Part("supply", NUM_COLORS, high=99, meaning="lantern cards left, by color"),
    Part("generic_honor", 1, high=99, meaning="honor of a generic dedication token"),
    Part("tokens", NUM_STACKS, MAX_STACK, high=99, meaning="honor of the tokens left, by stack, from the top"),
    Part("side", MAX_PLAYERS, high=NUM_SIDES, code=True, meaning="side of the lake where each player sits, 1 + side; 0 nobody"),
    Part("lanterns", MAX_PLAYERS, NUM_COLORS, high=99, meaning="cards held, by player and color"),
    Part("favors", MAX_PLAYERS, high=MOST, meaning="favor tokens, by player"),
    Part("honor", MAX_PLAYERS, high=MOST, meaning="honor, by player"),
    Part("hand_size", MAX_PLAYERS, high=HAND_SIZE, meaning="tiles in hand, by player"),
    Part("hand_colors", HAND_SIZE, NUM_SIDES, high=NUM_COLORS, code=True,
         meaning="own tiles, by slot and side at r0: 1 + color; 0 no tile"),
    Part("hand_platform", HAND_SIZE, high=1, meaning="whether the own tile has a platform, by slot"),
    Part("unseen", NUM_TILES, high=1, meaning="whether this seat has not seen the tile yet, by tile"),
    Part("tile_x", MAX_LAKE_TILES, high=_FAR, meaning="laid tiles in the order of laying: 33 + steps east of the start tile"),
    Part("tile_y", MAX_LAKE_TILES, high=_FAR, meaning="and 33 + steps north of it"),
    Part("tile_colors", MAX_LAKE_TILES, NUM_SIDES, high=NUM_COLORS, code=True,
         meaning="and 1 + color by side (north, east, south, west); 0 no tile"),
    Part("tile_platform", MAX_LAKE_TILES, high=1, meaning="and whether the tile has a platform"),
    Part("place_x", MAX_FRONTIER, high=_FAR, meaning="free places, numbered as in the action ids: 33 + steps east"),
    Part("place_y", MAX_FRONTIER, high=_FAR, meaning="and 33 + steps north"),
    Part("place_colors", MAX_FRONTIER, NUM_SIDES, high=NUM_COLORS, code=True,
         meaning="and 1 + color that faces the place from each side; 0 open water; all 0 if there is no such place"),
    Part("place_platform", MAX_FRONTIER, NUM_SIDES, high=1, meaning="and whether the tile on that side has a platform"),
)  # fmt: skip

_STARTS = {part.name: part.start for part in OBSERVATION.parts}
_NUM_PLAYERS, _ACTIVE, _STEP = _STARTS["num_players"], _STARTS["active"], _STARTS["step"]
_FINAL_ROUND, _LEFT_TO_DRAW, _SUPPLY = (
    _STARTS["final_round"],
    _STARTS["left_to_draw"],
    _STARTS["supply"],
)
_GENERIC_HONOR, _TOKENS = _STARTS["generic_honor"], _STARTS["tokens"]
_SIDE, _LANTERNS, _FAVORS, _HONOR = (
    _STARTS["side"],
    _STARTS["lanterns"],
    _STARTS["favors"],
    _STARTS["honor"],
)
_HAND_SIZE, _HAND_COLORS, _HAND_PLATFORM = (
    _STARTS["hand_size"],
    _STARTS["hand_colors"],
    _STARTS["hand_platform"],
)
_UNSEEN = _STARTS["unseen"]
_TILE_X, _TILE_Y, _TILE_COLORS, _TILE_PLATFORM = (
    _STARTS[f"tile_{name}"] for name in ("x", "y", "colors", "platform")
)
_PLACE_X, _PLACE_Y, _PLACE_COLORS, _PLACE_PLATFORM = (
    _STARTS[f"place_{name}"] for name in ("x", "y", "colors", "platform")
)


_LAKE = _TILE_X
"""The lake comes last, and is the same for all seats."""


@rule
def observe(state: State, seat: Player, out: Vector) -> None:
    out[_LAKE:] = 0
    observe_again(state, seat, out)


@rule
def observe_again(state: State, seat: Player, out: Vector) -> None:
    """Tiles stay where they are laid, so in the lake only what is new is written."""
    out[:_LAKE] = 0
    observe_table(state, max(seat, 0), out)
    observe_players(state, max(seat, 0), out)
    out[_UNSEEN : _UNSEEN + NUM_TILES] = 1
    for k in range(state.num_laid):
        out[_UNSEEN + tile_of(state.laid[k])] = 0
    if seat >= 0:
        observe_hand(state, seat, out)
    if state.public_hands:
        observe_public_hands(state, out)
    known = state.num_laid
    while known > 0 and out[_TILE_COLORS + (known - 1) * NUM_SIDES] == 0:
        known -= 1
    if known < state.num_laid:
        observe_new_tiles(state, known, out)


@rule
def observe_table(state: State, seat: Player, out: Vector) -> None:
    out[_NUM_PLAYERS] = state.num_players
    out[_ACTIVE] = counted_from(seat, state.active, state.num_players)
    out[_STEP] = state.step
    out[_FINAL_ROUND] = is_final_round(state)
    out[_LEFT_TO_DRAW] = state.left_to_draw
    out[_GENERIC_HONOR] = state.generic_honor
    for color in range(NUM_COLORS):
        out[_SUPPLY + color] = state.supply[color]
    for stack in range(NUM_STACKS):
        taken = state.tokens_taken[stack]
        for k in range(state.stack_size[stack] - taken):
            out[_TOKENS + stack * MAX_STACK + k] = state.stack_honor[stack, taken + k]


@rule
def observe_players(state: State, seat: Player, out: Vector) -> None:
    player = seat
    for k in range(state.num_players):
        out[_SIDE + k] = 1 + state.seat_sides[player]
        out[_FAVORS + k] = min(state.favors[player], MOST)
        out[_HONOR + k] = min(state.honor[player], MOST)
        out[_HAND_SIZE + k] = state.hand_size[player]
        for color in range(NUM_COLORS):
            out[_LANTERNS + k * NUM_COLORS + color] = state.lanterns[player, color]
        player = player + 1 if player + 1 < state.num_players else 0


@rule
def observe_hand(state: State, seat: Player, out: Vector) -> None:
    for slot in range(HAND_SIZE):
        tile = state.hand[seat, slot]
        if tile != NO_TILE:
            out[_HAND_PLATFORM + slot] = state.tile_platform[tile]
            out[_UNSEEN + tile] = 0
            for side in range(NUM_SIDES):
                out[_HAND_COLORS + slot * NUM_SIDES + side] = 1 + state.tile_sides[tile, side]


@rule
def observe_public_hands(state: State, out: Vector) -> None:
    """Their tiles are no longer unseen; whose they are has no place in
    this version of the layout."""
    for player in range(state.num_players):
        for slot in range(HAND_SIZE):
            if state.hand[player, slot] != NO_TILE:
                out[_UNSEEN + state.hand[player, slot]] = 0


@rule
def observe_new_tiles(state: State, known: int, out: Vector) -> None:
    """The tiles from number `known` on, and the free places that they have changed: those beside
    them, those that moved in the list, and those that are gone from its end."""
    for k in range(known, state.num_laid):
        out[_TILE_X + k] = MIDDLE + state.laid_x[k]
        out[_TILE_Y + k] = MIDDLE + state.laid_y[k]
        observe_tile(state, k, out)
    for f in range(state.num_frontier):
        x, y = MIDDLE + state.frontier_x[f], MIDDLE + state.frontier_y[f]
        has_moved = out[_PLACE_X + f] != x or out[_PLACE_Y + f] != y
        if has_moved or is_beside(state, f, known):
            out[_PLACE_X + f] = x
            out[_PLACE_Y + f] = y
            observe_place(state, f, out)
    for f in range(
        state.num_frontier, min(state.num_frontier + state.num_laid - known, MAX_FRONTIER)
    ):
        out[_PLACE_X + f] = 0
        out[_PLACE_Y + f] = 0
        out[_PLACE_COLORS + f * NUM_SIDES : _PLACE_COLORS + (f + 1) * NUM_SIDES] = 0
        out[_PLACE_PLATFORM + f * NUM_SIDES : _PLACE_PLATFORM + (f + 1) * NUM_SIDES] = 0


@rule(inline=True)
def is_beside(state: State, f: int, known: int) -> bool:
    """Whether a free place touches one of the tiles from number `known` on."""
    found = False
    for k in range(known, state.num_laid):
        dx = state.frontier_x[f] - state.laid_x[k]
        dy = state.frontier_y[f] - state.laid_y[k]
        found = found or dx * dx + dy * dy == 1
    return found


@rule
def observe_tile(state: State, k: int, out: Vector) -> None:
    laid = state.laid[k]
    out[_TILE_PLATFORM + k] = state.tile_platform[tile_of(laid)]
    for side in range(NUM_SIDES):
        out[_TILE_COLORS + k * NUM_SIDES + side] = 1 + side_color(state, laid, side)


@rule
def observe_place(state: State, f: int, out: Vector) -> None:
    """Without a branch, which the processor could not foresee: beside open water the first tile is
    read, and counts for nothing."""
    for side in range(NUM_SIDES):
        beside = state.lake[neighbor(state.frontier[f], side)]
        is_tile = int(beside > OPEN_WATER)
        laid = max(beside - 1, 0)
        out[_PLACE_COLORS + f * NUM_SIDES + side] = is_tile * (
            1 + side_color(state, laid, opposite(side))
        )
        out[_PLACE_PLATFORM + f * NUM_SIDES + side] = is_tile * state.tile_platform[tile_of(laid)]
