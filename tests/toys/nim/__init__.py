"""Nim, with an option of every kind and a variant of its own. Rules N1 to N3 are in `rules`."""

from lampion.core.plain import COMPONENTS, hidden_text, owner, read_components
from tests.toys.nim.notation import action_text, parse_action, position_text, refusal
from tests.toys.nim.rules import ACTIONS, OPTIONS, State, new_state
from tests.toys.nim.view import Event, View, draw_svg, draw_text, events, view

NAME, TITLE, DESIGNER = "nim", "Nim", "nobody knows"
NUM_PLAYERS = range(2, 4)
RULES_VERSION = 1

__all__ = [
    "ACTIONS", "COMPONENTS", "DESIGNER", "NAME", "NUM_PLAYERS", "OPTIONS", "RULES_VERSION", "TITLE", "Event", "State", "View",
    "action_text", "draw_svg", "draw_text", "events", "hidden_text", "new_state", "owner", "parse_action", "position_text",
    "read_components", "refusal", "view",
]  # fmt: skip
