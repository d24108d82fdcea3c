"""Around the game: tables made and filled, who knows what of them, chat, rematch."""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Set

import msgspec

from lampion.bots.levels import DEFAULT_LEVEL, LEVELS
from lampion.core.errors import InvalidOptions, LampionError
from lampion.core.fairness import commitment, new_seed
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.people.people import checked_name
from lampion.server.store.base import (
    OPEN,
    RUNNING,
    SEAT_BOT,
    SEAT_LOCAL,
    SEAT_OPEN,
    SEAT_PERSON,
    ChatLine,
    PersonRow,
    SeatRow,
    TableRow,
)
from lampion.server.tables.house import House, now_ms
from lampion.server.tables.table import Table

PUBLIC_TABLES = 60
OWN_TABLES = 60


def invitation(seed: str) -> str:
    """What opens a seat at a table: a secret that follows from the table's own, and from which nothing follows."""
    return urlsafe_b64encode(hmac.digest(bytes.fromhex(seed), b"invitation", "sha256")[:18]).decode()


# --- what a person may know of a table --------------------------------------------------------------------------------------------


def table_info(table: Table, person: str | None, *, connected: Set[str], watching: int) -> wire.TableInfo:
    row, question = table.row, table.question
    sits = bool(table.seats_of(person))
    is_host = person is not None and row.host == person
    return wire.TableInfo(
        id=row.id, game=row.game, status=table.status, players=row.players, options=table.options, public=row.public, pace=table.pace,
        seats=[_seat_info(table, seat, person, connected) for seat in table.seats],
        is_host=is_host, invite=invitation(row.seed) if table.status == OPEN and (sits or is_host) else None,
        commitment=row.commitment, actors=table.actors, ply=table.ply,
        request=wire.Request(question.number, question.what, question.by, question.agreed, question.waiting) if question else None,
        result=table.result, hints=table.people <= {person}, next_table=row.next_table, watching=watching,
        created_ms=row.created_ms, changed_ms=row.changed_ms,
    )  # fmt: skip


def _seat_info(table: Table, seat: SeatRow, person: str | None, connected: Set[str]) -> wire.Seat:
    number = seat.seat
    return wire.Seat(
        number, seat.kind, seat.name, seat.level, person is not None and seat.person_id == person, table.stand_ins.get(number),  # type: ignore[arg-type]
        seat.person_id in connected, number in table.resigned, number in table.out_of_time,
    )  # fmt: skip


async def infos(house: House, rows: list[TableRow], person: str | None) -> list[wire.TableInfo]:
    """Tables of a list; a damaged one is left out."""
    found = []
    for row in rows:
        try:
            async with house.at(row.id) as room:
                found.append(house.info(room, person))
        except LampionError:
            continue
    return found


async def public_tables(house: House, person: str | None) -> list[wire.TableInfo]:
    rows = await house.store.public_tables(PUBLIC_TABLES) + await house.store.public_tables(PUBLIC_TABLES, RUNNING)
    return await infos(house, rows, person)


async def own_tables(house: House, person: str) -> list[wire.TableInfo]:
    return await infos(house, await house.store.tables_of(person, OWN_TABLES), person)


# --- making and filling a table ---------------------------------------------------------------------------------------------------


async def create(house: House, host: PersonRow, wanted: wire.NewTable) -> str:
    """A new table, started at once when nobody else is expected. Returns its id."""
    await house.readiness.wait(wanted.game)
    game, seed, table = find_game(wanted.game), new_seed(), secrets.token_urlsafe(9)
    Match(game, len(wanted.seats), wanted.options)  # says what is wrong with players or options before anything is stored
    seats = [_chosen_seat(table, number, choice, host) for number, choice in enumerate(wanted.seats)]
    row = TableRow(
        table, game.NAME, len(seats), game.RULES_VERSION, msgspec.json.encode(wanted.options).decode(), wanted.public,
        msgspec.json.encode(wanted.pace).decode(), OPEN, seed.hex(), commitment(seed), now_ms(), now_ms(), host=host.id,
    )  # fmt: skip
    await house.store.create_table(row, seats)
    own = next((seat.seat for seat in seats if seat.person_id == host.id), None)

    def begin(at: Table) -> None:
        if own is not None:
            at.note_seats(own, wanted.nonce, now_ms())
        if not at.has_open_seats:
            at.start(now_ms())

    await house.change(table, begin)
    return table


def _chosen_seat(table: str, number: int, choice: wire.SeatChoice, host: PersonRow) -> SeatRow:
    if choice.kind == "bot":
        name = checked_name(choice.name) if choice.name else None
        return SeatRow(table, number, SEAT_BOT, None, checked_level(choice.level or DEFAULT_LEVEL, number), name)
    if choice.kind == "open":
        return SeatRow(table, number, SEAT_OPEN)
    kind = SEAT_PERSON if choice.kind == "me" else SEAT_LOCAL
    return SeatRow(table, number, kind, host.id, None, checked_name(choice.name or host.name))


def checked_level(level: str, seat: int) -> str:
    if level not in [known.name for known in LEVELS]:
        known = ", ".join(each.name for each in LEVELS)
        raise InvalidOptions(
            f"there is no level {level[:40]!r}; there are: {known}", code="unknown-level", where=f"seats[{seat}].level"
        )
    return level


