"""What people choose: by which ways they are told, when they are not to be disturbed, when they are
away."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import msgspec
from msgspec.structs import replace

from lampion.core.messages import languages
from lampion.server import wire
from lampion.server.clock import Clock
from lampion.server.config import Config
from lampion.server.errors import TableError, TooMany
from lampion.server.notify import push, quiet, texts
from lampion.server.notify.keys import Keys
from lampion.server.notify.mail import UNSUBSCRIBE, MailSender, checked_address
from lampion.server.notify.notifier import Notifier
from lampion.server.notify.outgoing import Gone, NotDelivered, Outgoing
from lampion.server.notify.push import Subscription
from lampion.server.notify.webhook import Webhook
from lampion.server.peers import NewsKind
from lampion.server.store.base import NoticeKind, ReachRow, Store, VacationRow, WayKind, WayRow
from lampion.server.tables.reminders import remind_of_turns
from lampion.server.tables.rooms import Rooms

MOST_WAYS = 10
CODE_DIGITS = 6
CODE_MS = 15 * 60 * 1000
CODE_TRIES = 5
HOUR_MS, DAY_MS = 3600 * 1000, 24 * 3600 * 1000
LETTERS_PER_ADDRESS = 3
"""Codes for one address in an hour, no matter who asks: nobody can flood a mailbox that is not theirs."""
ESCALATE_MS = 30 * 60 * 1000
MOST_VACATIONS = 20
FARTHEST_DAYS = 366


class Mailbox(msgspec.Struct, frozen=True):
    """The details of a mail way: the code that was sent, signed, until it has come back."""

    code: str = ""
    until_ms: int = 0
    tries: int = 0


class Ways:
    def __init__(
        self,
        rooms: Rooms,
        notifier: Notifier,
        keys: Keys,
        outgoing: Outgoing,
        mail: MailSender | None,
        clock: Clock,
        config: Config,
    ) -> None:
        self._rooms = rooms
        self._store: Store = rooms.store
        self._notifier = notifier
        self._keys = keys
        self._outgoing = outgoing
        self._mail = mail
        self._clock = clock
        self._config = config

    # --- showing ---

    async def shown(self, person: str | None, device: str = "") -> wire.Notifications:
        """Everything a person has chosen, as seen on one of their devices; to a stranger, what
        there is to choose from."""
        config = self._config
        reach = (await self._store.reach(person) if person else None) or ReachRow(person or "")
        ways = await self._store.ways(person) if person else []
        away = await self._store.vacations([person]) if person else []
        return wire.Notifications(
            push_key=self._keys.push_key if config.push else None,
            mail=self._mail is not None,
            webhooks=config.webhooks,
            ways=[_shown(way, device) for way in ways],
            wishes=_wishes(reach),
            vacations=[_shown_vacation(row, reach.zone) for row in away],
            vacation_days=config.vacation_days,
        )

    async def mailboxes(self, person: str) -> list[str]:
        """Confirmed addresses that a sign-in link can be sent to, silent ones included."""
        ways = await self._store.ways(person) if self._mail else []
        return [way.address for way in ways if way.kind == WayKind.MAIL and way.confirmed_ms]

    # --- ways ---

    async def add_push(
        self, person: str, wanted: wire.NewPush, base: str, device: str = "", label: str = ""
    ) -> wire.Way:
        """A device has one subscription: a browser that renews it replaces the old one. A browser
        in which another person was signed in before no longer gets their messages."""
        self._require(self._config.push, "push")
        push.checked_keys(wanted.p256dh, wanted.auth)
        await self._check_url(wanted.endpoint)
        for way in await self._store.ways_to(WayKind.PUSH, wanted.endpoint):
            if way.person_id != person and _subscription(way).auth == wanted.auth:
                await self._notifier.drop_way(way)
        old = [way.id for way in await self._pushed_to(person) if device == _device(way) != ""]
        details = Subscription(wanted.p256dh, wanted.auth, base, label, device)
        made = await self._add(person, WayKind.PUSH, wanted.endpoint, details, wanted, old)
        return _shown(made, device)

    async def sign_out(self, person: str, device: str) -> None:
        """This device is nobody's any more: it gets no push messages."""
        for way in await self._pushed_to(person):
            if _device(way) == device:
                await self._notifier.drop_way(way)

    async def sign_out_others(self, person: str, keep: str | None) -> None:
        """The same for all devices but one, or for all."""
        for way in await self._pushed_to(person):
            if _device(way) != keep:
                await self._notifier.drop_way(way)

    async def _pushed_to(self, person: str) -> list[WayRow]:
        return [way for way in await self._store.ways(person) if way.kind == WayKind.PUSH]

    async def add_webhook(self, person: str, wanted: wire.NewWebhook, base: str) -> wire.NewSecret:
        self._require(self._config.webhooks, "webhooks")
        await self._check_url(wanted.url)
        details = Webhook(wanted.preset, secrets.token_urlsafe(32), base)
        made = await self._add(person, WayKind.WEBHOOK, wanted.url, details, wanted)
        return wire.NewSecret(_shown(made), details.secret)

    async def add_mail(self, person: str, wanted: wire.NewMail) -> wire.Way:
        """The address counts when the code that is sent to it has come back."""
        mail = self._mail
        if mail is None:
            raise _not_offered("mail")
        address, now_ms = checked_address(wanted.address), self._clock.now_ms()
        asked = await self._store.ways_to(WayKind.MAIL, address)
        for way in asked:
            if way.person_id == person and way.confirmed_ms is not None:
                return await self.silence(person, way.id, False)
        recent = [way for way in asked if way.created_ms > now_ms - HOUR_MS]
        if len(recent) >= LETTERS_PER_ADDRESS:
            raise TooMany("this address has got enough codes; try again later", seconds=3600)
        code = "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))
        details = Mailbox(self._signed_code(address, code), now_ms + CODE_MS)
        made = await self._add(person, WayKind.MAIL, address, details, wanted)
        try:
            await mail.send_code(made, code, wanted.language)
        except NotDelivered as problem:
            raise TableError(
                "the code could not be sent; try again later", code="mail-failed"
            ) from problem
        return _shown(made)

    async def confirm(self, person: str, given: wire.MailCode) -> wire.Way:
        way = await self._own(person, given.way)
        box = msgspec.json.decode(way.details, type=Mailbox)
        now_ms = self._clock.now_ms()
        if way.confirmed_ms is not None:
            return _shown(way)
        if not box.code or box.tries >= CODE_TRIES or now_ms > box.until_ms:
            raise TableError("this code is too old; ask for a new one", code="code-expired")
        # Counted before it is looked at: many at once are as many tries.
        tried = _encoded(replace(box, tries=box.tries + 1))
        if not await self._store.change_way(replace(way, details=tried), was=way.details):
            raise TooMany("one code at a time", seconds=1)
        if not secrets.compare_digest(box.code, self._signed_code(way.address, given.code)):
            raise TableError("this is not the code that was sent", code="wrong-code", where="code")
        confirmed = replace(way, details=_encoded(Mailbox()), confirmed_ms=now_ms)
        await self._store.change_way(confirmed, was=tried)
        await self._tell_reach(person)
        return _shown(confirmed)

    async def drop(self, person: str, way: str) -> None:
        await self._notifier.drop_way(await self._own(person, way))

    async def silence(self, person: str, name: str, is_silent: bool) -> wire.Way:
        """Keep an e-mail address as a way back only, or send notifications there again."""
        way = await self._own(person, name)
        if way.kind != WayKind.MAIL or way.confirmed_ms is None:
            raise _not_offered(way.kind)
        if is_silent != (way.silent_ms is not None):
            await self._silence(way, is_silent)
        return _shown(await self._own(person, name))

    async def _silence(self, way: WayRow, is_silent: bool) -> None:
        silent_ms = self._clock.now_ms() if is_silent else None
        await self._store.silence_way(way.id, silent_ms)
        await self._tell_reach(way.person_id)

    async def address_of(self, person: str, way: str) -> str | None:
        """Where letters of this way go; None if it is none of e-mail."""
        found = await self._own(person, way)
        return found.address if found.kind == WayKind.MAIL else None

    async def test(self, person: str, name: str) -> None:
        """Send a message now, and say at once if it did not work."""
        way = await self._own(person, name)
        sender = self._notifier.senders.get(way.kind)
        if sender is None or way.confirmed_ms is None or way.silent_ms is not None:
            raise _not_offered(way.kind)
        reach = await self._store.reach(person) or ReachRow(person)
        waiting = await self._store.tables_waiting(person)
        said = texts.test_message(way.id, self._clock.now_ms(), reach.language, waiting)
        try:
            async with sender.line(way) as send:
                await send(said)
        except (NotDelivered, Gone) as problem:
            await self._store.note_problem(way.id, str(problem))
            message = f"the message could not be sent: {problem}"
            raise TableError(message, code="not-delivered") from None
        await self._notifier.note_works(way.id)

    async def unsubscribe(self, way: str, signature: str) -> bool:
        """By the link in an e-mail. False if the link is forged; a way that is gone is fine. Mail
        programs press it, too: the address may be the only way back, so it stays one."""
        if not self._keys.is_signed(f"{UNSUBSCRIBE} {way}", signature):
            return False
        found = await self._store.way(way)
        if found is not None and found.silent_ms is None:
            await self._silence(found, True)
        return True

    def is_unsubscribe_link(self, way: str, signature: str) -> bool:
        return self._keys.is_signed(f"{UNSUBSCRIBE} {way}", signature)

    async def language_of(self, way: str) -> str:
        found = await self._store.way(way)
        reach = await self._store.reach(found.person_id) if found else None
        return reach.language if reach else "en"

    async def _check_url(self, url: str) -> None:
        try:
            await self._outgoing.addresses(self._outgoing.target(url))
        except NotDelivered as problem:
            raise TableError(str(problem), code="bad-address", where="url") from None

    async def _add(
        self,
        person: str,
        kind: WayKind,
        address: str,
        details: msgspec.Struct,
        wanted: wire.NewPush | wire.NewWebhook | wire.NewMail,
        replaces: Sequence[str] = (),
    ) -> WayRow:
        ways = await self._store.ways(person)
        others = [way for way in ways if way.address != address and way.id not in replaces]
        if len(others) >= MOST_WAYS:
            raise TableError(f"at most {MOST_WAYS} ways to notify you", code="too-many-ways")
        now_ms = self._clock.now_ms()
        confirmed_ms = None if kind == WayKind.MAIL else now_ms
        name = secrets.token_urlsafe(12)
        way = WayRow(name, person, kind, address, _encoded(details), now_ms, confirmed_ms)
        await self._store.add_way(way, replaces=replaces)
        if await self._store.reach(person) is None:
            zone = wanted.zone if quiet.is_zone(wanted.zone) else "UTC"
            language = wanted.language if wanted.language in languages() else "en"
            first = ReachRow(person, language, zone, escalate_ms=ESCALATE_MS)
            await self._store.set_reach(first)
        if confirmed_ms is not None:
            await self._notifier.tell_reach(person)
            if len(others) == len(ways):  # what waited for one that is replaced has moved
                await remind_of_turns(self._rooms, person)
        return way

    async def _tell_reach(self, person: str) -> None:
        """By a new way, what has begun already is counted, and told in time, too."""
        await self._notifier.tell_reach(person)
        await remind_of_turns(self._rooms, person)

    async def _own(self, person: str, way: str) -> WayRow:
        found = await self._store.way(way)
        if found is None or found.person_id != person:
            raise TableError("there is no such way to notify you", code="no-way", where=way[:40])
        return found

    def _signed_code(self, address: str, code: str) -> str:
        return self._keys.sign(f"code {address} {code}")

    def _require(self, is_on: bool, what: str) -> None:
        if not is_on:
            raise _not_offered(what)

    # --- wishes ---

    async def wish(self, person: str, wanted: wire.Wishes) -> None:
        if not quiet.is_zone(wanted.zone):
            raise TableError("not a known time zone", code="bad-zone", where="zone")
        if wanted.language not in languages():
            raise TableError("not a known language", code="bad-language", where="language")
        if (wanted.quiet_from is None) != (wanted.quiet_to is None):
            raise TableError("quiet hours have a beginning and an end", code="bad-hours")
        off = ",".join(sorted({NoticeKind(kind).value for kind in wanted.off}))
        await self._store.set_reach(
            ReachRow(
                person,
                wanted.language,
                wanted.zone,
                wanted.quiet_from,
                wanted.quiet_to,
                wanted.escalate_minutes * 60_000,
                off,
            )
        )

    # --- vacations ---

    async def add_vacation(self, person: str, wanted: wire.NewVacation) -> None:
        """From tomorrow on at the earliest: nobody can stop a clock that is about to ring."""
        reach = await self._store.reach(person) or ReachRow(person)
        zone = wanted.zone if quiet.is_zone(wanted.zone) else reach.zone
        first, last = _day(wanted.first, "first"), _day(wanted.last, "last")
        today = quiet.day_of(self._clock.now_ms(), zone)
        if first <= today or last < first or (last - today).days > FARTHEST_DAYS:
            message = "a vacation begins tomorrow at the earliest and ends within a year"
            raise TableError(message, code="bad-vacation", where="first")
        start_ms = quiet.midnight_ms(first, zone)
        end_ms = quiet.midnight_ms(last + timedelta(days=1), zone)
        rows = await self._store.vacations([person])
        if any(row.from_ms < end_ms and start_ms < row.to_ms for row in rows):
            raise TableError("you are already away then", code="vacations-overlap", where="first")
        made = [*rows, VacationRow(person, start_ms, end_ms)]
        self._check_days(made, zone)
        await self._set_vacations(person, made)

    async def drop_vacation(self, person: str, from_ms: int) -> None:
        """One that has begun ends now, if its beginning stays announced as it was."""
        now_ms = self._clock.now_ms()
        kept = []
        for row in await self._store.vacations([person]):
            if row.from_ms != from_ms:
                kept.append(row)
            elif row.from_ms < now_ms:
                kept.append(replace(row, to_ms=min(row.to_ms, now_ms)))
        await self._set_vacations(person, kept)

    async def _set_vacations(self, person: str, rows: Sequence[VacationRow]) -> None:
        old_ms = self._clock.now_ms() - 2 * FARTHEST_DAYS * DAY_MS
        kept = [row for row in rows if row.to_ms > old_ms]
        await self._store.set_vacations(person, kept)
        await self._rooms.refresh_person(person)
        await self._store.tell([(NewsKind.PERSON, person, "")])

    def _check_days(self, rows: Sequence[VacationRow], zone: str) -> None:
        """So many days in each calendar year."""
        used: dict[int, int] = {}
        for row in rows:
            day, last = quiet.day_of(row.from_ms, zone), quiet.day_of(row.to_ms - 1, zone)
            while day <= last:
                used[day.year] = used.get(day.year, 0) + 1
                day += timedelta(days=1)
        most = self._config.vacation_days
        if any(days > most for days in used.values()) or len(rows) > MOST_VACATIONS:
            message = f"at most {most} vacation days in a year"
            raise TableError(message, code="too-much-vacation", days=most)


