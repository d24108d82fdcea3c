"""Bots in seats: they think in threads of their own, within a budget, and a table never waits longer than that for them."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import Callable

import numpy as np

from lampion.bots.base import Stop
from lampion.bots.levels import Player as BotPlayer
from lampion.bots.levels import make_player
from lampion.core.record import Record
from lampion.core.types import Action, IntArray

log = logging.getLogger("lampion.bots")
GRACE_SECONDS = 5.0
"""How much longer than its budget a bot may take, for a busy machine."""
ITERATIONS_PER_SECOND = 2_000
"""What any machine does; a bot with a budget of iterations is given that much time."""


class BotRunner:
    """Runs the bots of all tables, a few at a time."""

    def __init__(self, threads: int, make: Callable[[str], BotPlayer] = make_player, grace: float = GRACE_SECONDS) -> None:
        self._free = asyncio.Semaphore(threads)
        self._make = make
        self._grace = grace
        self._players: dict[str, BotPlayer] = {}

    async def choose(self, level: str, seen: Record, seat: int, legal: IntArray) -> Action:
        """The bot's choice from what its seat sees; a legal one at random if the bot fails or hangs."""
        stop = Stop()
        async with self._free:
            try:
                player = self._player(level)
                limit = self._limit(player)
                return await asyncio.wait_for(_in_thread(player, seen, seat, legal, stop), limit)
            except TimeoutError:
                log.error("bot hangs", extra={"level": level, "seat": seat})
            except Exception:
                log.exception("bot fails", extra={"level": level, "seat": seat})
            finally:
                stop.set()
        return int(secrets.choice(legal.tolist()))

    def _player(self, level: str) -> BotPlayer:
        if level not in self._players:
            self._players[level] = self._make(level)
        return self._players[level]

    def _limit(self, player: BotPlayer) -> float:
        budget = player.budget
        return self._grace + (budget.seconds or 0.0) + (budget.iterations or 0) / ITERATIONS_PER_SECOND


async def _in_thread(player: BotPlayer, seen: Record, seat: int, legal: IntArray, stop: Stop) -> Action:
    """A thread that dies with the process, unlike those of a pool: one that hangs must not keep the server from stopping."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Action] = loop.create_future()

    def tell(action: Action | None, error: Exception | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        elif action is not None:
            answer.set_result(action)

    def think() -> None:
        rng = np.array([secrets.randbits(64)], np.uint64)
        try:
            chosen, error = int(player.bot.choose(seen, seat, legal, player.budget, rng, stop)), None
            if chosen not in legal:
                raise ValueError(f"{player.name} chose {chosen}, which is not legal")
        except Exception as failure:
            chosen, error = None, failure
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, chosen, error)

    threading.Thread(target=think, name=f"bot {player.name}", daemon=True).start()
    return await answer
