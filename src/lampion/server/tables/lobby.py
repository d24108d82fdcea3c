"""Tables made, filled, left and cancelled, and made again for a rematch."""

from __future__ import annotations

import secrets
from collections.abc import Collection

import msgspec

from lampion.bots.levels import CHOICES, DEFAULT_LEVEL
from lampion.core.errors import InvalidOptions
from lampion.core.fairness import commitment, new_seed
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.peers import NewsKind
from lampion.server.people.names import checked_name
from lampion.server.store.base import Mark, PersonRow, SeatKind, SeatRow, TableRow, TableStatus
from lampion.server.tables import calls, commands
from lampion.server.tables.happenings import Described
from lampion.server.tables.info import is_invitation
from lampion.server.tables.rooms import Rooms, SeatChange, no_table
from lampion.server.tables.table import REMOVAL, Prefix, Table

MOST_HOSTED = 10_000
MOST_INVITATIONS, INVITED_MS = 3, 24 * 3600 * 1000
"""Of one host to one person, unanswered: at open tables, and at any table made in the last day, so
that canceling one does not make room for another."""

# --- making a table
# -------------------------------------------------------------------------------------------------


async def create(
    rooms: Rooms,
    host: PersonRow,
    wanted: wire.NewTable,
    *,
    after: str | None = None,
    invited: Collection[str] = (),
    earlier: Prefix = [],  # noqa: B006  (never changed)
) -> str:
    """A new table, started at once when nobody else is expected. Returns its id.

    `after` makes it the rematch of that table; if there is one already, its id is returned and
    nothing is made. Friends named by the open seats, and people who are `invited`, are asked to
    come, and told by the ways that they have chosen. The game goes on behind the entries of an
    `earlier` one, if there are any.
    """
    await check(rooms, wanted)
    guests = await _willing(rooms, host, {*invited, *await _friends(rooms, host, wanted)})
    game, seed, table = find_game(wanted.game), new_seed(), secrets.token_urlsafe(9)
    seats = [
        _chosen_seat(table, number, choice, host) for number, choice in enumerate(wanted.seats)
    ]
    now_ms = rooms.clock.now_ms()
    row = TableRow(
        table, game.NAME, len(seats), game.RULES_VERSION, msgspec.json.encode(wanted.options).decode(), wanted.public,
        msgspec.json.encode(wanted.pace).decode(), TableStatus.OPEN, seed.hex(), commitment(seed), now_ms, now_ms,
        host=host.id, previous_table=after,
    )  # fmt: skip
    called = calls.invitations(guests, now_ms, rooms.reachable)
    stored = await rooms.store.create_table(row, seats, after=after, calls=called, invited=guests)
    if stored != table:
        return stored
    own = next((seat.seat for seat in seats if seat.person_id == host.id), None)

    def begin(at: Table) -> None:
        if earlier:
            commands.go_on_from(at, earlier, rooms.clock.now_ms())
        if own is not None:
            commands.note_seat(at, own, wanted.nonce, rooms.clock.now_ms())
        if not at.has_open_seats:
            commands.start(at, rooms.clock.now_ms())

    await rooms.change(table, begin)
    return table


async def _friends(rooms: Rooms, host: PersonRow, wanted: wire.NewTable) -> set[str]:
    """The people whom the open seats are for. They have played with the host: a seat at a table
    of both is all that names them."""
    found = set()
    for number, choice in enumerate(wanted.seats):
        if choice.friend is None:
            continue
        table, _, seat = choice.friend.partition(".")
        friend = await rooms.store.companion(host.id, table, int(seat))
        if friend is None or _kind(choice) != SeatKind.OPEN:
            message = "an open seat can be for a person you have played with"
            raise InvalidOptions(message, code="no-friend", where=f"seats[{number}].friend")
        found.add(friend)
    return found


async def _willing(rooms: Rooms, host: PersonRow, guests: set[str]) -> set[str]:
    """A person who has blocked the host, or has not answered earlier invitations, hears nothing,
    and the host does not learn of it."""
    store, found = rooms.store, set()
    since_ms = rooms.clock.now_ms() - INVITED_MS
    for guest in guests:
        unanswered = await store.unanswered_invitations(host.id, guest, since_ms)
        if unanswered < MOST_INVITATIONS and not await store.is_blocked(host.id, by=guest):
            found.add(guest)
    return found


