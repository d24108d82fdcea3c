"""Everything a running server consists of, wired together once; endpoints, sockets and the admin
tools use it."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Sequence

from lampion.server import metrics
from lampion.server.admin.keys import AdminKeys
from lampion.server.admin.local import LocalKeyFile
from lampion.server.bus import Bus
from lampion.server.clock import Clock
from lampion.server.config import Config
from lampion.server.notify.assembly import open_ways
from lampion.server.notify.comeback import ComeBack
from lampion.server.notify.notifier import Notifier
from lampion.server.notify.ways import Ways
from lampion.server.peers import BEAT_SECONDS, DEAD_SECONDS, FLUSH_SECONDS, NewsKind, Peers
from lampion.server.people.announcement import Announcement
from lampion.server.people.keys import People
from lampion.server.people.origins import Origins
from lampion.server.people.passkeys import Passkeys
from lampion.server.people.recovery import Recovery
from lampion.server.people.sanctions import Sanctions
from lampion.server.play.draining import Draining
from lampion.server.play.duties import LOOK_SECONDS, Duties
from lampion.server.play.following import Following, Refreshed
from lampion.server.play.presence import Presence
from lampion.server.play.retention import Retention
from lampion.server.play.scheduler import Scheduler
from lampion.server.play.supervisor import Supervisor
from lampion.server.play.thinking import BotRunner
from lampion.server.play.threads import return_large_blocks
from lampion.server.play.workers import Workers
from lampion.server.store.base import StorageFailed, Store
from lampion.server.study.kept import KeptReviews
from lampion.server.study.outcomes import Outcomes
from lampion.server.study.pictures import Pictures
from lampion.server.study.scorebooks import Recent
from lampion.server.tables.readiness import Readiness
from lampion.server.tables.rooms import Rooms
from lampion.server.web.admission import Admission
from lampion.server.web.limits import Holdings, Limiter
from lampion.server.web.publisher import Publisher

IDLE_LOOK_SECONDS = 15.0
ENDED = "ended_ms"
"""The setting that says when the last process ended in order."""
LENGTHS_SECONDS = 3.0
"""How often logs in memory are compared with the store, in case news was lost unnoticed."""


class Services:
    def __init__(
        self,
        config: Config,
        store: Store,
        *,
        games: Sequence[str] = (),
        clock: Clock | None = None,
        bots: BotRunner | None = None,
    ) -> None:
        self.config, self.store = config, store
        self.clock = clock or Clock()
        self.bus = Bus()
        self.peers = Peers(store)
        self.readiness = Readiness(games)
        self.rooms = Rooms(store, self.readiness, self.bus, self.clock, most_log=config.most_log)
        self.origins = Origins()
        self.people = People(store, self.peers, self.bus, self.clock)
        self.recovery, self.passkeys = Recovery(store, self.clock), Passkeys(store, self.clock)
        self.sanctions = Sanctions(store, self.clock, self.bus)
        self.admission = Admission(self.bus, self.people, self.sanctions)
        self.announcement = Announcement(store, self.bus, self.clock)
        self.scheduler, self.workers = Scheduler(config.bot_cores), Workers()
        self.supervisor = Supervisor()
        # Watchers are told before bots begin to think: the order of subscription is the order of
        # telling.
        self.presence = Presence(self.bus, self.peers)
        self.publisher = Publisher(self.bus, self.rooms, self.presence, self.clock)
        self.duties = Duties(
            self.rooms, self.peers, bots or BotRunner(self.scheduler), self.supervisor.troubles, self.origins,
            bot_pause=config.bot_pause,
        )  # fmt: skip
        self.notifier = Notifier(self.rooms, self.peers, self.clock, config)
        self.draining = Draining(store)
        self.kept: dict[str, Refreshed] = {
            NewsKind.SANCTIONS: self.sanctions,
            NewsKind.ANNOUNCEMENT: self.announcement,
            NewsKind.DRAIN: self.draining,
        }
        self.following = Following(
            store, self.rooms, self.peers, self.people, self.duties, self.kept
        )
        self.retention = Retention(store, self.rooms, self.people, self.clock, config)
        self.limiter, self.holdings = Limiter(config.limit_scale), Holdings()
        self.pictures = Pictures(self.rooms, self.scheduler, self.workers)
        self.scorebooks, self.reviews, self.outcomes = Recent(), KeptReviews(), Outcomes(self.rooms)
        metrics.TABLES.set_function(lambda: len(self.rooms.in_memory))
        self.admin_keys = AdminKeys(store, self.clock)
        self.local_key_file = LocalKeyFile(config, self.admin_keys)
        self._outside: tuple[Ways, ComeBack] | None = None
        self._away_ms, self.is_closing = 0, False

    @property
    def is_draining(self) -> bool:
        """Accept no new tables; `/ready` tells load balancers to look elsewhere."""
        return self.draining.is_on

    @property
    def ways(self) -> Ways:
        """How people want to be notified."""
        assert self._outside is not None, "the services are open"
        return self._outside[0]

    @property
    def come_back(self) -> ComeBack:
        """How people come back by e-mail."""
        assert self._outside is not None, "the services are open"
        return self._outside[1]

    async def open(self) -> None:
        """Resume every game where it stopped: clocks ignore the downtime, and bots continue."""
        return_large_blocks()
        running = await self.store.running_tables()
        self.clock.at_least(max((table.at_ms for table in running), default=0))
        self._away_ms = await self._time_away()
        await self.rooms.reachable.reload()
        self._outside = await open_ways(
            self.rooms, self.notifier, self.people, self.clock, self.config
        )
        is_alone = await self._is_alone()
        self.readiness.start()
        keep = self.supervisor
        keep.follow("news", self.following.run)
        keep.repeat("beat", BEAT_SECONDS, self._beat)
        keep.repeat("presence", FLUSH_SECONDS, self.peers.flush)
        keep.repeat("logs", LENGTHS_SECONDS, self.rooms.catch_up_all)
        keep.repeat("news to make good", LENGTHS_SECONDS, self.following.make_good)
        keep.repeat("duties", LOOK_SECONDS, self.duties.look_at_all)
        keep.repeat("notices", 0.0, self.notifier.send_and_wait)
        keep.repeat("count notices", IDLE_LOOK_SECONDS, self.notifier.count)
        keep.repeat("memory", IDLE_LOOK_SECONDS, self._drop_idle)
        keep.repeat("sweep", 0.0, self.duties.sweep_and_wait)
        keep.start("take up", self._take_up_alone if is_alone else self._take_up)
        self.retention.keep(keep)
        self.local_key_file.keep(keep)

    async def _time_away(self) -> int:
        """For how long no process has served this database: since the last beat, or the last
        orderly end."""
        beats = [row.seen_ms for row in await self.store.processes(1)]
        ended = int(await self.store.setting(ENDED) or 0)
        last_ms = max([ended, *beats])
        return max(0, self.clock.now_ms() - last_ms) if last_ms else 0

    async def _is_alone(self) -> bool:
        since_ms = self.clock.now_ms() - int(DEAD_SECONDS * 1000)
        others = await self.store.other_processes(self.store.process, since_ms)
        running = [other for other in others if _is_running(other)]
        self.peers.expect(running)
        await self.store.beat(self.store.process, self.clock.now_ms(), self.config.own_url or None)
        return not running

    async def _take_up_alone(self) -> None:
        if self._away_ms:
            await self.duties.forgive(self._away_ms)
            self._away_ms = 0
        await self._take_up()

    async def _take_up(self) -> None:
        self.duties.let_clocks_ring()
        for kept in self.kept.values():
            await kept.reload()

    async def _beat(self) -> None:
        try:
            await self.peers.beat()
            await self.store.beat(
                self.store.process, self.clock.now_ms(), self.config.own_url or None
            )
        except StorageFailed:
            self.rooms.note_storage(works=False)
            raise
        self.rooms.note_storage(works=True)

    async def _drop_idle(self) -> None:
        self.rooms.drop_idle()
        self.workers.end_idle()

    async def close(self) -> None:
        """Stop taking commands; what is stored stays, what is not was never told to anybody."""
        self.is_closing = True
        await self.duties.close()
        await self.publisher.close()
        await self.supervisor.close()
        await self.workers.close()
        await self.notifier.close()
        await self.come_back.close()
        self.local_key_file.remove()
        await self.following.close()
        await self.readiness.close()
        with contextlib.suppress(Exception):
            await self.peers.say_goodbye()
            await self.store.set_setting(ENDED, str(self.clock.now_ms()))
            await self.store.beat(self.store.process, 0)
        await self.store.close()


def _is_running(process: str) -> bool:
    """Whether a process that was there a moment ago still is, as far as can be told from here."""
    host, pid, _ = process.split("/")
    if host != socket.gethostname():
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return int(pid) != os.getpid()
