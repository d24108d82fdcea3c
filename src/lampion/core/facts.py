"""What a game says about itself to the programs around it: nobody else has to know which game it
is.

A game declares its facts in a module `facts` of its package, as `FACTS = GameFacts(...)`. Everything
has a default, so a game without that module is fine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

TO_THE_END = -1
RANDOM_PLAYOUT, POLICY_PLAYOUT, EVALUATED_PLAYOUT = range(3)
"""How playouts of the search choose their actions."""


@dataclass(frozen=True)
class GameFacts:
    """Settings and signs of one game."""

    search: Mapping[str, float] = field(default_factory=dict)
    """The settings of the search that won most matches in the arena (docs/bots.md), where they are
    not the defaults."""
    search_with_network: Mapping[str, float] = field(default_factory=dict)
    """The same where a network evaluates, which then also chooses the moves that everybody is
    expected to make."""
    levels: Mapping[str, str] = field(default_factory=dict)
    """The bots behind the levels that people choose, by level, where they are not the usual ones
    (`bots.levels`)."""
    rated_top: str = "search:3000"
    """What stands in for the strongest level, which thinks in seconds, where results must be the same
    on every machine. Where a network chooses the moves, an iteration takes longer."""
    environment_version: int = 0
    """Part of the names of environments. It rises when results before and after could not be
    compared."""
    most_entries: int = 500
    """Entries of the longest log, for tensors that hold a whole game (`research.infostate`)."""
    most_points: float | None = None
    """No result is further than this from the mean of all players; None says nothing about it."""
    has_board: bool = False
    """Whether the client in the browser has a folder for it. Otherwise the server sends its drawing
    with every update, and the game is played at the generic table."""
    letter_colors: Mapping[str, str | int] = field(default_factory=dict)
    """Letters of the drawing in text, with the color that a terminal shows them in: a name, or a
    number of the palette of 256."""
