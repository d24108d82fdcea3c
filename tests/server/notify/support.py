"""Two people at a table, and their ways out."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lampion.server import wire
from lampion.server.services import Services
from lampion.server.store import open_store
from lampion.server.store.base import NoticeState, PersonRow, WayKind
from lampion.server.tables import lobby
from lampion.server.tables.happenings import Attended
from lampion.server.tables.info import invitation
from lampion.server.tables.room import Viewer
from tests.server.inside import ADA, GivenClock, Screen, running
from tests.server.notify.receivers import Browser, Postbox, Receiver, receiving

BEN = PersonRow("ben", "Ben", ADA.created_ms, ADA.seen_ms)
SITE = "https://lampion.example"
MINUTE, HOUR, DAY = 60_000, 3_600_000, 24 * 3_600_000


@dataclass
class House:
    """A server from inside with a given clock, a receiver and a mail server."""

    services: Services
    clock: GivenClock
    receiver: Receiver
    postbox: Postbox
    browser: Browser = field(default_factory=Browser)
    said: int = 0

    async def table(self, *, days: int = 3, pace: wire.Pace | None = None) -> str:
        """Ada and Ben at a table of their own; the player who begins has been told, and that is over."""
        seats = [wire.SeatChoice("me"), wire.SeatChoice("open")]
        wanted = wire.NewTable("lanterns", seats, pace=pace or wire.Days(days))
        table = await lobby.create(self.services.rooms, ADA, wanted)
        row = await self.services.store.table(table)
        assert row
        join = wire.Join(invitation(row.seed))
        await lobby.join(self.services.rooms, table, BEN, join)
        return table

    async def act(self, table: str) -> str:
        """Let the player who is to act do something until it is the other's turn; gives who it
        is then."""
        person = await self.to_act(table)
        while await self.to_act(table) == person:
            await self._act_once(table, person)
        return await self.to_act(table)

    async def _act_once(self, table: str, person: str) -> None:
        async with self.services.rooms.at(table) as room:
            match = room.table.match
            assert match
            seat = room.table.actors[0]
            action, ply = match.legal_actions(seat)[0], match.ply
        await self.services.rooms.do(table, person, wire.Act(self.name(), seat, ply, action))

    async def to_act(self, table: str) -> str:
        async with self.services.rooms.at(table) as room:
            return room.table.seats[room.table.actors[0]].person_id or ""

    async def turn_of(self, table: str, person: str) -> None:
        while await self.to_act(table) != person:
            await self.act(table)

    async def command(self, table: str, person: str, kind: Any, *more: Any) -> None:
        async with self.services.rooms.at(table) as room:
            seat = room.table.seats_of(person)[0]
        await self.services.rooms.do(table, person, kind(self.name(), seat, *more))

    def name(self) -> str:
        self.said += 1
        return f"c{self.said}"

    async def push(self, person: str, path: str = "/push/1", **more: Any) -> wire.Way:
        given = self.browser.subscription(self.receiver.url(path), **more)
        return await self.services.ways.add_push(person, wire.NewPush(**given), SITE)

    async def webhook(
        self, person: str, path: str = "/hook", preset: Any = "json"
    ) -> wire.NewSecret:
        wanted = wire.NewWebhook(self.receiver.url(path), preset)
        return await self.services.ways.add_webhook(person, wanted, SITE)

    async def mail(
        self, person: str, address: str = "ben@mail.example", language: str = "en"
    ) -> wire.Way:
        way = await self.services.ways.add_mail(person, wire.NewMail(address, language))
        code = self.code()
        return await self.services.ways.confirm(person, wire.MailCode(way.id, code))

    def code(self) -> str:
        """The last one that was sent; the letter is taken out of the box."""
        _, letter, _ = self.postbox.letters.pop()
        return str(letter["Subject"]).rpartition(" ")[2]

    async def pass_time(self, ms: int) -> None:
        self.clock.at_ms += ms
        await self.services.notifier.deliver_due()

    async def deliver(self) -> None:
        await self.pass_time(0)

    def pushed(self) -> list[dict[str, Any]]:
        """What push messages said, decrypted, since the last call."""
        found = [self.browser.decrypt(one.body) for one in self.receiver.got if "push" in one.path]
        self.receiver.got.clear()
        return found

    @contextlib.asynccontextmanager
    async def watching(self, table: str, person: str) -> AsyncIterator[Screen]:
        screen = Screen(Viewer(person))
        room = await self.services.rooms.room(table)
        room.watchers.add(screen)
        self.services.bus.publish(Attended(room))
        try:
            yield screen
        finally:
            room.watchers.discard(screen)
            self.services.bus.publish(Attended(room))

    async def look(self, table: str, screen: Screen, *, seen: bool) -> None:
        """The page goes to the background, or comes back."""
        room = await self.services.rooms.room(table)
        room.watchers.hide(screen, not seen)
        self.services.bus.publish(Attended(room))
        await self.deliver()

    async def states(self) -> dict[str, int]:
        counts = await self.services.store.count_notices()
        return {str(state): count for state, count in counts.items() if count}

    async def failed(self) -> list[str]:
        found = await self.services.store.notices(NoticeState.FAILED, 10)
        return [row.id for row, _ in found]

    async def ways(self, person: str) -> list[WayKind]:
        return [way.kind for way in await self.services.store.ways(person)]


@contextlib.asynccontextmanager
async def house(folder: Path, postbox: Postbox, **more: Any) -> AsyncIterator[House]:
    clock = GivenClock()
    store = open_store(str(folder / "lampion.db"))
    async with receiving() as receiver:
        settings: dict[str, Any] = {
            "public_url": SITE, "smtp_host": "127.0.0.1", "smtp_port": postbox.port, "smtp_security": "none",
            "smtp_from": "lampion@lampion.example", "notify_hosts": (f"127.0.0.1:{receiver.port}",), **more,
        }  # fmt: skip
        async with running(store, clock=clock, **settings) as services:
            await store.add_person(BEN)
            yield House(services, clock, receiver, postbox)
