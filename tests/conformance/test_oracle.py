"""Every game against its oracle, played side by side."""

from lampion.testing.oracle import *  # noqa: F403
from tests.support import ALL_GAMES

LAMPION_GAMES = ALL_GAMES
