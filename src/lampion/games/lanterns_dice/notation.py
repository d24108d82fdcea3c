"""The notation of Lanterns Dice: action ids <-> texts.

    sheets ACB               chance deals the sheets, from player 0 on
    fireworks I3 T4 S4 X5    chance picks the shapes            emperor ABA   and the sides of the emperor's cards
    rRBOW                    chance rolls the dice, in tray order
    reroll                   pay for another roll               t2   turn the tray by two quarters
    c4u, c4l                 shade the upper or lower area of a pool: column a-i from the left, row 1-6 from the bottom
    e3                       pay for the emperor's card 3       c4ul   then shade both areas of a pool (whole_pool)
    T4o2@c4                  launch: shape, orientation (quarter turns clockwise, + 4 if first mirrored left to right), lower left
                             pool of the box around the tile
    skip                     decline

Every text is unique among the legal actions. Of orientations that look the same only the lowest is
written; any is read.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from lampion.core.errors import InvalidAction
from lampion.core.messages import illegal
from lampion.core.types import NO_PLAYER, Action, Player
from lampion.games.lanterns_dice.actions import (
    ACTIONS,
    PLACEMENT_OF,
    PLACEMENT_POOLS,
    SHAPE_CHOICES,
    SHEET_DEALS,
    SIDE_CHOICES,
    Placement,
    placement_place,
)
from lampion.games.lanterns_dice.components import (
    COLOR_LETTERS,
    HALF_LETTERS,
    NAME,
    NUM_COLORS,
    NUM_DICE,
    POOL_NAMES,
    SHAPE_NAMES,
    SHEET_LETTERS,
    SIDE_LETTERS,
    lowest_orientation,
)
from lampion.games.lanterns_dice.rules_fireworks import why_not_cover, why_not_shape
from lampion.games.lanterns_dice.rules_reasons import REASONS
from lampion.games.lanterns_dice.rules_shading import (
    why_not_area,
    why_not_pool,
    why_not_shade,
    why_not_shade_pool,
)
from lampion.games.lanterns_dice.rules_turn import (
    why_not_buy,
    why_not_card,
    why_not_launch,
    why_not_pay_to_roll,
    why_not_skip,
    why_not_turn,
)
from lampion.games.lanterns_dice.state import NOT_TURNED, State

_POOL = "[a-i][1-6]"
_SHAPE = "|".join(SHAPE_NAMES)
_TRAY = re.compile("t([0-3])")
_SHADE = re.compile(f"({_POOL})([ul])")
_SHADE_POOL = re.compile(f"({_POOL})ul")
_CARD = re.compile("e([1-3])")
_LAUNCH = re.compile(f"({_SHAPE})o([0-7])@({_POOL})")
_SHEETS = re.compile(f"sheets ([{SHEET_LETTERS}]{{2,4}})")
_FIREWORKS = re.compile(f"fireworks ((?:{_SHAPE})(?: (?:{_SHAPE})){{3}})")


# --- ids to texts ---------------------------------------------------------------------------------


def action_text(state: State, player: Player, action: Action) -> str:
    return _text(action)


@functools.cache
def _text(action: Action) -> str:
    """An action means the same in every state."""
    block, numbers = ACTIONS.decode(action)
    return _TEXTS[block.name](*numbers)


def area_text(half: int, pool: int) -> str:
    return POOL_NAMES[pool] + HALF_LETTERS[half]


@functools.cache
def placement_text(placement: Placement) -> str:
    """A launched tile, such as T4o2@c4."""
    shape, orientation, corner = placement_place(placement)
    return f"{SHAPE_NAMES[shape]}o{orientation}@{POOL_NAMES[corner]}"


def roll_letters(roll: int) -> str:
    places = [NUM_COLORS**power for power in reversed(range(NUM_DICE))]
    return "".join(COLOR_LETTERS[roll // place % NUM_COLORS] for place in places)


def sheet_letters(deal: int) -> str:
    """Rows of deals for fewer players are filled up with sheet A, which
    nobody but player 0 ever has."""
    first, *others = (int(sheet) for sheet in SHEET_DEALS[deal])
    return "".join(SHEET_LETTERS[sheet] for sheet in (first, *(sheet for sheet in others if sheet)))


def shape_names(choice: int) -> str:
    return " ".join(SHAPE_NAMES[shape] for shape in SHAPE_CHOICES[choice])


def side_letters(choice: int) -> str:
    return "".join(SIDE_LETTERS[side] for side in SIDE_CHOICES[choice])


_TEXTS: dict[str, Callable[..., str]] = {
    "skip": lambda: "skip",
    "reroll": lambda: "reroll",
    "tray": lambda quarters: f"t{quarters}",
    "shade": area_text,
    "shade_pool": lambda pool: f"{POOL_NAMES[pool]}ul",
    "card": lambda card: f"e{card + 1}",
    "launch": placement_text,
    "sheets": lambda deal: f"sheets {sheet_letters(deal)}",
    "fireworks": lambda choice: f"fireworks {shape_names(choice)}",
    "emperor": lambda choice: f"emperor {side_letters(choice)}",
    "roll": lambda roll: f"r{roll_letters(roll)}",
}
_CHANCE_IDS = {
    _TEXTS[name](number): ACTIONS[name].id(number)
    for name in ("sheets", "fireworks", "emperor", "roll")
    for number in range(ACTIONS[name].size)
}


def hidden_text(state: State, player: Player, action: Action) -> str:
    """There are no secrets in this game."""
    return action_text(state, player, action)


def owner(state: State, player: Player) -> Player:
    return NO_PLAYER


# --- texts to ids ---------------------------------------------------------------------------------


def parse_action(state: State, player: Player, text: str) -> Action:
    """The id of an action, or `InvalidAction` if it is not notation, or `IllegalAction` if
    it names what is not there."""
    if shade := _SHADE.fullmatch(text):
        return ACTIONS["shade"].id(HALF_LETTERS.index(shade[2]), POOL_NAMES.index(shade[1]))
    if shade_pool := _SHADE_POOL.fullmatch(text):
        return ACTIONS["shade_pool"].id(POOL_NAMES.index(shade_pool[1]))
    if launch := _LAUNCH.fullmatch(text):
        return _parse_launch(text, launch[1], int(launch[2]), launch[3])
    if tray := _TRAY.fullmatch(text):
        return ACTIONS["tray"].id(int(tray[1]))
    if card := _CARD.fullmatch(text):
        return ACTIONS["card"].id(int(card[1]) - 1)
    if text in ("skip", "reroll"):
        return ACTIONS[text].id()
    return _parse_outcome(text)


def _parse_launch(text: str, shape: str, orientation: int, corner: str) -> Action:
    place = (
        SHAPE_NAMES.index(shape),
        lowest_orientation(shape, orientation),
        POOL_NAMES.index(corner),
    )
    if place not in PLACEMENT_OF:
        raise illegal(NAME, text, "D15", "off-the-lake", corner=corner)
    return ACTIONS["launch"].id(PLACEMENT_OF[place])


def _parse_outcome(text: str) -> Action:
    """What chance does."""
    if text in _CHANCE_IDS:
        return _CHANCE_IDS[text]
    for form, rule, key in ((_SHEETS, "D1", "no-such-deal"), (_FIREWORKS, "D2", "no-such-choice")):
        if form.fullmatch(text):
            raise illegal(NAME, text, rule, key)
    raise InvalidAction.unreadable(text, "c4u, c4ul, t2, reroll, e3, T4o2@c4 or skip")


# --- refusals -------------------------------------------------------------------------------------


def refusal(state: State, player: Player, action: Action) -> tuple[str, str]:
    """The rule by which an action that is not in the list was refused, and the key of the reason in
    the message catalog."""
    block, numbers = ACTIONS.decode(action)
    if player < 0 or block.name in ("sheets", "fireworks", "emperor", "roll"):
        return block.rule, "not-due"
    return REASONS[_WHY_NOT[block.name](state, player, *numbers)]


def _why_not_placement(state: State, player: Player, placement: Placement) -> int:
    shape, pools = placement_place(placement)[0], int(PLACEMENT_POOLS[placement])
    return (
        why_not_shape(state, shape)
        or why_not_launch(state, player)
        or why_not_cover(state, player, pools)
    )


# The general reason comes first.
_WHY_NOT: dict[str, Callable[..., int]] = {
    "skip": why_not_skip,
    "reroll": lambda state, player: (
        why_not_turn(state, player) or why_not_pay_to_roll(state, player)
    ),
    "tray": lambda state, player, _: why_not_turn(state, player),
    "shade": lambda state, player, half, pool: (
        why_not_shade(state, player) or why_not_area(state, player, half, pool)
    ),
    "shade_pool": lambda state, player, pool: (
        why_not_shade_pool(state, player) or why_not_pool(state, player, pool)
    ),
    "card": lambda state, player, card: (
        why_not_buy(state, player) or why_not_card(state, player, card)
    ),
    "launch": _why_not_placement,
}


def position_text(state: State) -> str:
    """One line that tells where the game stands."""
    if state.is_over:
        return "the game is over"
    if state.turn == state.num_turns:
        return "last launches"
    dice = (
        "".join(COLOR_LETTERS[color] for color in state.dice)
        if state.dice[0] >= 0
        else "not rolled"
    )
    tray = "" if state.tray == NOT_TURNED else f", tray t{state.tray}"
    return f"turn {state.turn + 1} of {state.num_turns}, player {state.active} active, dice {dice}{tray}"
