"""Everything an operator can do. The admin API and the command without a server both come here.

Shown are tables, people and figures; never a seed, an invitation, a key or what a seat holds. Chat
is shown only by an operation of its own, which asks for a reason.
"""

from __future__ import annotations

import secrets
from ipaddress import ip_address, ip_network

import msgspec

import lampion
from lampion.core.errors import LampionError
from lampion.server.admin import lines
from lampion.server.admin.keys import key_id
from lampion.server.errors import CorruptLog, TableError, UpdateNeeded
from lampion.server.peers import DEAD_SECONDS, NewsKind
from lampion.server.people.origins import group_of
from lampion.server.people.sanctions import Whom
from lampion.server.services import Services
from lampion.server.store.base import PersonRow, ProcessRow, SanctionRow, TableRow
from lampion.server.tables import commands
from lampion.server.tables.deletion import delete_person
from lampion.server.tables.rooms import no_table
from lampion.server.tables.table import Table
from lampion.server.wire import Announcement
from lampion.server.wire import admin as wire

TABLES_OF_PERSON = 20
CHAT_LINES = 200
IPV6_PREFIX = 64


class AdminError(LampionError):
    """What an operator asked for cannot be done; nothing has changed."""

    code = "invalid-request"


class Operations:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._store = services.store

    # --- looking ---

    async def status(self, request: wire.NoDetails) -> wire.ServerStatus:
        services = self._services
        running = [each.id for each in await self._running()]
        rooms = services.rooms.in_memory.values()
        active = await self._store.active_sanctions(self._now_ms)
        return wire.ServerStatus(
            version=lampion.__version__, process=self._store.process if running else "",
            processes=len(running), draining=sorted(services.draining.processes & set(running)),
            announcement=services.announcement.current,
            tables={str(kind): n for kind, n in (await self._store.count_tables()).items()},
            in_memory=len(rooms), sockets=sum(len(room.watchers) for room in rooms),
            waiting=services.scheduler.num_waiting, preparing=services.readiness.preparing,
            troubles=services.supervisor.troubles.names, sanctions=len(active),
            disk_free=await self._store.disk_free(),
            notices={str(kind): n for kind, n in (await self._store.count_notices()).items()},
        )  # fmt: skip

    async def processes(self, request: wire.NoDetails) -> wire.ProcessLines:
        draining = self._services.draining.processes
        return wire.ProcessLines(
            [
                wire.ProcessLine(
                    row.id, row.url, row.seen_ms, row.id in draining, row.id == self._store.process
                )
                for row in await self._running()
            ]
        )

    async def tables(self, request: wire.FindTables) -> wire.TableLines:
        rows = await self._store.search_tables(
            status=request.status,
            game=request.game,
            text=request.text,
            limit=request.limit + 1,
            after=request.after,
        )
        found = await lines.table_lines(self._store, rows[: request.limit])
        return wire.TableLines(found, len(rows) > request.limit)

    async def table(self, request: wire.OneTable) -> wire.TableDetails:
        services, row = self._services, await self._row(request.table)
        seats = await self._store.seats(row.id)
        events = (await self._store.lengths([row.id])).get(row.id, 0)
        try:
            async with services.rooms.at(row.id) as room:
                here = services.peers.elsewhere(row.id)
                connected = room.connected() | here.people
                found = lines.table_details(row, seats, events, room.table, connected)
                found.watching = room.num_spectators + here.spectators
                return found
        except (TableError, UpdateNeeded) as problem:
            # The reason is what the operator came for.
            found = lines.table_details(row, seats, events, None, frozenset())
            found.problem = row.problem or str(problem)
            return found

    async def chat(self, request: wire.OneTableWithReason) -> wire.ChatTexts:
        row = await self._row(request.table)
        said = await self._store.chat(row.id, limit=CHAT_LINES)
        return wire.ChatTexts([lines.chat_text(spoken.line) for spoken in said])

    async def people(self, request: wire.FindPeople) -> wire.PersonLines:
        rows = await self._store.search_people(request.text, request.limit + 1, request.after)
        active = await self._store.active_sanctions(self._now_ms)
        found = [lines.person_line(row, active) for row in rows[: request.limit]]
        return wire.PersonLines(found, len(rows) > request.limit)

    async def person(self, request: wire.OnePerson) -> wire.PersonDetails:
        row = await self._person(request.person)
        tables = await self._store.tables_of(row.id, TABLES_OF_PERSON)
        sanctions = await self._store.sanctions(TABLES_OF_PERSON, row.id)
        return wire.PersonDetails(
            id=row.id, name=row.name, created_ms=row.created_ms, seen_ms=row.seen_ms,
            address=self._services.origins.group(row.id),
            tables=await lines.table_lines(self._store, tables),
            sanctions=[lines.sanction_line(each, self._now_ms) for each in sanctions],
        )  # fmt: skip

    async def audit(self, request: wire.ReadAudit) -> wire.AuditLines:
        rows = await self._store.audit_log(request.limit, request.before_ms)
        return wire.AuditLines([wire.AuditLine(*msgspec.structs.astuple(row)) for row in rows])

    # --- tables and people ---

    async def close(self, request: wire.OneTableWithReason) -> wire.Completed:
        """The game ends through its log: players see that it was stopped, and keep the record."""
        await self._row(request.table)
        await self._services.rooms.change(request.table, self._stop)
        return wire.Completed()

    def _stop(self, table: Table) -> None:
        commands.stop(table, self._now_ms)

    async def delete(self, request: wire.OneTableWithReason) -> wire.Completed:
        if not await self._services.rooms.delete(request.table):
            raise no_table(request.table)
        return wire.Completed()

    async def retry(self, request: wire.OneTable) -> wire.Retried:
        try:
            status = await self._services.rooms.retry_quarantined(request.table)
        except (CorruptLog, msgspec.MsgspecError) as corrupt:
            raise AdminError(
                f"its log still cannot be read: {corrupt}", code="still-corrupt"
            ) from corrupt
        await self._store.tell([(NewsKind.RETRIED, request.table, "")])
        return wire.Retried(status)

    async def delete_person(self, request: wire.OnePersonWithReason) -> wire.Completed:
        person = await self._person(request.person)
        await delete_person(self._services.rooms, self._services.people, person.id)
        return wire.Completed()

    async def prune(self, request: wire.NoDetails) -> wire.Pruned:
        return msgspec.convert(await self._services.retention.prune(), wire.Pruned)

    # --- notifications ---

    async def notices(self, request: wire.FindNotices) -> wire.NoticeLines:
        found = await self._store.notices(request.state, request.limit)
        return wire.NoticeLines([lines.notice_line(row, way) for row, way in found])

    async def retry_notices(self, request: wire.RetryNotices) -> wire.RetriedNotices:
        count = await self._store.retry_notices(request.notice, self._now_ms)
        if request.notice is not None and not count:
            raise AdminError(
                "there is no such notice, or it has not failed",
                code="no-notice",
                where=request.notice,
            )
        return wire.RetriedNotices(count)

    # --- bans and mutes ---

    async def sanction(self, request: wire.NewSanction) -> wire.SanctionLine:
        """A new one replaces an older one of the same kind: the last word counts."""
        kind, subject = await self._subject(request.subject)
        now_ms = self._now_ms
        made = SanctionRow(
            secrets.token_hex(4),
            request.what,
            kind,
            subject,
            request.reason,
            now_ms,
            _end(request, now_ms),
        )
        for row in await self._store.active_sanctions(now_ms):
            if (row.what, row.kind, row.subject) == (made.what, kind, subject):
                await self._store.lift_sanction(row.id, now_ms)
        await self._store.add_sanction(made)
        await self._tell_sanctions()
        return lines.sanction_line(made, now_ms)

    async def _subject(self, given: str) -> tuple[Whom, str]:
        """A person or an address; an IPv6 address stands for the /64 of one customer."""
        address = given.partition("/")[0]
        try:
            parsed = ip_address(address.partition("%")[0])
        except ValueError:
            return Whom.PERSON, (await self._person(given)).id
        if "/" in given and (
            parsed.version == 4 or ip_network(given, False).prefixlen != IPV6_PREFIX
        ):
            raise AdminError("give one address, or an IPv6 network with /64", where=given)
        config = self._services.config
        is_proxy = "*" not in config.trusted_proxies and config.trusts(address)
        if parsed.is_loopback or is_proxy:
            raise AdminError(
                "this is the machine or the proxy of the server itself; a ban would hit everybody",
                code="own-address",
                where=given,
            )
        return Whom.ADDRESS, group_of(address)

    async def lift(self, request: wire.Lift) -> wire.Completed:
        if not await self._store.lift_sanction(request.sanction, self._now_ms):
            raise AdminError(
                "there is no such ban or mute, or it was lifted before",
                code="no-sanction",
                where=request.sanction,
            )
        await self._tell_sanctions()
        return wire.Completed()

    async def sanctions(self, request: wire.FindSanctions) -> wire.SanctionLines:
        rows = await self._store.sanctions(request.limit, request.subject)
        found = [lines.sanction_line(row, self._now_ms) for row in rows]
        return wire.SanctionLines([each for each in found if request.over or each.in_force])

    async def _tell_sanctions(self) -> None:
        await self._services.sanctions.reload()
        await self._store.tell([(NewsKind.SANCTIONS, "", "")])

    # --- the server ---

    async def announce(self, request: wire.Announce) -> wire.Completed:
        made = None
        if request.text is not None:
            if not request.text.isprintable() or not request.text.strip():
                raise AdminError("an announcement is one line of text", where="text")
            seconds = request.for_seconds
            until_ms = None if seconds is None else self._now_ms + seconds * 1000
            made = Announcement(request.text.strip(), until_ms)
        await self._services.announcement.set(made)
        await self._store.tell([(NewsKind.ANNOUNCEMENT, "", "")])
        return wire.Completed()

    async def drain(self, request: wire.Drain) -> wire.ProcessLines:
        running = [row.id for row in await self._running()]
        chosen = {name for name in running if name.startswith(request.process or "")}
        if not chosen:
            raise AdminError(
                "no such process is running; `lampion admin processes` lists them",
                code="no-process",
                where=request.process or "",
            )
        draining = self._services.draining
        await draining.reload()
        before = draining.processes & set(running)
        await draining.set(before | chosen if request.on else before - chosen)
        await self._store.tell([(NewsKind.DRAIN, "", "")])
        return await self.processes(wire.NoDetails())

    async def new_key(self, request: wire.NewKey) -> wire.MadeKey:
        if not request.label.isprintable():
            raise AdminError("a label is one line of text", where="label")
        row, secret = await self._services.admin_keys.add(request.label, request.for_seconds)
        return wire.MadeKey(key_id(row.hash), row.label, secret, row.expires_ms)

    async def keys(self, request: wire.NoDetails) -> wire.KeyLines:
        rows = await self._services.admin_keys.all()
        return wire.KeyLines([lines.key_line(row, self._now_ms) for row in rows])

    async def revoke_key(self, request: wire.RevokeKey) -> wire.KeyLine:
        return lines.key_line(await self._services.admin_keys.revoke(request.key), self._now_ms)

    # --- what they share ---

    @property
    def _now_ms(self) -> int:
        return self._services.clock.now_ms()

    async def _running(self) -> list[ProcessRow]:
        return await self._store.processes(self._now_ms - int(DEAD_SECONDS * 1000))

    async def _row(self, table: str) -> TableRow:
        row = await self._store.table(table)
        if row is None:
            raise no_table(table)
        return row

    async def _person(self, person: str) -> PersonRow:
        row = await self._store.person(person)
        if row is None:
            raise AdminError(
                "there is no such person; `lampion admin people` finds them by name",
                code="no-person",
                where=person,
            )
        return row


def _end(request: wire.NewSanction, now_ms: int) -> int | None:
    if request.for_seconds is not None and request.until_ms is not None:
        raise AdminError("give either a length or an end, not both", where="until_ms")
    if request.for_seconds is not None:
        return now_ms + request.for_seconds * 1000
    if request.until_ms is not None and request.until_ms <= now_ms:
        raise AdminError("this end is in the past", code="past-end", where="until_ms")
    return request.until_ms
