"""A bot thinks in a thread of its own, within a budget, and a table never waits longer than that
for it."""

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
from lampion.server.play.scheduler import Scheduler

log = logging.getLogger("lampion.bots")
GRACE_SECONDS = 5.0
"""How much longer than its budget a bot may take, for a busy machine."""
ITERATIONS_PER_SECOND = 2_000
"""What any machine does; a bot with a budget of iterations is given that much time."""


class BotRunner:
    """Lets the bots of all tables think, each when the scheduler says so."""

    def __init__(
        self,
        scheduler: Scheduler,
        make: Callable[[str], BotPlayer] = make_player,
        grace: float = GRACE_SECONDS,
    ) -> None:
        self._scheduler = scheduler
        self._make = make
        self._grace = grace
        self._players: dict[str, BotPlayer] = {}

    async def choose(
        self, owner: str, level: str, seen: Record, seat: int, legal: IntArray
    ) -> Action:
        """The bot's choice from what its seat sees; a random legal action if the bot fails or
        hangs."""
        player = self._player(level)

        async def think() -> Action:
            return await self._think(player, seen, seat, legal)

        return await self._scheduler.do(owner, expected_seconds(player), think, may_refuse=False)

    async def _think(self, player: BotPlayer, seen: Record, seat: int, legal: IntArray) -> Action:
        stop = Stop()
        try:
            limit = self._grace + expected_seconds(player)
            return await asyncio.wait_for(_in_thread(player, seen, seat, legal, stop), limit)
        except TimeoutError:
            log.error("bot hangs", extra={"level": player.name, "seat": seat})
        except Exception:
            log.exception("bot fails", extra={"level": player.name, "seat": seat})
        finally:
            stop.set()
        return int(secrets.choice(legal.tolist()))

    def _player(self, level: str) -> BotPlayer:
        if level not in self._players:
            self._players[level] = self._make(level)
        return self._players[level]


def expected_seconds(player: BotPlayer) -> float:
    return (player.budget.seconds or 0.0) + (player.budget.iterations or 0) / ITERATIONS_PER_SECOND


async def _in_thread(
    player: BotPlayer, seen: Record, seat: int, legal: IntArray, stop: Stop
) -> Action:
    """A thread that dies with the process: one that hangs must not keep the server from
    stopping."""
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
            chosen, error = (
                int(player.bot.choose(seen, seat, legal, player.budget, rng, stop)),
                None,
            )
            if chosen not in legal:
                raise ValueError(f"{player.name} chose {chosen}, which is not legal")
        except Exception as failure:
            chosen, error = None, failure
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, chosen, error)

    threading.Thread(target=think, name=f"bot {player.name}", daemon=True).start()
    return await answer
