"""Getting the rules ready while the server already answers.

The package brings its rules compiled, and then this takes a moment. After an edit they are compiled
again, which takes two or three seconds a game: pages load meanwhile, and a player who opens a table
waits for that game alone, which is prepared next.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence

from lampion.bots.base import Budget
from lampion.bots.search import Greedy, Search
from lampion.core.fairness import Chance, new_seed
from lampion.core.game import find_game, game_names
from lampion.core.match import Match
from lampion.core.native.library import make_ready
from lampion.core.rng import new_rng
from lampion.core.types import SPECTATOR

log = logging.getLogger("lampion.readiness")


def prepare(game: str) -> None:
    """Use everything of a game once, so that nothing is left to compile or load: rules, views,
    previews, bots."""
    found = find_game(game)
    make_ready(found.State.dtype)
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


class Readiness:
    """Which games can be played already."""

    def __init__(self, games: Sequence[str] = ()) -> None:
        self._ready = {name: asyncio.Event() for name in games or game_names()}
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
        """Wait until that game can be played; returns at once for an unknown one."""
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
            async with self._loading:
                await asyncio.to_thread(prepare, game)
        except Exception:
            log.exception("a game could not be prepared", extra={"game": game})
        self._ready[game].set()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
