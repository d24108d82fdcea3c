"""Catanatron: Catan between its random players."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.peers.worker import FROM_PYTHON, Task, main, version


def play(players: int) -> tuple[int, int]:
    from catanatron import Color, Game, RandomPlayer

    game = Game([RandomPlayer(color) for color in list(Color)[:players]])
    game.play()
    return len(game.state.actions), 1


def tasks(seconds: float) -> Iterator[Task]:
    for players in (2, 4):
        yield Task(f"Catan, {players} players", FROM_PYTHON, partial(play, players))


if __name__ == "__main__":
    main(f"Catanatron {version('catanatron')}", tasks)