async def check(rooms: Rooms, wanted: wire.NewTable) -> None:
    """Say what is wrong with a game, its players, options, levels or names, before anything is
    stored."""
    await rooms.readiness.wait(wanted.game)
    Match(find_game(wanted.game), len(wanted.seats), wanted.options)
    for number, choice in enumerate(wanted.seats):
        if choice.level is not None:
            checked_level(choice.level, number)
        if choice.name is not None:
            checked_name(choice.name)


def _chosen_seat(table: str, number: int, choice: wire.SeatChoice, host: PersonRow) -> SeatRow:
    kind = _kind(choice)
    if kind == SeatKind.BOT:
        name = checked_name(choice.name) if choice.name else None
        return SeatRow(
            table,
            number,
            SeatKind.BOT,
            None,
            checked_level(choice.level or DEFAULT_LEVEL, number),
            name,
        )
    if kind == SeatKind.OPEN:
        return SeatRow(table, number, kind)
    return SeatRow(table, number, kind, host.id, None, checked_name(choice.name or host.name))


def _kind(choice: wire.SeatChoice) -> SeatKind:
    """A host who asks for a seat says `me`."""
    return SeatKind.PERSON if choice.kind == "me" else SeatKind(choice.kind)


def checked_level(level: str, seat: int) -> str:
    if level not in [known.name for known in CHOICES]:
        known = ", ".join(each.name for each in CHOICES)
        message = f"there is no level {level[:40]!r}; there are: {known}"
        raise InvalidOptions(message, code="unknown-level", where=f"seats[{seat}].level")
    return level


async def rematch_made(rooms: Rooms, table: str, person: PersonRow) -> str | None:
    """The rematch to which the person is led, if there is one."""
    if not (await rooms.room(table)).table.reveals:
        await rooms.catch_up(table)  # another process may have seen the end a moment ago
    async with rooms.at(table) as room:
        _check_may_rematch(room.table, person)
        row = await rooms.store.table(table)
        if row and row.next_table != room.table.row.next_table:
            room.table.row = row  # another process has made it just now
            rooms.bus.publish(Described(room))
        return room.table.row.next_table


def _check_may_rematch(old: Table, person: PersonRow) -> None:
    if not old.reveals or not (old.seats_of(person.id) or old.row.host == person.id):
        message = "a rematch is for the players of a finished game"
        raise TableError(message, code="no-rematch", where=old.id)


async def rematch(rooms: Rooms, table: str, person: PersonRow) -> str:
    """The same people at a new table, the first seat passed on. Everybody who asks is led to the
    same table."""
    async with rooms.at(table) as room:
        old = room.table
        _check_may_rematch(old, person)
        if old.row.next_table:
            return old.row.next_table
        choices = [_same_seat(seat, person) for seat in old.seats[1:] + old.seats[:1]]
        wanted = wire.NewTable(old.row.game, choices, old.options, old.pace, old.row.public)
        invited = old.people - {person.id}
        new = await create(rooms, person, wanted, after=table, invited=invited)
        old.row = msgspec.structs.replace(old.row, next_table=new)
        rooms.bus.publish(Described(room))
    await rooms.store.tell([(NewsKind.TABLE, table, "")])
    return new


def _same_seat(seat: SeatRow, person: PersonRow) -> wire.SeatChoice:
    if seat.kind == SeatKind.BOT:
        return wire.SeatChoice("bot", seat.level, seat.name)
    if seat.person_id == person.id:
        return wire.SeatChoice("me" if seat.kind == SeatKind.PERSON else "local", None, seat.name)
    return wire.SeatChoice("open")


# --- filling it
# -----------------------------------------------------------------------------------------------------


async def join(rooms: Rooms, table: str, person: PersonRow, wanted: wire.Join) -> None:
    """Take an open seat; the last one starts the game, unless a clock waits for everybody to be
    ready."""
    async with rooms.at(table) as room:
        at = room.table
        if at.seats_of(person.id):
            return
        if person.id in at.removed:
            message = "the host has removed you from this table"
            raise TableError(message, code="removed", where=table)
        if at.reveals and at.match is None:
            raise TableError("this table was cancelled", code="cancelled", where=table)
        may = (
            at.row.public
            or person.id in at.invited
            or is_invitation(at, wanted.invite)
            or await played_before(rooms, at.row, person.id)
        )
        if not may:
            raise TableError(
                "this table is for invited people; ask for its link",
                code="not-invited",
                where=table,
            )
        free = [
            seat.seat
            for seat in at.seats
            if seat.kind == SeatKind.OPEN and wanted.seat in (None, seat.seat)
        ]
    name = checked_name(wanted.name or person.name)
    for number in free:
        row = SeatRow(table, number, SeatKind.PERSON, person.id, None, name)
        if await _seat_if_free(rooms, table, SeatChange(row, SeatKind.OPEN), wanted.nonce):
            await start_if_full(rooms, table)
            return
    raise TableError("there is no free seat at this table", code="no-free-seat", where=table)


