"""Lanterns: The Harvest Festival, by Christopher Chung. Rules L1 to L15; the
rulebook is in `rulebook/`."""

from lampion.games.lanterns.actions import ACTIONS
from lampion.games.lanterns.components import NAME, LanternsFile, read_components
from lampion.games.lanterns.events import events
from lampion.games.lanterns.notation import (
    action_text,
    action_texts,
    hidden_text,
    owner,
    parse_action,
    position_text,
    refusal,
)
from lampion.games.lanterns.setup import OPTIONS, new_state
from lampion.games.lanterns.state import State
from lampion.games.lanterns.svg import draw_svg
from lampion.games.lanterns.text import draw_text
from lampion.games.lanterns.view import own_view, view
from lampion.games.lanterns.view_types import Event, View

TITLE = "Lanterns: The Harvest Festival"
DESIGNER = "Christopher Chung"
RULES_VERSION = 1
NUM_PLAYERS = range(2, 5)
COMPONENTS = LanternsFile

__all__ = [
    "ACTIONS", "COMPONENTS", "DESIGNER", "NAME", "NUM_PLAYERS", "OPTIONS", "RULES_VERSION", "TITLE", "Event", "State", "View",
    "action_text", "action_texts", "draw_svg", "draw_text", "events", "hidden_text", "new_state", "own_view", "owner", "parse_action",
    "position_text", "read_components", "refusal", "view",
]  # fmt: skip
