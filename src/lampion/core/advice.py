"""Why an action is worth doing where its events only say what is done.

"Best here: turn the tray" needs a reason, but the event tells no more than the deed. So a game may
have a module `advice` with a function of that name. It gets the seat's view before the action and
after it, as far as the seat can know, and returns facts in the form of events, which the section
`advice` of the game's catalog puts into words.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from lampion.core.events import AnyEvent
from lampion.core.fold import fold
from lampion.core.game import has_module
from lampion.core.match import Match
from lampion.core.sentences import Reader, listed
from lampion.core.types import Player

SECTION = "advice"


def reason(match: Match, seat: Player, events: Sequence[AnyEvent], language: str) -> str:
    """What an action with these events (with their changes) does for the seat. Empty where the
    game has nothing to add."""
    game = match.game
    if not has_module(game, SECTION):
        return ""
    view = match.view(seat)
    module = importlib.import_module(f"{game.__name__}.{SECTION}")
    facts = module.advice(view, fold(view, events), seat, events)
    return listed(SECTION, facts, Reader(game.NAME, match.names, language, seat))
