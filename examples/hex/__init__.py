"""Hex on 11 x 11 cells, found by Piet Hein and again by John Nash. Rules H1 to H3; the rulebook is in `rulebook/`."""

from hex.actions import ACTIONS
from hex.drawing import draw_svg, draw_text
from hex.notation import action_text, parse_action, position_text, refusal
from hex.state import NAME, NUM_PLAYERS, TITLE, State, new_state
from hex.view import Event, View, events, view
from lampion.core.plain import COMPONENTS, OPTIONS, hidden_text, owner, read_components

DESIGNER = "Piet Hein and John Nash"
RULES_VERSION = 1

__all__ = [
    "ACTIONS", "COMPONENTS", "DESIGNER", "NAME", "NUM_PLAYERS", "OPTIONS", "RULES_VERSION", "TITLE", "Event", "State", "View",
    "action_text", "draw_svg", "draw_text", "events", "hidden_text", "new_state", "owner", "parse_action", "position_text",
    "read_components", "refusal", "view",
]  # fmt: skip
