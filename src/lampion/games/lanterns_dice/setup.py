"""The set-up of Lanterns Dice, D1 to D4: from players, options and components to the state before
the sheets are dealt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lampion.core.options import ChoiceOption, Option, TextOption
from lampion.games.lanterns_dice.components import (
    BOAT,
    CARD_ACTIONS,
    COLOR_LETTERS,
    LOWER,
    NUM_CARDS,
    NUM_COLUMNS,
    NUM_ROWS,
    NUM_SHEETS,
    PAVILION_LOWER,
    PAVILION_UPPER,
    PLATFORM,
    SHAPE_NAMES,
    SHAPES_IN_PLAY,
    SHEET_LETTERS,
    SIDE_LETTERS,
    TRAY_SEATS,
    UPPER,
    LanternsDiceFile,
)
from lampion.games.lanterns_dice.state import (
    DONE,
    NO_CARD,
    NO_CARD_SIDE,
    NO_COLOR,
    NO_POOL,
    NO_SHAPE,
    NOT_TURNED,
    POOL_BIT,
    SHEETS,
    State,
)

_BY_SETUP = "setup"
"""The default of what the option `setup` decides."""


class _Shapes(TextOption, frozen=True):
    """Names of shapes, all different, in any order."""

    def accepts(self, value: str) -> bool:
        names = value.split(" ")
        return len(names) == len(set(names)) == SHAPES_IN_PLAY and set(names) <= set(SHAPE_NAMES)


class _Sides(TextOption, frozen=True):
    """The side of each of the emperor's cards."""

    def accepts(self, value: str) -> bool:
        return len(value) == NUM_CARDS and set(value) <= set(SIDE_LETTERS)


OPTIONS: Sequence[Option] = (
    ChoiceOption("setup", "random", choices=("random", "first")),
    ChoiceOption("lakes", "same", choices=("same", "four")),
    _Shapes("fireworks", _BY_SETUP, example="I3 T4 S4 X5",
            wanted=f"four different shapes of {' '.join(SHAPE_NAMES)}"),
    _Sides("emperor", _BY_SETUP, example="ABA",
           wanted=f"the sides of {NUM_CARDS} cards, each A or B, such as ABA"),
)  # fmt: skip
_FIRST_GAME_SIDES = SIDE_LETTERS[0] * NUM_CARDS


def new_state(players: int, options: Mapping[str, str], components: LanternsDiceFile) -> State:
    state = State()
    _lay_out_pieces(state, players, components)
    for sheet, letter in enumerate(SHEET_LETTERS):
        _print_lake(state, sheet, components.lake(sheet if options["lakes"] == "four" else 0))
        column = components.bonuses(letter).column(players)
        state.turn_bonuses[sheet, : len(column)] = [COLOR_LETTERS.index(color) for color in column]
    _choose_fireworks(state, options, components)
    _choose_emperor(state, options)
    _prepare_table(state, components)
    return state


# --- options --------------------------------------------------------------------------------------


def _choose_fireworks(
    state: State, options: Mapping[str, str], components: LanternsDiceFile
) -> None:
    """D2: the shapes in play, or NO_SHAPE if chance picks them."""
    state.shapes[:] = NO_SHAPE
    if options["fireworks"] != _BY_SETUP:
        names = options["fireworks"].split(" ")
    elif options["setup"] == "first":
        names = [*components.fireworks.first_game]
    else:
        return
    state.shapes[:] = sorted(SHAPE_NAMES.index(name) for name in names)


def _choose_emperor(state: State, options: Mapping[str, str]) -> None:
    """D2: the sides of the emperor's cards, or NO_CARD_SIDE if chance lays them."""
    state.card_sides[:] = NO_CARD_SIDE
    if options["emperor"] != _BY_SETUP:
        sides = options["emperor"]
    elif options["setup"] == "first":
        sides = _FIRST_GAME_SIDES
    else:
        return
    state.card_sides[:] = [SIDE_LETTERS.index(side) for side in sides]


# --- pieces ---------------------------------------------------------------------------------------


def _lay_out_pieces(state: State, players: int, components: LanternsDiceFile) -> None:
    state.num_players = players
    state.num_turns = components.num_turns(players)
    state.tray_seats[:players] = TRAY_SEATS[players]
    state.reroll_cost = components.reroll_cost_gifts
    for shape, name in enumerate(SHAPE_NAMES):
        honors = components.shape(name).honor
        state.tile_honor[shape, : len(honors)] = honors
        state.stack_size[shape] = len(honors)
    for number, card in enumerate(components.emperor_cards):
        state.card_costs[number] = card.cost
        state.card_actions[number] = [CARD_ACTIONS.index(action) for action in (card.A, card.B)]


def _print_lake(state: State, sheet: int, rows: list[list[str]]) -> None:
    """Put every area and feature of a lake, whose rows come from the top, into its set."""
    assert sheet < NUM_SHEETS
    for row, codes in enumerate(rows):
        for column, code in enumerate(codes):
            upper, lower, feature = tuple(code)
            bit = POOL_BIT[(NUM_ROWS - 1 - row) * NUM_COLUMNS + column]
            state.color_areas[sheet, COLOR_LETTERS.index(upper), UPPER] |= bit
            state.color_areas[sheet, COLOR_LETTERS.index(lower), LOWER] |= bit
            if feature in (PAVILION_UPPER, PAVILION_LOWER):
                state.pavilions[sheet, UPPER if feature == PAVILION_UPPER else LOWER] |= bit
            elif feature == PLATFORM:
                state.platforms[sheet] |= bit
            elif feature == BOAT:
                state.boats[sheet] |= bit


def _prepare_table(state: State, components: LanternsDiceFile) -> None:
    """D3, and nobody has anything to do before chance has dealt."""
    state.gifts[: state.num_players] = components.starting_gifts
    state.dice[:] = NO_COLOR
    state.tray = NOT_TURNED
    state.step[:] = DONE
    state.bonus_pool[:] = NO_POOL
    state.bought[:] = NO_CARD
    state.second_color[:] = NO_COLOR
    state.chance_owes = SHEETS
