"""Environments of all games in the checks of the projects that they are for."""

from lampion.testing.environments import *  # noqa: F403
from tests.support import ALL_GAMES

LAMPION_GAMES = ALL_GAMES
