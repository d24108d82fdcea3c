"""The conformance suite: what every game must keep, as tests that `pytest` runs for any game.

    pytest --lampion-game my_game              the whole suite, without a file of tests

or two lines in a file of tests:

    from lampion.testing.suite import *
    LAMPION_GAME = "my_game"

The suite is found by pytest wherever Lampion is installed (`lampion.testing.plugin`). What it
cannot know about a game, `tell` tells it, in the file of tests or in a `conftest.py`.
"""

from lampion.testing.about import tell
from lampion.testing.cases import Case

__all__ = ["Case", "tell"]
