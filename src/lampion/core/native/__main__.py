"""Print the C of a game: python -m lampion.core.native GAME [--study] [--checked]."""

from __future__ import annotations

import argparse
import sys

from lampion.core.compile import game_of
from lampion.core.game import find_game
from lampion.core.native.doors import Module
from lampion.core.native.library import DOORS, STUDY_DOORS, Library


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--checked", action="store_true", help="with the checks of a checked build")
    parser.add_argument("--study", action="store_true", help="what research and reviews need")
    wanted = parser.parse_args()
    game = game_of(find_game(wanted.game).State.dtype)
    assert game is not None
    library = Library(game, STUDY_DOORS if wanted.study else DOORS)
    sys.stdout.write(
        Module(game.title, game.dtype, library.entries(), wanted.checked).extension("")
    )


if __name__ == "__main__":
    main()