def _not_offered(what: str) -> TableError:
    return TableError(f"this server does not offer {what}", code="not-offered", where=what)


def _encoded(details: msgspec.Struct) -> str:
    return msgspec.json.encode(details).decode()


def _day(text: str, where: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise TableError("not a valid day", code="bad-vacation", where=where) from None


def _subscription(way: WayRow) -> Subscription:
    return msgspec.json.decode(way.details, type=Subscription)


def _device(way: WayRow) -> str:
    """Which device of its person a push message goes to; empty for other ways."""
    return _subscription(way).device if way.kind == WayKind.PUSH else ""


def _shown(way: WayRow, device: str = "") -> wire.Way:
    details: dict[str, Any] = msgspec.json.decode(way.details)
    label = str(details.get("label") or details.get("preset") or "")
    is_push = way.kind == WayKind.PUSH
    # The endpoint of a device is as good as a key to it; its host says which browser it is.
    address = texts.host_of(way.address) if is_push else way.address
    is_here = _device(way) == device != ""
    is_confirmed = way.confirmed_ms is not None
    return wire.Way(
        way.id, way.kind, address, label, is_confirmed, way.problem, way.created_ms, is_here,
        way.silent_ms is not None,
    )  # fmt: skip


def _wishes(reach: ReachRow) -> wire.Wishes:
    return wire.Wishes(
        reach.language,
        reach.zone,
        reach.quiet_from,
        reach.quiet_to,
        reach.escalate_ms // 60_000,
        [NoticeKind(kind) for kind in reach.off.split(",") if kind],
    )


def _shown_vacation(row: VacationRow, zone: str) -> wire.MyVacation:
    first, last = quiet.day_of(row.from_ms, zone), quiet.day_of(row.to_ms - 1, zone)
    return wire.MyVacation(row.from_ms, row.to_ms, first.isoformat(), last.isoformat())
