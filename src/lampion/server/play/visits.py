"""Those who ask for the feed again and again, because no socket comes through to them, are present like everybody else."""

from __future__ import annotations

import asyncio

from lampion.server.tables.house import House, Room

PRESENT_SECONDS = 30.0
"""How long after somebody has asked; a page that nobody looks at asks every ten seconds."""


class Caller:
    """A watcher that need not be told anything, since it asks."""

    def __init__(self, person: str) -> None:
        self.person: str | None = person
        self.until: asyncio.TimerHandle | None = None

    def offer(self, message: bytes) -> None:
        pass


def call(house: House, room: Room, person: str | None) -> None:
    """Somebody asks. Those at the table are told when a player comes or stays away."""
    if person is None or not room.table.seats_of(person):
        return
    was_here = person in room.connected()
    caller = next((each for each in room.watchers if isinstance(each, Caller) and each.person == person), Caller(person))
    room.watchers.add(caller)
    if caller.until:
        caller.until.cancel()
    caller.until = asyncio.get_running_loop().call_later(PRESENT_SECONDS, _leave, house, room, caller)
    if not was_here:
        house.publish(room, with_info=True)


def _leave(house: House, room: Room, caller: Caller) -> None:
    room.watchers.discard(caller)
    if caller.person not in room.connected() and not room.broken and not house.closing:
        house.publish(room, with_info=True)
