"""How the command gets at the server.

--server URL                    that server, with the key in LAMPION_ADMIN_KEY
SQLite, a server is running     its address and a key are in the file DATABASE.admin
PostgreSQL, servers running     their addresses are in the database; a key is put there for a minute
no server is running            the same operations in this process, on the database itself
"""

from __future__ import annotations

import getpass
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import msgspec

from lampion.server.admin.catalog import OPERATIONS, carry_out
from lampion.server.admin.keys import AdminKeys
from lampion.server.admin.local import LocalKey, local_key_path
from lampion.server.admin.remote import NotDone, Remote, Unreachable
from lampion.server.clock import Clock
from lampion.server.config import Config
from lampion.server.peers import DEAD_SECONDS
from lampion.server.services import Services
from lampion.server.store import care, is_postgres, open_store
from lampion.server.store.base import ProcessRow, StorageFailed, Store

Ask = Callable[[str, msgspec.Struct], Awaitable[Any]]
"""Takes the name of an operation and its request, gives its reply."""
KEY_VARIABLE = "LAMPION_ADMIN_KEY"


@asynccontextmanager
async def reached(config: Config, server: str, key: str) -> AsyncIterator[Ask]:
    """Whatever there is to ask: a server that was named, one that is found, or the database."""
    if server:
        if not key:
            raise NotDone(f"put the admin key into {KEY_VARIABLE}", code="no-key")
        yield Remote(server, key)
    elif is_postgres(config.database):
        async with _on_postgres(config, key) as ask:
            yield ask
    elif _has_server(config.database):
        yield _local(config.database, key)
    else:
        async with offline(config, open_store(config.database)) as ask:
            yield ask


def operator() -> str:
    """Who types the command, for the audit log."""
    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"
    except (KeyError, OSError):
        return socket.gethostname()


# --- SQLite ---


def _has_server(database: str) -> bool:
    try:
        care.check_schema(database)
    except StorageFailed as problem:
        if problem.code == "database-in-use":
            return True
        raise
    return False


def _local(database: str, key: str) -> Remote:
    path = local_key_path(database)
    try:
        found = msgspec.json.decode(path.read_bytes(), type=LocalKey)
    except FileNotFoundError:
        message = "a server uses the database, but its admin API is switched off (setting `admin`)"
        raise Unreachable(message, code="admin-off", where=str(path)) from None
    except PermissionError:
        message = "only the user who runs the server may do this"
        raise Unreachable(message, code="not-allowed", where=str(path)) from None
    except msgspec.DecodeError:
        raise Unreachable("not a file of a server", where=str(path)) from None
    return Remote(found.url, key or found.key)


# --- PostgreSQL ---


@asynccontextmanager
async def _on_postgres(config: Config, key: str) -> AsyncIterator[Ask]:
    care.check_schema(config.database)
    store = open_store(config.database)
    try:
        running = await store.processes(Clock().now_ms() - int(DEAD_SECONDS * 1000))
        if not running:
            async with offline(config, store) as ask:
                yield ask
            return
        async with _admitted(store, key) as admitted:
            yield await _first_that_answers(running, admitted)
    finally:
        await store.close()


@asynccontextmanager
async def _admitted(store: Store, key: str) -> AsyncIterator[str]:
    """The given key, or one that is stored while the command runs."""
    if key:
        yield key
        return
    row, secret = await AdminKeys(store, Clock()).add_temporary(operator())
    try:
        yield secret
    finally:
        await store.drop_admin_key(row.hash)


async def _first_that_answers(running: Sequence[ProcessRow], key: str) -> Remote:
    """A process on this machine if there is one; one on another machine tells its own loopback."""
    here = f"{socket.gethostname()}/"
    own = [row.url for row in running if row.url and row.id.startswith(here)]
    others = [row.url for row in running if row.url and not row.id.startswith(here)]
    for url in [*own, *(url for url in others if not _is_private_to_its_machine(url))]:
        if _listens(url):
            return Remote(url, key)
    names = ", ".join(row.id for row in running)
    message = f"cannot reach the processes from here ({names}); run this there, or give --server"
    raise Unreachable(message)


def _is_private_to_its_machine(url: str) -> bool:
    return urlsplit(url).hostname in ("127.0.0.1", "::1", "localhost")


def _listens(url: str) -> bool:
    parts = urlsplit(url)
    try:
        with socket.create_connection((parts.hostname, parts.port or 80), timeout=3):
            return True
    except OSError:
        return False


# --- without a server ---


class Offline:
    """Does the operations itself."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def __call__(self, name: str, request: msgspec.Struct) -> Any:
        actor = f"{operator()} (no server)"
        return await carry_out(self._services, actor, OPERATIONS[name], request)


@asynccontextmanager
async def offline(config: Config, store: Store) -> AsyncIterator[Ask]:
    services = Services(config, store)
    try:
        services.readiness.skip()
        await services.duties.close()  # bots think in servers, not in a command
        await services.sanctions.reload()
        await services.announcement.reload()
        await services.draining.reload()
        yield Offline(services)
        while not await store.scrub():
            pass  # no server will do it later
    finally:
        await services.following.close()
        await store.close()