async def played_before(rooms: Rooms, row: TableRow, person: str | None) -> bool:
    """Whether the person sat at the table of which this one is the rematch."""
    if row.previous_table is None or person is None:
        return False
    return any(seat.person_id == person for seat in await rooms.store.seats(row.previous_table))


async def _seat(rooms: Rooms, table: str, change: SeatChange, nonce: str = "") -> None:
    """A seat and the event that tells of it are stored together."""
    number = change.row.seat

    def note(at: Table) -> None:
        if at.status != TableStatus.OPEN:
            raise TableError("the game has begun", code="already-started", where=table)
        rooms.check_room_in_log(at)
        commands.note_seat(at, number, nonce, rooms.clock.now_ms())

    await rooms.change(table, note, seat=change)


async def _seat_if_free(rooms: Rooms, table: str, change: SeatChange, nonce: str = "") -> bool:
    """False if another player has just sat down there."""
    try:
        await _seat(rooms, table, change, nonce)
    except TableError as taken:
        if taken.code != "seat-taken":
            raise
        return False
    return True


async def start_if_full(rooms: Rooms, table: str) -> None:
    def begin(at: Table) -> None:
        if at.is_left_unstarted:
            commands.start(at, rooms.clock.now_ms())

    await rooms.change(table, begin)


async def start(rooms: Rooms, table: str, host: str) -> None:
    """The host wants to begin: bots get the seats that are still open, also if a guest has just
    taken one of them. A clock waits until the others are ready, too."""
    async with rooms.at(table) as room:
        _check_host(room.table, host, "start the game")
        empty = [seat.seat for seat in room.table.seats if seat.kind == SeatKind.OPEN]
    for number in empty:
        bot = SeatRow(table, number, SeatKind.BOT, None, DEFAULT_LEVEL)
        await _seat_if_free(rooms, table, SeatChange(bot, SeatKind.OPEN))

    def begin(at: Table) -> None:
        if at.asks_ready:
            commands.say_ready(at, at.seats_of(host), True, rooms.clock.now_ms())
        else:
            commands.start(at, rooms.clock.now_ms())

    await rooms.change(table, begin)


async def say_ready(rooms: Rooms, table: str, person: str, is_ready: bool) -> None:
    def say(at: Table) -> None:
        seats = at.seats_of(person)
        if not seats:
            raise TableError("you do not sit at this table", code="not-your-seat", where=table)
        rooms.check_room_in_log(at)
        commands.say_ready(at, seats, is_ready, rooms.clock.now_ms())

    await rooms.change(table, say)


def _check_host(table: Table, person: str, what: str) -> None:
    if table.row.host != person:
        raise TableError(f"only the host can {what}", code="not-host", where=table.id)


async def change_seat(
    rooms: Rooms, table: str, number: int, host: str, wanted: wire.ChangeSeat
) -> None:
    async with rooms.at(table) as room:
        at = room.table
        _check_host(at, host, "change seats")
        is_free = number < at.players and at.seats[number].kind in (SeatKind.OPEN, SeatKind.BOT)
        if at.status != TableStatus.OPEN or not is_free:
            raise TableError(
                "this seat cannot be changed now", code="seat-taken", where=f"seat {number}"
            )
        before = at.seats[number].kind
    kind, level = SeatKind(wanted.kind), None
    if kind == SeatKind.BOT:
        level = checked_level(wanted.level or DEFAULT_LEVEL, number)
    await _seat(rooms, table, SeatChange(SeatRow(table, number, kind, None, level), before))