async def join(house: House, table: str, person: PersonRow, wanted: wire.Join) -> None:
    """Take an open seat; the last one starts the game."""
    async with house.at(table) as room:
        row, seats = room.table.row, room.table.seats
        if room.table.seats_of(person.id):
            return
        if not row.public and not _is_invited(row, wanted.invite):
            raise TableError("this table is for invited people; ask for its link", code="not-invited", where=table)
        free = [seat.seat for seat in seats if seat.kind == SEAT_OPEN and wanted.seat in (None, seat.seat)]
    for number in free:
        taken = SeatRow(table, number, SEAT_PERSON, person.id, None, checked_name(wanted.name or person.name))
        if await house.store.set_seat(taken, expect_kind=SEAT_OPEN):
            await _seated(house, table, number, wanted.nonce)
            return
    raise TableError("there is no free seat at this table", code="no-free-seat", where=table)


def _is_invited(row: TableRow, invite: str | None) -> bool:
    return invite is not None and secrets.compare_digest(invite, invitation(row.seed))


async def _seated(house: House, table: str, seat: int, nonce: str = "") -> None:
    """Tell everybody, in this process and others; start when the table is full."""
    await house.change(table, lambda at: at.note_seats(seat, nonce, now_ms()))
    async with house.at(table) as room:
        is_full = room.table.status == OPEN and not room.table.has_open_seats
    if is_full:
        await start(house, table, None)


async def start(house: House, table: str, host: str | None) -> None:
    """Begin; what is still open is given to bots. `host` is None when the table starts by itself."""
    async with house.at(table) as room:
        if host is not None and room.table.row.host != host:
            raise TableError("only the host can start the game", code="not-host", where=table)
        empty = [seat.seat for seat in room.table.seats if seat.kind == SEAT_OPEN]
    for number in empty:
        await house.store.set_seat(SeatRow(table, number, SEAT_BOT, None, DEFAULT_LEVEL), expect_kind=SEAT_OPEN)
        await house.change(table, lambda at, number=number: at.note_seats(number, "", now_ms()))  # type: ignore[misc]
    await house.change(table, lambda at: at.start(now_ms()))


async def change_seat(house: House, table: str, number: int, host: str, wanted: wire.ChangeSeat) -> None:
    async with house.at(table) as room:
        at = room.table
        if at.row.host != host:
            raise TableError("only the host can change seats", code="not-host", where=table)
        if at.status != OPEN or number >= at.players or at.seats[number].kind not in (SEAT_OPEN, SEAT_BOT):
            raise TableError("this seat cannot be changed now", code="seat-taken", where=f"seat {number}")
        before = at.seats[number].kind
    level = checked_level(wanted.level or DEFAULT_LEVEL, number) if wanted.kind == "bot" else None
    if await house.store.set_seat(SeatRow(table, number, wanted.kind, None, level), expect_kind=before):
        await _seated(house, table, number)


async def rematch(house: House, table: str, person: PersonRow) -> str:
    """The same people at a new table, the first seat passed on. Whoever asks second is led to the table of the first."""
    async with house.at(table) as room:
        old = room.table
        if not old.reveals or not (old.seats_of(person.id) or old.row.host == person.id):
            raise TableError("a rematch is for the players of a finished game", code="no-rematch", where=table)
        if old.row.next_table:
            return old.row.next_table
        choices = [_same_seat(seat, person) for seat in old.seats[1:] + old.seats[:1]]
        wanted = wire.NewTable(old.row.game, choices, old.options, old.pace, old.row.public)
        new = await create(house, person, wanted)
        await house.store.update_table(table, next_table=new)
        old.row = msgspec.structs.replace(old.row, next_table=new)
        house.publish(room, with_info=True)
        return new


def _same_seat(seat: SeatRow, person: PersonRow) -> wire.SeatChoice:
    if seat.kind == SEAT_BOT:
        return wire.SeatChoice("bot", seat.level, seat.name)
    if seat.person_id == person.id:
        return wire.SeatChoice("me" if seat.kind == SEAT_PERSON else "local", None, seat.name)
    return wire.SeatChoice("open")


async def vacate(house: House, table: str, person: str) -> None:
    """Somebody is leaving for good: bots play the seats."""

    def leave(at: Table) -> None:
        for seat in at.seats_of(person):
            if at.status == RUNNING and at.is_played_by_person(seat):
                at.do(wire.Leave(secrets.token_urlsafe(9), seat), now_ms())

    await house.change(table, leave)


# --- chat -------------------------------------------------------------------------------------------------------------------------


async def say(house: House, table: str, person: PersonRow | None, words: wire.Say) -> None:
    if person is None:
        raise TableError("tell us your name first", code="who-are-you")
    if (words.text is None) == (words.phrase is None):
        raise TableError("say something: either words or a phrase", code="nothing-said")
    async with house.at(table) as room:
        seats = room.table.seats_of(person.id)
    text = f"/{words.phrase}" if words.phrase else f" {_printable(words.text or '')}"
    line = await house.store.add_chat(table, now_ms(), person.id, seats[0] if seats else None, text)
    await house.change(table, lambda at: at.note_chat(line.number, now_ms()))


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text).strip() or "…"


def said(table: Table, line: ChatLine, name: str | None = None) -> wire.Said:
    """A line of chat: a phrase is stored with a stroke before it, other words with a space."""
    is_phrase = line.text.startswith("/")
    speaker = table.names[line.seat] if line.seat is not None else (name or "")
    return wire.Said(
        line.number, line.at_ms, line.seat, speaker, None if is_phrase else line.text[1:], line.text[1:] if is_phrase else None,  # type: ignore[arg-type]
    )  # fmt: skip
