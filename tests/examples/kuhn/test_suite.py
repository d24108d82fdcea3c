"""The whole suite for one game, in a file of two lines."""

from lampion.testing.suite import *  # noqa: F403

LAMPION_GAME = "kuhn"