async def put_away_oldest(rooms: Rooms, person: str) -> bool:
    """End the game against bots alone that the person has not touched for longest; False if there is none.

    A game that was simply left lies about for ever otherwise, and would one day keep its host from
    a new one.
    """
    rows = await rooms.store.tables_of(person, MOST_HOSTED)
    under_way = [row for row in rows if row.status in (TableStatus.OPEN, TableStatus.RUNNING)]
    seats = await rooms.store.seats_of([row.id for row in under_way])
    for row in reversed(under_way):
        if row.host == person and all(seat.person_id in (None, person) for seat in seats[row.id]):
            await rooms.change(row.id, lambda at: commands.stop(at, rooms.clock.now_ms()))
            return True
    return False


# --- leaving it -----------------------------------------------------------------------------------


async def leave(rooms: Rooms, table: str, person: str) -> None:
    """Stand up before the game begins. The next player becomes the host; a table that nobody sits
    at any more is cancelled."""
    async with rooms.at(table) as room:
        own = [seat for seat in room.table.seats if seat.person_id == person]
    for seat in own:
        await _free(rooms, seat)
    async with rooms.at(table) as room:
        hosts = room.table.row.host == person
        heirs = [seat.person_id for seat in room.table.seats if seat.person_id]
    if hosts and heirs:
        await rooms.store.update_table(table, host=heirs[0])
        await rooms.refresh(table)
        await rooms.store.tell([(NewsKind.TABLE, table, "")])
    elif hosts:
        await cancel(rooms, table, person)


async def remove(rooms: Rooms, table: str, number: int, host: str) -> None:
    """The host frees the seat of a player, who cannot sit down at this table again: not as the same
    person, and not as a new guest by the old link, which is void from now on."""
    async with rooms.at(table) as room:
        at = room.table
        _check_host(at, host, "remove players")
        seat = at.seats[number] if number < at.players else None
        if at.status != TableStatus.OPEN:
            raise TableError("the game has begun", code="already-started", where=table)
        if seat is None or seat.kind != SeatKind.PERSON or seat.person_id is None:
            raise TableError("nobody sits there", code="seat-free", where=f"seat {number}")
    # Marked before the seat is free: a process that then reads the table again must see the mark.
    await rooms.store.mark(table, seat.person_id, Mark.REMOVED)
    await _free(rooms, seat, REMOVAL)


async def _free(rooms: Rooms, seat: SeatRow, note: str = "") -> None:
    free = SeatRow(seat.table_id, seat.seat, SeatKind.OPEN)
    await _seat(rooms, seat.table_id, SeatChange(free, seat.kind, seat.person_id), note)


async def cancel(rooms: Rooms, table: str, host: str) -> None:
    def close(at: Table) -> None:
        _check_host(at, host, "cancel the table")
        if at.status != TableStatus.OPEN:
            raise TableError("the game has begun", code="already-started", where=table)
        commands.stop(at, rooms.clock.now_ms())

    await rooms.change(table, close)


async def dismiss(rooms: Rooms, table: str, person: str) -> None:
    """Take a table off the person's list for good.

    An invitation is declined, an open table is left, and a game against bots alone is ended. Where others play, a bot takes
    the seat; a person who takes it back has the game in the list again.
    """
    row, seats = await rooms.store.table(table), await rooms.store.seats(table)
    people = {seat.person_id for seat in seats if seat.person_id}
    concerns_me = row is not None and (person in people or row.host == person)
    if row is None or not (concerns_me or await _is_invited(rooms, table, person)):
        raise no_table(table)
    if row.status == TableStatus.OPEN and concerns_me:
        await (leave if person in people else cancel)(rooms, table, person)
    elif row.status == TableStatus.RUNNING and people <= {person}:
        await rooms.change(table, lambda at: commands.stop(at, rooms.clock.now_ms()))
    elif row.status == TableStatus.RUNNING:
        await vacate(rooms, table, person)
    await rooms.store.mark(table, person, Mark.HIDDEN)
    await rooms.store.saw_table(table, person)


async def _is_invited(rooms: Rooms, table: str, person: str) -> bool:
    return person in await rooms.store.marked_people(table, Mark.INVITED)


async def vacate(rooms: Rooms, table: str, person: str) -> None:
    """A person is leaving a game: bots play the seats."""

    def leave(at: Table) -> None:
        for seat in at.seats_of(person):
            if at.status == TableStatus.RUNNING and at.is_played_by_person(seat):
                command = wire.Leave(secrets.token_urlsafe(9), seat)
                commands.carry_out(at, command, rooms.clock.now_ms())

    await rooms.change(table, leave)
