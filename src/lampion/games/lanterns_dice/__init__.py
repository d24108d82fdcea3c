"""Lanterns Dice: Lights in the Sky, by Chris Bryan. Rules D1 to D18; the
rulebook is in `rulebook/`."""

from lampion.games.lanterns_dice.actions import ACTIONS
from lampion.games.lanterns_dice.components import NAME, LanternsDiceFile, read_components
from lampion.games.lanterns_dice.events import events
from lampion.games.lanterns_dice.notation import (
    action_text,
    hidden_text,
    owner,
    parse_action,
    position_text,
    refusal,
)
from lampion.games.lanterns_dice.print import printable
from lampion.games.lanterns_dice.setup import OPTIONS, new_state
from lampion.games.lanterns_dice.state import State
from lampion.games.lanterns_dice.svg import draw_svg
from lampion.games.lanterns_dice.text import draw_text
from lampion.games.lanterns_dice.view import view
from lampion.games.lanterns_dice.view_types import Event, View

TITLE = "Lanterns Dice: Lights in the Sky"
DESIGNER = "Chris Bryan"
RULES_VERSION = 1
NUM_PLAYERS = range(2, 5)
COMPONENTS = LanternsDiceFile

__all__ = [
    "ACTIONS", "COMPONENTS", "DESIGNER", "NAME", "NUM_PLAYERS", "OPTIONS", "RULES_VERSION", "TITLE", "Event", "State", "View",
    "action_text", "draw_svg", "draw_text", "events", "hidden_text", "new_state", "owner", "parse_action", "position_text",
    "printable", "read_components", "refusal", "view",
]  # fmt: skip
