"""The notation of Lumens: action ids <-> texts.

    middle 1     chance gives the middle spot to player 1 (three players)
    +16          chance gives a token with the faces 1 and 6 to the player who draws (others read +?)
    c5=6         place the token in hand on c5, showing 6: column from the left, row from the bottom
    a1=6         also how the face of the start token is chosen (others read a1=? until all have chosen)

Every text is unique among the legal actions.
"""

from __future__ import annotations

import functools
import re

from lampion.core.errors import InvalidAction
from lampion.core.messages import illegal
from lampion.core.types import CHANCE, NO_PLAYER, Action, Player
from lampion.games.lumens.actions import (
    ACTIONS,
    CHOOSE_START,
    DRAW,
    MIDDLE,
    choose_action,
    draw_action,
    middle_action,
    place_action,
    placed_face,
    placed_square,
    square_name,
    square_number,
)
from lampion.games.lumens.components import (
    COLUMN_LETTERS,
    MAX_FACE,
    MAX_KINDS,
    MAX_ROWS,
    NAME,
    Face,
    Kind,
)
from lampion.games.lumens.rules_board import (
    BEYOND_BORDER,
    LINE_IS_CUT,
    OUT_OF_REACH,
    SQUARE_IS_FULL,
    START_OF_ANOTHER,
    why_closed,
    why_not_arrive,
)
from lampion.games.lumens.state import (
    CHOOSE_PHASE,
    EMPTY,
    NO_ROOM,
    OVER_PHASE,
    PLAY_PHASE,
    State,
)

_SQUARE = f"[{COLUMN_LETTERS}](?:{'|'.join(str(row) for row in range(MAX_ROWS, 0, -1))})"
_PLACE = re.compile(rf"({_SQUARE})=([1-{MAX_FACE}])")
_DRAW = re.compile(rf"\+([1-{MAX_FACE}]{{2}})")
_MIDDLE = re.compile(r"middle ([0-2])")


# --- ids to texts ---------------------------------------------------------------------------------


def action_text(state: State, player: Player, action: Action) -> str:
    if action >= DRAW:
        return f"+{kind_text(state, action - DRAW)}"
    if action >= MIDDLE:
        return f"middle {action - MIDDLE}"
    if action >= CHOOSE_START:
        return f"{square_name(int(state.starts[player]))}={action - CHOOSE_START + 1}"
    return _placement_text(action)


@functools.cache
def _placement_text(action: Action) -> str:
    return f"{square_name(placed_square(action))}={placed_face(action)}"


def kind_text(state: State, kind: Kind) -> str:
    """The two faces of a kind of token, such as 16."""
    return "".join(str(face) for face in state.kind_faces[kind])


def hidden_text(state: State, player: Player, action: Action) -> str:
    """What others read when a player draws a token or chooses a start face."""
    return "+?" if action >= DRAW else f"{square_name(int(state.starts[player]))}=?"


def owner(state: State, player: Player) -> Player:
    """Whose secret the action due now is."""
    return state.drawer if player == CHANCE else player


# --- texts to ids ---------------------------------------------------------------------------------


def parse_action(state: State, player: Player, text: str) -> Action:
    """The id of an action, or `InvalidAction` if it is not notation, or `IllegalAction` if
    it names what is not there."""
    if place := _PLACE.fullmatch(text):
        return _parse_place(state, player, place[1], int(place[2]))
    if draw := _DRAW.fullmatch(text):
        return _parse_draw(state, draw[1])
    if middle := _MIDDLE.fullmatch(text):
        return middle_action(int(middle[1]))
    raise InvalidAction.unreadable(text, "c5=6")


def _parse_place(state: State, player: Player, name: str, face: Face) -> Action:
    square = square_number(name)
    if state.room[square] == NO_ROOM:
        raise illegal(NAME, f"{name}={face}", "U5", "no-such-square", square=name)
    if state.phase != CHOOSE_PHASE or player < 0:
        return place_action(square, face)
    if square != state.starts[player]:
        raise illegal(NAME, f"{name}={face}", "U4", "not-your-start", square=name)
    return choose_action(face)


def _parse_draw(state: State, faces: str) -> Action:
    kinds = {kind_text(state, kind): kind for kind in range(MAX_KINDS)}
    if faces not in kinds:
        raise illegal(NAME, f"+{faces}", "U1", "no-such-kind", faces=faces)
    return draw_action(kinds[faces])


# --- refusals -------------------------------------------------------------------------------------


def refusal(state: State, player: Player, action: Action) -> tuple[str, str]:
    """The rule by which an action that is not in the list was refused, and the key of the reason in
    the message catalog."""
    block = ACTIONS.block_of(action)
    if player == CHANCE:
        is_draw = block.name == "draw" and state.drawer != NO_PLAYER
        return block.rule, ("bag-lacks-kind" if is_draw else "not-due")
    if block.name in ("draw", "middle"):
        return block.rule, "only-chance"
    if state.phase == CHOOSE_PHASE:
        return "U4", ("choose-first" if block.name == "place" else "face-not-in-hand")
    if block.name == "choose_start":
        return "U4", "start-is-past"
    return _why_no_placement(state, player, placed_square(action), placed_face(action))


def _why_no_placement(state: State, player: Player, square: int, face: Face) -> tuple[str, str]:
    closed = why_closed(state, player, square)
    if closed != BEYOND_BORDER and state.face_kinds[face] != state.hand[player]:
        return "U5", "face-not-in-hand"
    return _REASONS[closed or why_not_arrive(state, player, square)]


_REASONS = {
    BEYOND_BORDER: ("U5", "off-board"),
    SQUARE_IS_FULL: ("U6", "square-is-full"),
    START_OF_ANOTHER: ("U5", "start-of-another"),
    LINE_IS_CUT: ("U5", "line-is-cut"),
    OUT_OF_REACH: ("U5", "out-of-reach"),
}


def position_text(state: State) -> str:
    """One line that tells where the game stands, without secrets."""
    lit = int(((state.top != EMPTY) & (state.room != NO_ROOM)).sum())
    points = " ".join(str(points) for points in state.points[: state.num_players])
    who = (
        f"player {state.active}'s turn"
        if state.phase == PLAY_PHASE
        else "game over"
        if state.phase == OVER_PHASE
        else "set-up"
    )
    return f"{who}, tokens on {lit} squares, points {points}"
