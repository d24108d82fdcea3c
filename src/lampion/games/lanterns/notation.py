"""The notation of Lanterns: action ids <-> texts.

    +17          chance gives tile 17 to the player who draws (others read +?)
    xP>R         exchange: give purple, take red
    d4:R         dedicate four of a kind        d3:OBW   three pairs, letters in canonical order        d7   seven unique
    -R           discard
    17r1@2,-1    place tile 17, one quarter turn clockwise, at x = 2 (east), y = -1 (south) of the start tile
    pass         end the last turn

Every text is unique among the legal actions. Of rotations that look the same only the lowest is
written; any is read.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence

from lampion.core.errors import InvalidAction
from lampion.core.messages import illegal
from lampion.core.types import CHANCE, Action, Player
from lampion.games.lanterns.actions import (
    ACTIONS,
    DRAW,
    PLACE,
    PLACES_PER_CELL,
    place_action,
    triple_letters,
)
from lampion.games.lanterns.components import COLOR_LETTERS, NAME, NUM_COLORS, NUM_SIDES, NUM_TILES
from lampion.games.lanterns.rules_reasons import (
    NO_CARD_TO_DISCARD,
    NOT_IN_HAND,
    REASONS,
    SET_NOT_HELD,
    TILE_SEEN,
    why_not_dedicate,
    why_not_discard,
    why_not_exchange,
    why_not_pass,
    why_not_place,
    why_not_swap,
)
from lampion.games.lanterns.state import State

_C = f"[{COLOR_LETTERS}]"
_NUMBER = "0|[1-9][0-9]?"
_COORDINATE = "0|-?[1-9][0-9]?"
_PLACE = re.compile(rf"({_NUMBER})r([0-3])@({_COORDINATE}),({_COORDINATE})", re.ASCII)
_EXCHANGE = re.compile(rf"x({_C})>({_C})")
_FOUR = re.compile(rf"d4:({_C})")
_PAIRS = re.compile(rf"d3:({_C}{_C}{_C})")
_DISCARD = re.compile(rf"-({_C})")
_DRAW = re.compile(rf"\+({_NUMBER})", re.ASCII)
_TRIPLES = {triple_letters(triple): triple for triple in range(ACTIONS["dedicate_pairs"].size)}


# --- ids to texts ---------------------------------------------------------------------------------


def action_text(state: State, player: Player, action: Action) -> str:
    if PLACE <= action < DRAW:
        f, slot, rotation = ACTIONS["place"].numbers(action)
        return f"{state.hand.item(player, slot)}r{rotation}@{state.frontier_x.item(f)},{state.frontier_y.item(f)}"
    return _plain_text(action)


def action_texts(state: State, player: Player, actions: Sequence[Action]) -> list[str]:
    """The texts of many actions: what placements name, turned tiles and free places, is read and
    written only once each."""
    turned = [
        f"{tile}r{rotation}@"
        for tile in state.hand[player].tolist()
        for rotation in range(NUM_SIDES)
    ]
    count = state.num_frontier
    places = [
        f"{x},{y}"
        for x, y in zip(
            state.frontier_x[:count].tolist(), state.frontier_y[:count].tolist(), strict=True
        )
    ]
    return [
        turned[(action - PLACE) % PLACES_PER_CELL] + places[(action - PLACE) // PLACES_PER_CELL]
        if PLACE <= action < DRAW
        else _plain_text(action)
        for action in actions
    ]


@functools.cache
def _plain_text(action: Action) -> str:
    """The text of an action that means the same in every state."""
    block, numbers = ACTIONS.decode(action)
    return _TEXTS[block.name](*numbers)


_TEXTS: dict[str, Callable[..., str]] = {
    "pass": lambda: "pass",
    "exchange": lambda give, take: f"x{COLOR_LETTERS[give]}>{COLOR_LETTERS[take]}",
    "dedicate_four": lambda color: f"d4:{COLOR_LETTERS[color]}",
    "dedicate_pairs": lambda triple: f"d3:{triple_letters(triple)}",
    "dedicate_seven": lambda: "d7",
    "discard": lambda color: f"-{COLOR_LETTERS[color]}",
    "draw": lambda tile: f"+{tile}",
}


def hidden_text(state: State, player: Player, action: Action) -> str:
    """What others read when a player draws a tile; nothing is hidden
    where everybody sees the hand."""
    return "" if state.is_open_to_all("hand") else "+?"


def owner(state: State, player: Player) -> Player:
    """Whose secret the action due now is."""
    return state.drawer


# --- texts to ids ---------------------------------------------------------------------------------


def parse_action(state: State, player: Player, text: str) -> Action:
    """The id of an action, or `InvalidAction` if it is not notation, or `IllegalAction` if
    it names what is not there."""
    if place := _PLACE.fullmatch(text):
        return _parse_place(state, player, *(int(number) for number in place.groups()))
    if exchange := _EXCHANGE.fullmatch(text):
        return ACTIONS["exchange"].id(
            COLOR_LETTERS.index(exchange[1]), COLOR_LETTERS.index(exchange[2])
        )
    if four := _FOUR.fullmatch(text):
        return ACTIONS["dedicate_four"].id(COLOR_LETTERS.index(four[1]))
    if (pairs := _PAIRS.fullmatch(text)) and pairs[1] in _TRIPLES:
        return ACTIONS["dedicate_pairs"].id(_TRIPLES[pairs[1]])
    if discard := _DISCARD.fullmatch(text):
        return ACTIONS["discard"].id(COLOR_LETTERS.index(discard[1]))
    if (draw := _DRAW.fullmatch(text)) and int(draw[1]) < NUM_TILES:
        return ACTIONS["draw"].id(int(draw[1]))
    if text in ("pass", "d7"):
        return ACTIONS["pass" if text == "pass" else "dedicate_seven"].id()
    raise InvalidAction.unreadable(text, "17r1@2,-1, xP>R, d4:R, d3:OBW, d7, -R or pass")


def _parse_place(state: State, player: Player, tile: int, rotation: int, x: int, y: int) -> Action:
    hand = state.hand[player].tolist()
    if player < 0 or tile not in hand:
        raise illegal(NAME, f"{tile}r{rotation}@{x},{y}", "L9", "no-such-tile", tile=tile)
    xs, ys = state.frontier_x.tolist(), state.frontier_y.tolist()
    for cell in range(state.num_frontier):
        if xs[cell] == x and ys[cell] == y:
            turns = rotation % int(state.tile_rotations[tile])
            return place_action(cell, hand.index(tile), turns)
    raise illegal(NAME, f"{tile}r{rotation}@{x},{y}", "L9", "no-free-place", x=x, y=y)


# --- refusals -------------------------------------------------------------------------------------


def refusal(state: State, player: Player, action: Action) -> tuple[str, str]:
    """The rule by which an action that is not in the list was refused, and the key of the reason in
    the message catalogs."""
    block, numbers = ACTIONS.decode(action)
    if player == CHANCE and block.name != "draw":
        return block.rule, "not-by-chance"
    return REASONS[_WHY_NOT[block.name](state, player, *numbers)]


# The general reason comes first; an action that is refused although there is none names what the
# player does not have.
_WHY_NOT: dict[str, Callable[..., int]] = {
    "pass": lambda state, player: why_not_pass(state),
    "exchange": lambda state, player, give, take: (
        why_not_exchange(state, player) or why_not_swap(state, player, give, take)
    ),
    "dedicate_four": lambda state, player, *_: why_not_dedicate(state) or SET_NOT_HELD,
    "dedicate_pairs": lambda state, player, *_: why_not_dedicate(state) or SET_NOT_HELD,
    "dedicate_seven": lambda state, player: why_not_dedicate(state) or SET_NOT_HELD,
    "discard": lambda state, player, _: why_not_discard(state, player) or NO_CARD_TO_DISCARD,
    "place": lambda state, player, *_: why_not_place(state, player) or NOT_IN_HAND,
    "draw": lambda *_: TILE_SEEN,
}


def position_text(state: State) -> str:
    """One line that tells where the game stands, without secrets."""
    piles = " ".join(f"{COLOR_LETTERS[color]}{state.supply[color]}" for color in range(NUM_COLORS))
    return f"player {state.active}'s turn, {state.num_laid} tiles on the lake, supply {piles}"
