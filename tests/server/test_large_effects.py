"""Large effects are told when nothing else is due, and only while they are of use."""

from __future__ import annotations

import asyncio
from typing import NamedTuple, cast

import msgspec

from lampion.core.shown import ACTIONS_PER_STEP
from lampion.server.tables.room import Room, Viewer
from lampion.server.tables.rooms import Rooms
from lampion.server.web.large_effects import LargeEffectsQueue
from tests.server.test_table import NOW, act, started


class Busy(NamedTuple):
    """All that is asked of the rooms."""

    is_storing: bool = False


class Told:
    """A watcher that folds."""

    folds = True

    def __init__(self) -> None:
        self.viewer = Viewer("person0")
        self.received: list[tuple[str, int]] = []

    def offer(self, message: bytes) -> None:
        found = msgspec.json.decode(message)
        self.received.append((found["type"], found["ply"]))


def opened() -> tuple[Room, Told]:
    """A table of Lanterns, where the player to act has many actions."""
    table, watcher = started(), Told()
    assert table.match
    while len(table.match.legal_ids()) < 4 * ACTIONS_PER_STEP:
        act(table, NOW)
    room = Room(table)
    room.watchers.add(watcher)
    return room, watcher


def tell(queue: LargeEffectsQueue, room: Room, *watchers: Told) -> None:
    seat = room.table.actors[0]
    (update,) = room.table.updates([seat], room.table.ply, NOW)
    assert update.effects is None, "they are large"
    queue.tell(room, update, watchers)


def new(busy: bool = False) -> LargeEffectsQueue:
    return LargeEffectsQueue(cast(Rooms, Busy(busy)))


async def turns_until(done: Told) -> int:
    """How often the event loop served everybody else meanwhile."""
    turns = 0
    while not done.received:
        await asyncio.sleep(0)
        turns += 1
        assert turns < 10_000, "nothing came"
    return turns


def test_effects_come_in_steps_between_which_others_are_served() -> None:
    async def run() -> None:
        room, watcher = opened()
        tell(new(), room, watcher)
        assert watcher.received == [], "not before what is due now"
        assert await turns_until(watcher) >= 4
        assert watcher.received == [("effects", room.table.ply)]

    asyncio.run(run())


def test_effects_come_although_moves_are_always_being_stored() -> None:
    async def run() -> None:
        room, watcher = opened()
        tell(new(busy=True), room, watcher)
        await turns_until(watcher)

    asyncio.run(run())


def test_effects_of_a_table_that_has_gone_on_are_not_sent() -> None:
    async def run() -> None:
        queue = new()
        (room, watcher), (other, waits) = opened(), opened()
        tell(queue, room, watcher)
        act(room.table, NOW)
        tell(queue, other, waits)
        await turns_until(waits)
        for _ in range(10):
            await asyncio.sleep(0)
        assert watcher.received == []

    asyncio.run(run())


def test_a_busy_table_keeps_no_more_than_its_last_effects_waiting() -> None:
    async def run() -> None:
        queue = new()
        room, watcher = opened()
        for _ in range(6):
            tell(queue, room, watcher)
            act(room.table, NOW)
        assert queue.num_waiting <= room.table.players
        await queue.close()

    asyncio.run(run())


def test_effects_survive_that_the_table_is_read_again() -> None:
    """After a failure, or after another process was quicker, memory is read from the log."""

    async def run() -> None:
        queue = new()
        room, watcher = opened()
        tell(queue, room, watcher)
        assert room.table.match
        room.table.match = room.table.match.copy()
        await turns_until(watcher)
        assert watcher.received == [("effects", room.table.ply)]

    asyncio.run(run())


def test_effects_wait_while_a_command_is_undecided() -> None:
    """Memory is ahead of the log until it is stored; if that fails, the ply is what it was."""

    async def run() -> None:
        queue = new()
        room, watcher = opened()
        tell(queue, room, watcher)
        async with room.lock:
            room.is_broken, before = True, room.table.match
            assert before
            room.table.match = before.copy()
            act(room.table, NOW)
            await asyncio.sleep(0.01)
            assert watcher.received == []
            room.table.match, room.is_broken = before, False
        await turns_until(watcher)

    asyncio.run(run())


def test_effects_are_not_sent_to_watchers_who_have_left() -> None:
    async def run() -> None:
        queue = new()
        room, watcher = opened()
        gone = Told()
        room.watchers.add(gone)
        tell(queue, room, watcher, gone)
        room.watchers.discard(gone)
        await turns_until(watcher)
        assert gone.received == []

    asyncio.run(run())


def test_the_newest_effects_come_first_and_the_others_after_them() -> None:
    async def run() -> None:
        queue, order = new(), list[str]()
        tables = [opened() for _ in range(3)]
        for number, (room, watcher) in enumerate(tables):
            room.table.id = f"table{number}"
            tell(queue, room, watcher)
        while len(order) < len(tables):
            await asyncio.sleep(0)
            for room, watcher in tables:
                if watcher.received and room.table.id not in order:
                    order.append(room.table.id)
        assert order == ["table2", "table1", "table0"]

    asyncio.run(run())


def test_a_second_tab_of_the_same_seat_gets_the_same_effects() -> None:
    async def run() -> None:
        queue = new()
        room, watcher = opened()
        tab = Told()
        room.watchers.add(tab)
        tell(queue, room, watcher)
        tell(queue, room, tab)
        await turns_until(tab)
        assert tab.received == watcher.received

    asyncio.run(run())


def test_nothing_is_told_after_the_end() -> None:
    async def run() -> None:
        queue = new()
        room, watcher = opened()
        tell(queue, room, watcher)
        await asyncio.sleep(0)
        await queue.close()
        for _ in range(20):
            await asyncio.sleep(0)
        assert watcher.received == []

    asyncio.run(run())
