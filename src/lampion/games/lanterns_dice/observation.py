"""What a seat of Lanterns Dice sees, as numbers. Everything on the table is public; only the order
of the players is the seat's.

Colors are 1 + Color, and 0 is none. The pools of a lake are in the order of their numbers, from the
lower left, row by row.
"""

from lampion.core.compile import rule
from lampion.core.observation import MOST, Observation, Part, Vector, counted_from
from lampion.core.types import Player
from lampion.games.lanterns_dice.components import (
    CARD_ACTIONS,
    LOWER,
    MAX_PLAYERS,
    MAX_STACK,
    MAX_TURNS,
    NUM_CARDS,
    NUM_COLORS,
    NUM_DICE,
    NUM_HALVES,
    NUM_POOLS,
    NUM_SHAPES,
    SHAPES_IN_PLAY,
    UPPER,
)
from lampion.games.lanterns_dice.rules_scoring import score
from lampion.games.lanterns_dice.rules_shading import die_color
from lampion.games.lanterns_dice.state import (
    DONE,
    NO_CARD_SIDE,
    NO_SHAPE,
    NOT_TURNED,
    PoolSet,
    State,
)

# What is printed on a pool.
NO_FEATURE, PAVILION_ABOVE, PAVILION_BELOW, PLATFORM, BOAT = range(5)

OBSERVATION = Observation(
    Part("num_players", 1, high=MAX_PLAYERS, meaning="how many play"),
    Part("active", 1, high=MAX_PLAYERS - 1, code=True, meaning="whose turn it is, counted from this seat"),
    Part("turn", 1, high=MAX_TURNS, meaning="full turns that everybody has taken"),
    Part("num_turns", 1, high=MAX_TURNS, meaning="full turns that everybody takes"),
    Part("reroll_cost", 1, high=99, meaning="gifts for rolling again"),
    Part("dice", NUM_DICE, high=NUM_COLORS, code=True, meaning="1 + color of the dice in tray order; 0 not rolled"),
    Part("tray", 1, high=NUM_DICE, code=True, meaning="1 + quarter turns of the tray; 0 not turned"),
    Part("card_action", NUM_CARDS, high=len(CARD_ACTIONS), code=True, meaning="1 + action on the side of the emperor's card that lies up"),
    Part("card_cost", NUM_CARDS, high=99, meaning="gifts that the card costs"),
    Part("tiles", NUM_SHAPES, MAX_STACK, high=99, meaning="honor of the fireworks left, by shape, from the top; 0 not in play"),
    Part("die", MAX_PLAYERS, high=NUM_COLORS, code=True, meaning="1 + color of the die that each player faces; 0 tray not turned"),
    Part("step", MAX_PLAYERS, high=DONE, code=True,
         meaning="what each player may do: 0 tray, 1 die, 2 turn bonus, 3 card, 4 area of the card, 5 second area, 6 launch, 7 nothing"),
    Part("bonus_pool", MAX_PLAYERS, high=NUM_POOLS, code=True, meaning="1 + pool of the platform whose bonus is due; 0 none"),
    Part("bought", MAX_PLAYERS, high=NUM_CARDS, code=True, meaning="1 + card bought this turn; 0 none"),
    Part("second_color", MAX_PLAYERS, high=NUM_COLORS, code=True, meaning="1 + color of the second area of the card; 0 none"),
    Part("gifts", MAX_PLAYERS, high=MOST, meaning="gifts, by player"),
    Part("honor", MAX_PLAYERS, high=MOST, meaning="honor from fireworks, by player"),
    Part("score", MAX_PLAYERS, high=MOST, meaning="score as it stands, by player"),
    Part("turn_bonus", MAX_PLAYERS, MAX_TURNS, high=NUM_COLORS, code=True,
         meaning="1 + color of the bonus of each turn on the player's sheet"),
    Part("colors", MAX_PLAYERS, NUM_HALVES, NUM_POOLS, high=NUM_COLORS, code=True,
         meaning="1 + color of the areas of each player's lake, upper and lower half; 0 no player"),
    Part("feature", MAX_PLAYERS, NUM_POOLS, high=BOAT, code=True,
         meaning="0 nothing, 1 pavilion in the upper half, 2 in the lower half, 3 platform, 4 boat"),
    Part("shaded", MAX_PLAYERS, NUM_HALVES, NUM_POOLS, high=1, meaning="whether the area is shaded"),
    Part("covered", MAX_PLAYERS, NUM_POOLS, high=1, meaning="whether a tile of fireworks lies on the pool"),
)  # fmt: skip

