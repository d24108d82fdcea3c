"""A receiver that takes a message and does not say so may have shown it already: it must not get it
again within a minute, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from lampion.server import wire
from lampion.server.notify import mail, outgoing
from lampion.server.notify.notifier import LEASE_MS
from tests.server.notify.receivers import Postbox
from tests.server.notify.support import MINUTE, House, house

PATIENCE = 1.5
"""Seconds; enough to exchange a few lines on this machine, and short enough to wait for."""


@pytest.fixture
def postbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Postbox]:
    for module in (outgoing, mail):
        monkeypatch.setattr(module, "SECONDS", PATIENCE)
    with Postbox() as running:
        yield running


def at_home(play: Callable[[House], Awaitable[None]], folder: Path, postbox: Postbox) -> None:
    async def run() -> None:
        async with house(folder, postbox) as here:
            await play(here)

    asyncio.run(run())


async def _bens_turn(here: House) -> None:
    table = await here.table(pace=wire.NoClock())
    await here.turn_of(table, "ada")
    await here.act(table)


@pytest.mark.parametrize("how", ["silent", "hangs_up"])
def test_a_webhook_that_gives_no_status_waits_for_more_than_a_minute(
    tmp_path: Path, postbox: Postbox, how: str
) -> None:
    async def play(here: House) -> None:
        await here.webhook("ben")
        setattr(here.receiver, how, True)
        await _bens_turn(here)
        await here.deliver()
        assert len(here.receiver.got) == 1 and await here.states() == {"waiting": 1}
        setattr(here.receiver, how, False)
        await here.pass_time(MINUTE)
        assert len(here.receiver.got) == 1, "it may have been shown"
        await here.pass_time(LEASE_MS - MINUTE)
        first, again = here.receiver.got
        assert first.headers["lampion-id"] == again.headers["lampion-id"]
        assert await here.states() == {"sent": 1}

    at_home(play, tmp_path, postbox)


@pytest.mark.parametrize("how", ["silent", "hangs_up"])
def test_a_mail_server_that_gives_no_reply_waits_for_more_than_a_minute(
    tmp_path: Path, postbox: Postbox, how: str
) -> None:
    async def play(here: House) -> None:
        await here.mail("ben")
        setattr(postbox, how, True)
        await _bens_turn(here)
        await here.deliver()
        assert len(postbox.letters) == 1 and await here.states() == {"waiting": 1}
        setattr(postbox, how, False)
        # The push way that mail follows is gone: that hastens mail, but not this one.
        await here.services.store.hasten_mail("ben", here.clock.now_ms())
        await here.pass_time(MINUTE)
        assert len(postbox.letters) == 1, "it may have been shown"
        await here.pass_time(LEASE_MS - MINUTE)
        (_, first, _), (_, again, _) = postbox.letters
        assert first["Message-ID"] == again["Message-ID"]
        assert await here.states() == {"sent": 1}

    at_home(play, tmp_path, postbox)


def test_a_status_counts_even_if_the_rest_of_the_reply_never_comes() -> None:
    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 201 X\r\nContent-Length: 9\r\n\r\nhalf")
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(take, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        url = f"http://127.0.0.1:{port}/"
        reply = await outgoing.Outgoing((f"127.0.0.1:{port}",)).post(url, {}, b"hello")
        assert (reply.status, reply.body) == (201, b"half")
        server.close()

    asyncio.run(run())
