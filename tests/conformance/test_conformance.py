"""What every game must keep at every step, for all numbers of players and options."""

from lampion.testing.conformance import *  # noqa: F403
from tests.support import ALL_GAMES

LAMPION_GAMES = ALL_GAMES
