"""The set-up of Lanterns Dice, D1 to D4: from players, options and components to the state before the sheets are dealt."""

from __future__ import annotations

from collections.abc import Mapping

from lampion.core.errors import InvalidOptions
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

OPTIONS: Mapping[str, str] = {
    "setup": "random shapes and emperor sides, or `first`: V3 O4 T4 U5 and side A of all cards, for a first game",
    "lakes": "same lake for everybody, or `four`: a different lake on each sheet",
    "fireworks": "setup decides, or four different shapes such as `I3 T4 S4 X5`",
    "emperor": "setup decides, or the sides of the three cards such as `ABA`",
}
_DEFAULTS = {option: meaning.split()[0] for option, meaning in OPTIONS.items()}
_CHOICES = {"setup": ("random", "first"), "lakes": ("same", "four")}
_FIRST_GAME_SIDES = SIDE_LETTERS[0] * NUM_CARDS


def new_state(players: int, options: Mapping[str, str], components: LanternsDiceFile) -> State:
    options = _checked_options(options)
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


# --- options ----------------------------------------------------------------------------------------------------------------------


def _checked_options(options: Mapping[str, str]) -> Mapping[str, str]:
    """All options, with their defaults."""
    for option, value in options.items():
        if option not in OPTIONS:
            raise InvalidOptions(
                f"Lanterns Dice has no option {option!r}",
                code="unknown-option",
                where="options",
                option=option,
            )
        if option in _CHOICES and value not in _CHOICES[option]:
            raise _bad_option(option, value, " or ".join(_CHOICES[option]))
    return {**_DEFAULTS, **options}


def _bad_option(option: str, value: str, wanted: str) -> InvalidOptions:
    message = f"the option {option!r} is {wanted}, not {value[:40]!r}"
    where = f"options.{option}"
    return InvalidOptions(
        message, code="invalid-option", where=where, option=option, value=value[:40], wanted=wanted
    )


def _choose_fireworks(
    state: State, options: Mapping[str, str], components: LanternsDiceFile
) -> None:
    """D2: the shapes in play, or NO_SHAPE if chance picks them."""
    state.shapes[:] = NO_SHAPE
    if options["fireworks"] != _DEFAULTS["fireworks"]:
        names = _checked_shapes(options["fireworks"])
    elif options["setup"] == "first":
        names = [*components.fireworks.first_game]
    else:
        return
    state.shapes[:] = sorted(SHAPE_NAMES.index(name) for name in names)


def _checked_shapes(text: str) -> list[str]:
    names = text.split(" ")
    if (
        len(set(names)) != SHAPES_IN_PLAY
        or len(names) != SHAPES_IN_PLAY
        or not set(names) <= set(SHAPE_NAMES)
    ):
        raise _bad_option("fireworks", text, f"four different shapes of {' '.join(SHAPE_NAMES)}")
    return names


def _choose_emperor(state: State, options: Mapping[str, str]) -> None:
    """D2: the sides of the emperor's cards, or NO_CARD_SIDE if chance lays them."""
    state.card_sides[:] = NO_CARD_SIDE
    if options["emperor"] != _DEFAULTS["emperor"]:
        sides = options["emperor"]
        if len(sides) != NUM_CARDS or not set(sides) <= set(SIDE_LETTERS):
            raise _bad_option(
                "emperor", sides, f"the sides of {NUM_CARDS} cards, each A or B, such as ABA"
            )
    elif options["setup"] == "first":
        sides = _FIRST_GAME_SIDES
    else:
        return
    state.card_sides[:] = [SIDE_LETTERS.index(side) for side in sides]


# --- pieces -----------------------------------------------------------------------------------------------------------------------


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
