"""Flip, a game for tests: see `state.py`."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

from lampion.core.errors import InvalidAction
from lampion.core.plain import COMPONENTS, OPTIONS, read_components
from lampion.core.types import NO_PLAYER, Action, Json, Player
from lampion.core.views import MatchView
from tests.core.flip.actions import ACTIONS, FLIP, LEAVE
from tests.core.flip.state import CARD_TURNED, State, new_state

__all__ = ["ACTIONS", "COMPONENTS", "OPTIONS", "State", "new_state", "read_components"]

NAME, TITLE, DESIGNER, RULES_VERSION = "flip", "Flip", "nobody", 1
NUM_PLAYERS = range(2, 3)
_TEXTS = {FLIP: "flip", LEAVE: "leave"}
_EVENTS = ("dealt", "touched", "turned", "left")


class View(MatchView):
    shown: int


class Event(TypedDict):
    event: Literal["dealt", "touched", "turned", "left"]
    player: int
    face: NotRequired[int]


def action_text(state: State, player: Player, action: Action) -> str:
    return _TEXTS.get(action) or f"+{action}"


def hidden_text(state: State, player: Player, action: Action) -> str:
    return "+?"


def owner(state: State, player: Player) -> Player:
    return NO_PLAYER


def parse_action(state: State, player: Player, text: str) -> Action:
    for action in range(ACTIONS.size):
        if action_text(state, player, action) == text:
            return action
    raise InvalidAction(f"{text!r} is not valid Flip notation", text=text)


def refusal(state: State, player: Player, action: Action) -> tuple[str, str]:
    return "F2", "not-now"


def position_text(state: State) -> str:
    return f"player {state.active}"


def view(seen: State, seat: Player) -> dict[str, Json]:
    return {"shown": seen.shown}


def own_view(public: dict[str, Json], seen: State, seat: Player) -> dict[str, Json]:
    return public


def events(trail: npt.NDArray[np.int32]) -> list[dict[str, Json]]:
    return [
        {"event": _EVENTS[kind], "player": player, **({"face": a} if kind == CARD_TURNED else {})}
        for kind, player, a, _ in trail.tolist()
    ]


def draw_text(view: dict[str, Json]) -> str:
    return str(view["shown"])


def draw_svg(view: dict[str, Json]) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg"><text>{view["shown"]}</text></svg>'
