"""Lists of tables as a person may see them."""

from __future__ import annotations

from lampion.core.errors import LampionError
from lampion.server import wire
from lampion.server.services import Services
from lampion.server.store.base import Mark, StorageFailed, TableRow, TableStatus
from lampion.server.tables.room import Viewer

PUBLIC_TABLES = 60
OWN_TABLES = 60
HISTORY_PAGE = 20


async def infos(services: Services, rows: list[TableRow], viewer: Viewer) -> list[wire.TableInfo]:
    """Tables that cannot be read are left out. Without the store there is no list: a short one
    would say that games are gone."""
    found = []
    for row in rows:
        try:
            async with services.rooms.at(row.id) as room:
                found.append(services.presence.info(room, viewer))
        except StorageFailed:
            raise
        except LampionError:
            continue
    return found


async def public_tables(services: Services, person: str | None) -> list[wire.TableInfo]:
    store = services.store
    rows = await store.public_tables(PUBLIC_TABLES) + await store.public_tables(
        PUBLIC_TABLES, TableStatus.RUNNING
    )
    return await infos(services, rows, Viewer(person))


async def own_tables(services: Services, person: str) -> list[wire.TableInfo]:
    """Without tables that were cancelled, and without those that the person dismissed and does not
    play at."""
    hidden = await services.store.marked_tables(person, Mark.HIDDEN)
    rows = await services.store.tables_of(person, OWN_TABLES + len(hidden))
    found = await infos(services, rows, Viewer(person))
    return [info for info in found if _concerns(info, info.id in hidden)][:OWN_TABLES]


async def history(
    services: Services, person: str, game: str, before: tuple[int, str] | None
) -> wire.History:
    """A page of games that the person played to an end. Tables that were cancelled before their
    game began are left out, so a page may be shorter than others."""
    rows = await services.store.ended_tables_of(person, HISTORY_PAGE + 1, game=game, before=before)
    shown = rows[:HISTORY_PAGE]
    found = await infos(services, shown, Viewer(person))
    last = shown[-1] if len(rows) > HISTORY_PAGE else None
    return wire.History(
        [info for info in found if info.result is not None],
        f"{last.changed_ms}-{last.id}" if last else None,
    )


def _concerns(table: wire.TableInfo, is_hidden: bool) -> bool:
    if table.status == TableStatus.STOPPED and table.result is None:
        return False  # it was cancelled before its game began
    plays = any(seat.mine and seat.stand_in is None for seat in table.seats)
    return not is_hidden or (plays and table.status == TableStatus.RUNNING)
