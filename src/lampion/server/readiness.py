"""Getting the rules ready while the server already answers.

Compiling a game takes seconds, once per machine. It happens in a process of its own, so that pages load meanwhile; whoever opens a
table of that game waits until it is done. When everything has been compiled before, this takes a moment.
"""

from __future__ import annotations

import asyncio
import logging
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
        bot.choose(match.seen_from(match.to_act), match.to_act, match.legal_ids(), Budget(iterations=2), new_rng(1))
    if compilation.IS_ENABLED and _mark(game).parent.is_dir():
        _mark(game).touch()


def _mark(game: str) -> Path:
    """A file beside the compiled code that says: all of this game is there."""
    return compilation.cache_folder() / f"prepared-{game}"


class Readiness:
    """Which games can be played already."""

    def __init__(self, games: Sequence[str] = ()) -> None:
        self._ready = {name: asyncio.Event() for name in games or own_game_names()}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.ensure_future(self._prepare_all())

    async def wait(self, game: str) -> None:
        """Until that game can be played; an unknown one is somebody else's problem."""
        if game in self._ready:
            await self._ready[game].wait()

    @property
    def preparing(self) -> list[str]:
        return [name for name, event in self._ready.items() if not event.is_set()]

    async def _prepare_all(self) -> None:
        for name, event in self._ready.items():
            try:
                if compilation.IS_ENABLED and not _mark(name).exists():
                    log.info("compiling, once", extra={"game": name})
                    await self._in_own_process(name)
                await asyncio.to_thread(prepare, name)
            except Exception:
                log.exception("a game could not be prepared", extra={"game": name})
            event.set()

    async def _in_own_process(self, game: str) -> None:
        code = f"from lampion.server.readiness import prepare; prepare({game!r})"
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
        try:
            await process.wait()
        finally:
            if process.returncode is None:
                process.kill()

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
