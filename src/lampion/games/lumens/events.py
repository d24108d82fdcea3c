"""What happens in Lumens, told to a seat: the trail that the rules wrote, with what it changes in
the view."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from lampion.core.events import AnyEvent, Telling, Writer, move
from lampion.core.types import Player
from lampion.games.lumens.actions import (
    CHOOSE_START,
    DRAW,
    square_name,
    square_number,
)
from lampion.games.lumens.components import ROOM_LETTERS, Face
from lampion.games.lumens.state import (
    BLOCKED,
    PASSAGE,
    POINTS_CHANGED,
    SEATED,
    START_CHOSEN,
    START_SHOWN,
    TOKEN_COVERED,
    TOKEN_DRAWN,
    TOKEN_PLACED,
)
from lampion.games.lumens.view import faces_of, leaders_of
from lampion.games.lumens.view_types import Light


def events(trail: npt.NDArray[np.int32], telling: Telling) -> list[AnyEvent]:
    """What an action did, in order."""
    return [_EVENTS[cause](telling, *row) for cause, *row in trail.tolist()]


# --- tokens -------------------------------------------------------------------------------------


def _comes_to_board(cause: str) -> Writer:
    def write(t: Telling, player: Player, face: Face, square: int, room: int, _: int) -> AnyEvent:
        if cause == "start":
            t.set(None, "seats", player, "start_face")
        _leave_hand(t, player, face)
        _lie_on(t, player, face, square)
        _count_pips(t, player, room, face)
        name = square_name(square)
        if cause == "place":
            t.set(name, "last_placed")
        told = move(cause, player, f"token:{face}", f"seat:{player}", f"square:{name}")
        return t.event({**told, "square": name, "face": face, "room": _letter(room)})

    return write


def _leave_hand(t: Telling, player: Player, face: Face) -> None:
    """The token is shown from now on."""
    seat = ("seats", player)
    t.set(None, *seat, "hand")
    t.add(-1, *seat, "unshown", int(t.start.face_kinds[face]), "count")
    t.add(-1, *seat, "num_unshown")
    t.add(-1, *seat, "hand_size")


def _lie_on(t: Telling, player: Player, face: Face, square: int) -> None:
    """On an empty square, or on top of the token there. Squares are
    listed by row, from the bottom."""
    name, lights = square_name(square), t.at("squares") or ()
    light = {"square": name, "player": player, "face": face, "covered": None}
    index = bisect_left(lights, square, key=_number_of)
    if index < len(lights) and lights[index]["square"] == name:
        dead = {"player": lights[index]["player"], "face": lights[index]["face"]}
        t.set({**light, "covered": dead}, "squares", index)
    else:
        t.insert(index, light, "squares")


def _number_of(light: Light) -> int:
    return square_number(light["square"])


def _count_pips(t: Telling, player: Player, room: int, pips: int) -> None:
    """Passages have no pips. Who leads then is told with them, so that previews tell it too."""
    if room == PASSAGE:
        return
    index = t.find("room", _letter(room), "rooms")
    t.add(pips, "rooms", index, "pips", player)
    if counted := t.at("rooms", index, "pips"):
        t.set(leaders_of(counted), "rooms", index, "leaders")


def _covered(t: Telling, player: Player, face: Face, square: int, room: int, _: int) -> AnyEvent:
    _count_pips(t, player, room, -face)
    told = {"event": "covered", "player": player, "square": square_name(square)}
    return t.event({**told, "face": face, "room": _letter(room)})


def _drawn(t: Telling, player: Player, *_: int) -> AnyEvent:
    t.add(1, "seats", player, "hand_size")
    told = move("draw", player, "token", "bag", f"seat:{player}")
    if t.action is None:
        return t.event(told)
    faces = faces_of(t.start)[t.action - DRAW]
    t.set(faces, "seats", player, "hand")
    return t.event({**told, "faces": faces})


def _start_chosen(t: Telling, player: Player, *_: int) -> AnyEvent:
    t.set(True, "seats", player, "has_chosen")
    told = {"event": "start_chosen", "player": player}
    if t.action is None:
        return t.event(told)
    face = t.action - CHOOSE_START + 1
    t.set(face, "seats", player, "start_face")
    return t.event({**told, "face": face})


def _letter(room: int) -> str | None:
    return None if room == PASSAGE else ROOM_LETTERS[room]


# --- seats, points, the end ---------------------------------------------------------------------


def _seated(t: Telling, player: Player, _: int, square: int, *__: int) -> AnyEvent:
    t.set(square_name(square), "seats", player, "start")
    return t.event({"event": "seated", "player": player, "square": square_name(square)})


def _score(t: Telling, player: Player, room: int, _: int, __: int, change: int) -> AnyEvent:
    t.add(change, "rooms", t.find("room", ROOM_LETTERS[room], "rooms"), "points", player)
    t.add(change, "seats", player, "points")
    told = {"event": "score", "player": player, "room": ROOM_LETTERS[room]}
    return t.event({**told, "count": change})


def _blocked(t: Telling, player: Player, *_: int) -> AnyEvent:
    t.set(True, "seats", player, "is_out")
    return t.event({"event": "blocked", "player": player})


_EVENTS: dict[int, Writer] = {
    SEATED: _seated,
    TOKEN_DRAWN: _drawn,
    START_CHOSEN: _start_chosen,
    START_SHOWN: _comes_to_board("start"),
    TOKEN_PLACED: _comes_to_board("place"),
    TOKEN_COVERED: _covered,
    POINTS_CHANGED: _score,
    BLOCKED: _blocked,
}
