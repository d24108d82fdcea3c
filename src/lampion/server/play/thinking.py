"""A bot thinks in a thread of its own, and a table never waits forever for it.

A search on a busy machine may take ten times its budget by the clock on the wall. After that it is
stopped and plays the best that it has found so far. A bot that fails, or does not stop, is replaced
by the greedy bot for that move.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable

import numpy as np

from lampion.bots.base import Stop
from lampion.bots.levels import BotPlayer, level_bot, make_player
from lampion.bots.search import wall_patience
from lampion.core.game import game_of_record
from lampion.core.record import Record
from lampion.core.types import Action, IntArray
from lampion.server.play.scheduler import Scheduler
from lampion.server.play.threads import in_thread

log = logging.getLogger("lampion.bots")
GRACE_SECONDS = 5.0
"""How long a bot may take beyond its patience before it is stopped, and then again before it is
given up."""
SUBSTITUTE = "greedy"
"""Plays where a bot fails: it looks at each move once and cannot hang."""
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
        self, owner: str, level: str, seen: Record, seat: int, legal: IntArray, *, table: str = ""
    ) -> Action:
        """The bot's choice from what its seat sees; a substitute's if the bot fails or hangs. While
        it waits for its turn to think, the table can be handed over to another owner."""
        player = self._player(level_bot(level, game_of_record(seen.dtype).NAME))

        async def think() -> Action:
            found = await self._think(player, seen, seat, legal)
            if found is None:
                found = await self._think(make_player(SUBSTITUTE), seen, seat, legal)
            return int(legal[0]) if found is None else found

        cost = expected_seconds(player)
        return await self._scheduler.do(owner, cost, think, may_refuse=False, name=table)

    def hand_over(self, table: str, owner: str) -> None:
        self._scheduler.hand_over(table, owner)

    async def _think(
        self, player: BotPlayer, seen: Record, seat: int, legal: IntArray
    ) -> Action | None:
        """A legal action; nothing if the bot fails or does not stop when it is told to."""
        stop = Stop()
        thinking = asyncio.ensure_future(in_thread(_choice, player, seen, seat, legal, stop))
        try:
            await asyncio.wait([thinking], timeout=self._grace + patience(player))
            stop.set()
            return await asyncio.wait_for(thinking, self._grace)
        except TimeoutError:
            log.error("bot hangs", extra={"level": player.name, "seat": seat})
        except Exception:
            log.exception("bot fails", extra={"level": player.name, "seat": seat})
        finally:
            stop.set()
            thinking.cancel()
        return None

    def _player(self, level: str) -> BotPlayer:
        if level not in self._players:
            self._players[level] = self._make(level)
        return self._players[level]


def expected_seconds(player: BotPlayer) -> float:
    return (player.budget.seconds or 0.0) + (player.budget.iterations or 0) / ITERATIONS_PER_SECOND


def patience(player: BotPlayer) -> float:
    """How long the bot may take by the clock on the wall before it ends by itself."""
    expected = expected_seconds(player)
    return wall_patience(expected) if expected else 0.0


def _choice(player: BotPlayer, seen: Record, seat: int, legal: IntArray, stop: Stop) -> Action:
    rng = np.array([secrets.randbits(64)], np.uint64)
    chosen = int(player.bot.choose(seen, seat, legal, player.budget, rng, stop))
    if chosen not in legal:
        raise ValueError(f"{player.name} chose {chosen}, which is not legal")
    return chosen
