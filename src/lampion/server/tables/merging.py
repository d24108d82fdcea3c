"""Two people who turn out to be one: a guest of one device, and the person they are elsewhere."""

from __future__ import annotations

from lampion.server.errors import TableError
from lampion.server.peers import NewsKind
from lampion.server.people.keys import People
from lampion.server.store.base import PersonRow
from lampion.server.tables.reminders import remind_of_turns
from lampion.server.tables.rooms import Rooms


async def merge(rooms: Rooms, people: People, guest: PersonRow, person: PersonRow) -> None:
    """All that the guest has becomes the person's. When this returns no process honors a key of
    the guest."""
    if not await rooms.store.merge_people(guest.id, person.id):
        message = "you sit twice at the same table; finish or leave that game first"
        raise TableError(message, code="cannot-merge")
    await people.revoke_all(guest.id)
    # In memory, seats are still the guest's; reading them again makes them the person's.
    await rooms.refresh_person(guest.id)
    await rooms.store.tell([(NewsKind.PERSON, guest.id, "")])
    # What waited for the guest to be told is gone with the guest's ways.
    await remind_of_turns(rooms, person.id)
