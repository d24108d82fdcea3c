"""Getting the rules ready while the server already answers.

Compiling a game takes most of a minute, once per machine. It happens in processes of their own, as many games at a time as there are
cores, so that pages load meanwhile; whoever opens a table of a game waits until it is done, and that game is compiled next. When
everything has been compiled before, this takes a moment.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from lampion.bots.base import Budget
from lampion.bots.search import Greedy, Search
from lampion.core import compile as compilation
from lampion.core.fairness import Chance, new_seed
from lampion.core.game import find_game, own_game_names
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.core.types import SPECTATOR
from lampion.core.warmup import warm_up

log = logging.getLogger("lampion.readiness")


def prepare(game: str) -> None:
    """Use everything of a game once, so that nothing is left to compile: rules, views, previews, bots."""
    found = find_game(game)
    warm_up(found)
    match = Match(found, found.NUM_PLAYERS[0], chance=Chance(new_seed()))
    match.views([SPECTATOR, match.to_act])
    match.previews()
    for bot in (Greedy(), Search()):
        bot.choose(
            match.seen_from(match.to_act),
            match.to_act,
            match.legal_ids(),
            Budget(iterations=2),
            new_rng(1),
        )
    if compilation.IS_ENABLED and _mark(game).parent.is_dir():
        _mark(game).touch()


def _mark(game: str) -> Path:
    """A file beside the compiled code that says: all of this game is there."""
    return compilation.cache_folder() / f"prepared-{game}"


class Readiness:
    """Which games can be played already."""

    def __init__(self, games: Sequence[str] = ()) -> None:
        self._ready = {name: asyncio.Event() for name in games or own_game_names()}
        self._queue = list(self._ready)
        self._loading = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        workers = min(os.cpu_count() or 1, len(self._queue))
        self._tasks = [asyncio.ensure_future(self._prepare_next()) for _ in range(workers)]

    def skip(self) -> None:
        """For a command that reads a log or two: rules are compiled when first used."""
        self._queue.clear()
        for event in self._ready.values():
            event.set()

    async def wait(self, game: str) -> None:
        """Until that game can be played; an unknown one is somebody else's problem."""
        if game in self._queue:
            self._queue.remove(game)
            self._queue.insert(0, game)
        if game in self._ready:
            await self._ready[game].wait()

    @property
    def preparing(self) -> list[str]:
        return [name for name, event in self._ready.items() if not event.is_set()]

    async def _prepare_next(self) -> None:
        """Prepare games until there are none left."""
        while self._queue:
            await self._prepare(self._queue.pop(0))

    async def _prepare(self, game: str) -> None:
        try:
            if compilation.IS_ENABLED and not _mark(game).exists():
                log.info("compiling, once", extra={"game": game})
                await self._in_own_process(game)
            async with self._loading:
                await asyncio.to_thread(prepare, game)
        except Exception:
            log.exception("a game could not be prepared", extra={"game": game})
        self._ready[game].set()

    async def _in_own_process(self, game: str) -> None:
        code = f"from lampion.server.tables.readiness import prepare; prepare({game!r})"
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
        try:
            await process.wait()
        finally:
            if process.returncode is None:
                process.kill()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
