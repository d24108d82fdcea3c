"""Lumens, also sold as Glüx, by Jakob Andrusch. Rules U1 to U12; the rulebook is in `rulebook/`."""

from lampion.games.lumens.actions import ACTIONS
from lampion.games.lumens.components import NAME, LumensFile, read_components
from lampion.games.lumens.events import events
from lampion.games.lumens.notation import (
    action_text,
    hidden_text,
    owner,
    parse_action,
    position_text,
    refusal,
)
from lampion.games.lumens.print import printable
from lampion.games.lumens.setup import OPTIONS, new_state
from lampion.games.lumens.state import State
from lampion.games.lumens.svg import draw_svg
from lampion.games.lumens.text import draw_text
from lampion.games.lumens.view import own_view, view
from lampion.games.lumens.view_types import Event, View

TITLE = "Lumens"
DESIGNER = "Jakob Andrusch"
RULES_VERSION = 1
NUM_PLAYERS = range(2, 5)
COMPONENTS = LumensFile

__all__ = [
    "ACTIONS", "COMPONENTS", "DESIGNER", "NAME", "NUM_PLAYERS", "OPTIONS", "RULES_VERSION", "TITLE", "Event", "State", "View",
    "action_text", "draw_svg", "draw_text", "events", "hidden_text", "new_state", "own_view", "owner", "parse_action", "position_text",
    "printable", "read_components", "refusal", "view",
]  # fmt: skip
