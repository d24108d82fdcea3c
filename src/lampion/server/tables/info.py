"""What a viewer may know of a table besides the game itself."""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Set

import msgspec

from lampion.server import wire
from lampion.server.store.base import SeatRow, TableStatus
from lampion.server.tables.drawings import drawing_of
from lampion.server.tables.room import Viewer
from lampion.server.tables.table import Table


def invitation(seed: str, renewals: int = 0) -> str:
    """What opens a seat at a table: a secret that follows from the table's own, and from which
    nothing follows."""
    what = f"invitation {renewals}" if renewals else "invitation"
    return urlsafe_b64encode(
        hmac.digest(bytes.fromhex(seed), what.encode(), "sha256")[:18]
    ).decode()


def invitation_to(table: Table) -> str:
    """A removed player still knows the old link and could come back as a new guest: each removal
    renews it."""
    return invitation(table.row.seed, table.num_removals)


def is_invitation(table: Table, invite: str | None) -> bool:
    return invite is not None and secrets.compare_digest(
        invite.encode(), invitation_to(table).encode()
    )


def is_insider(table: Table, viewer: Viewer) -> bool:
    """Whether the viewer may know who sits here and what is said: everybody may, at a public
    table, but for people whom the host has removed."""
    if viewer.person in table.removed:
        return False
    sits = bool(table.seats_of(viewer.person))
    is_host = viewer.person is not None and table.row.host == viewer.person
    is_asked = viewer.person in table.invited
    return table.row.public or sits or is_host or is_asked or viewer.is_invited


def told_like(table: Table, viewer: Viewer) -> Viewer:
    """A viewer who is told exactly the same: spectators differ only in whether they are invited."""
    treated_apart = table.people | table.removed | table.invited
    known = viewer.person in treated_apart or viewer.person == table.row.host
    return viewer if known else Viewer(None, viewer.is_invited)


def for_viewer(table: Table, viewer: Viewer, update: wire.Update) -> wire.Update:
    """An update as the viewer may have it: the view names nobody to strangers."""
    return update if is_insider(table, viewer) else nameless(update)


def nameless(update: wire.Update) -> wire.Update:
    assert update.view is not None, "names are taken out before a view is left out"
    names = [f"Player {number}" for number in range(1, len(update.view["names"]) + 1)]
    view = update.view | {"names": names}
    return msgspec.structs.replace(update, view=view, drawing=drawing_of(view))


def table_info(
    table: Table, viewer: Viewer, *, connected: Set[str], watching: int
) -> wire.TableInfo:
    row, question = table.row, table.question
    sits = bool(table.seats_of(viewer.person))
    is_host = viewer.person is not None and row.host == viewer.person
    shows_invite = table.status == TableStatus.OPEN and (sits or is_host)
    return wire.TableInfo(
        id=row.id, game=row.game, status=table.status, players=row.players, options=table.options, public=row.public,
        pace=table.pace, seats=[_seat_info(table, seat, viewer, connected) for seat in table.seats],
        is_host=is_host, is_insider=is_insider(table, viewer), is_removed=viewer.person in table.removed,
        invites_me=viewer.person in table.invited and table.status == TableStatus.OPEN and not sits,
        asks_ready=table.asks_ready,
        invite=invitation_to(table) if shows_invite else None,
        commitment=row.commitment, actors=table.actors, ply=table.ply,
        continued=table.first_ply or None, paused=table.is_paused,
        request=wire.Request(question.number, question.what, question.by, question.agreed, question.waiting)
        if question else None,
        refused=table.refused,
        result=table.result, hints=table.people <= {viewer.person},
        next_table=row.next_table if is_insider(table, viewer) else None, watching=watching, muted=viewer.person in table.muted,
        created_ms=row.created_ms, changed_ms=row.changed_ms,
    )  # fmt: skip


def _seat_info(table: Table, seat: SeatRow, viewer: Viewer, connected: Set[str]) -> wire.Seat:
    number = seat.seat
    is_known = is_insider(table, viewer)
    return wire.Seat(
        number, seat.kind, seat.name if is_known else None, seat.level,
        viewer.person is not None and seat.person_id == viewer.person, table.stand_ins.get(number),
        is_known and seat.person_id in connected, number in table.resigned, number in table.out_of_time,
        table.may_return(number), number in table.ready,
        is_known and seat.person_id is not None and seat.person_id == table.row.host,
        [wire.Vacation(*span) for span in table.clocks.vacations.get(number, ())] if is_known else [],
    )  # fmt: skip
