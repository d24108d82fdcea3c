"""Compile the rules of a game ahead, once, with a progress bar; afterwards they are read from the cache."""

from __future__ import annotations

from lampion.cli.common import progress
from lampion.core import compile as compilation
from lampion.core.game import Game
from lampion.core.warmup import count_functions, warm_up


def compile_ahead(game: Game) -> None:
    """Make all doors into the rules of a game ready, showing what is going on if it takes a while."""
    if not compilation.IS_ENABLED:
        return
    total = count_functions(game)
    with progress() as bar:
        task = bar.add_task(f"Compiling the rules of {game.TITLE} (once)", total=total, visible=False)

        def on_compiled(name: str) -> None:
            bar.update(task, advance=1, visible=True)

        with compilation.counting_compilations(on_compiled):
            warm_up(game)
