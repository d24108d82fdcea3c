"""Nothing hidden leaves, in any game."""

from lampion.testing.redaction import *  # noqa: F403
from tests.support import ALL_GAMES

LAMPION_GAMES = ALL_GAMES
