"""The way back by a confirmed e-mail address: a letter with a link that signs in one browser, once,
within ten minutes.

The answer is the same, and as quick, for every address: what happens then happens
after it.
"""

from __future__ import annotations

import asyncio
import logging

from lampion.server.errors import TableError
from lampion.server.notify.mail import MailSender, checked_address
from lampion.server.notify.outgoing import NotDelivered
from lampion.server.people.keys import People
from lampion.server.store.base import Store, WayKind, WayRow

log = logging.getLogger("lampion.notify")
MOST_PEOPLE = 3
"""Guests of several browsers may have confirmed the same address: the latest get a letter each."""
MOST_LETTERS = 20
"""On their way at the same time; requests beyond that get none."""


class ComeBack:
    def __init__(self, store: Store, people: People, mail: MailSender | None) -> None:
        self._store = store
        self._people = people
        self._mail = mail
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, address: str, language: str) -> None:
        """Send a link to everybody who has confirmed this address, if anybody has."""
        if self._mail is None:
            raise TableError("this server does not offer mail", code="not-offered", where="mail")
        given = checked_address(address)
        if len(self._tasks) < MOST_LETTERS:
            task = asyncio.ensure_future(self._send(self._mail, given, language))
            self._tasks.add(task)
            task.add_done_callback(self._finished)

    async def _send(self, mail: MailSender, address: str, language: str) -> None:
        ways = await self._store.ways_to(WayKind.MAIL, address)
        confirmed = [way for way in ways if way.confirmed_ms is not None]
        for way in confirmed[-MOST_PEOPLE:]:
            await self._send_to(mail, way, language)

    async def _send_to(self, mail: MailSender, way: WayRow, language: str) -> None:
        person = await self._store.person(way.person_id)
        if person is not None:
            code = await self._people.new_link(person)
            reach = await self._store.reach(person.id)
            await mail.send_link(way, person.name, code, reach.language if reach else language)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, NotDelivered):
            log.warning("sign-in link not sent", extra={"problem": str(error)})
        elif error is not None:
            log.error("sign-in link failed", exc_info=error)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