_STARTS = {part.name: part.start for part in OBSERVATION.parts}
_NUM_PLAYERS, _ACTIVE, _TURN, _NUM_TURNS = (
    _STARTS[name] for name in ("num_players", "active", "turn", "num_turns")
)
_REROLL_COST, _DICE, _TRAY = _STARTS["reroll_cost"], _STARTS["dice"], _STARTS["tray"]
_CARD_ACTION, _CARD_COST, _TILES = _STARTS["card_action"], _STARTS["card_cost"], _STARTS["tiles"]
_DIE, _STEP, _BONUS_POOL, _BOUGHT = (
    _STARTS[name] for name in ("die", "step", "bonus_pool", "bought")
)
_SECOND_COLOR, _GIFTS, _HONOR, _SCORE = (
    _STARTS[name] for name in ("second_color", "gifts", "honor", "score")
)
_TURN_BONUS, _COLORS, _FEATURE = _STARTS["turn_bonus"], _STARTS["colors"], _STARTS["feature"]
_SHADED, _COVERED = _STARTS["shaded"], _STARTS["covered"]


@rule
def observe(state: State, seat: Player, out: Vector) -> None:
    out[:] = 0
    first = max(seat, 0)
    observe_table(state, first, out)
    player = first
    for k in range(state.num_players):
        observe_player(state, player, k, out)
        observe_print(state, player, k, out)
        observe_lake(state, player, k, out)
        player = player + 1 if player + 1 < state.num_players else 0


@rule
def observe_table(state: State, seat: Player, out: Vector) -> None:
    out[_NUM_PLAYERS] = state.num_players
    out[_ACTIVE] = counted_from(seat, state.active, state.num_players)
    out[_TURN] = state.turn
    out[_NUM_TURNS] = state.num_turns
    out[_REROLL_COST] = state.reroll_cost
    out[_TRAY] = 1 + state.tray
    for die in range(NUM_DICE):
        out[_DICE + die] = 1 + state.dice[die]
    for card in range(NUM_CARDS):
        out[_CARD_COST + card] = state.card_costs[card]
        side = state.card_sides[card]
        if side != NO_CARD_SIDE:
            out[_CARD_ACTION + card] = 1 + state.card_actions[card, side]
    for k in range(SHAPES_IN_PLAY):
        shape = state.shapes[k]
        if shape != NO_SHAPE:
            taken = state.tiles_taken[shape]
            for tile in range(state.stack_size[shape] - taken):
                out[_TILES + shape * MAX_STACK + tile] = state.tile_honor[shape, taken + tile]


@rule
def observe_player(state: State, player: Player, k: int, out: Vector) -> None:
    if state.tray != NOT_TURNED:
        out[_DIE + k] = 1 + die_color(state, player, 0)
    out[_STEP + k] = state.step[player]
    out[_BONUS_POOL + k] = 1 + state.bonus_pool[player]
    out[_BOUGHT + k] = 1 + state.bought[player]
    out[_SECOND_COLOR + k] = 1 + state.second_color[player]
    out[_GIFTS + k] = min(state.gifts[player], MOST)
    out[_HONOR + k] = min(state.honor[player], MOST)
    out[_SCORE + k] = min(score(state, player), MOST)


@rule
def observe_print(state: State, player: Player, k: int, out: Vector) -> None:
    """What is printed on a player's sheet."""
    sheet = state.sheets[player]
    for turn in range(state.num_turns):
        out[_TURN_BONUS + k * MAX_TURNS + turn] = 1 + state.turn_bonuses[sheet, turn]
    for half in range(NUM_HALVES):
        for color in range(NUM_COLORS):
            add_pools(
                state.color_areas[sheet, color, half],
                1 + color,
                _COLORS + (k * NUM_HALVES + half) * NUM_POOLS,
                out,
            )
    first = _FEATURE + k * NUM_POOLS
    add_pools(state.pavilions[sheet, UPPER], PAVILION_ABOVE, first, out)
    add_pools(state.pavilions[sheet, LOWER], PAVILION_BELOW, first, out)
    add_pools(state.platforms[sheet], PLATFORM, first, out)
    add_pools(state.boats[sheet], BOAT, first, out)


@rule
def observe_lake(state: State, player: Player, k: int, out: Vector) -> None:
    """What was done on a player's sheet."""
    for half in range(NUM_HALVES):
        add_pools(state.shaded[player, half], 1, _SHADED + (k * NUM_HALVES + half) * NUM_POOLS, out)
    add_pools(state.covered[player], 1, _COVERED + k * NUM_POOLS, out)


@rule
def add_pools(pools: PoolSet, number: int, first: int, out: Vector) -> None:
    """Add a number in the places of the pools of a set. Without branches the compiler
    does many pools at a time."""
    places = out[first : first + NUM_POOLS]
    for pool in range(NUM_POOLS):
        places[pool] += -(pools >> pool & 1) & number
