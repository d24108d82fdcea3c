"""Connect Four, by Howard Wexler and Ned Strongin. Rules C1 to C4; the rulebook is in `rulebook/`."""

from connect_four.actions import ACTIONS
from connect_four.drawing import draw_svg, draw_text
from connect_four.notation import action_text, parse_action, position_text, refusal
from connect_four.state import NAME, NUM_PLAYERS, TITLE, State, new_state
from connect_four.view import Event, View, events, view
from lampion.core.plain import COMPONENTS, OPTIONS, hidden_text, owner, read_components

DESIGNER = "Howard Wexler and Ned Strongin"
RULES_VERSION = 1

__all__ = [
    "ACTIONS", "COMPONENTS", "DESIGNER", "NAME", "NUM_PLAYERS", "OPTIONS", "RULES_VERSION", "TITLE", "Event", "State", "View",
    "action_text", "draw_svg", "draw_text", "events", "hidden_text", "new_state", "owner", "parse_action", "position_text",
    "read_components", "refusal", "view",
]  # fmt: skip
