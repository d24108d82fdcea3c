"""A few threads that read, each with a connection of its own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Concatenate, ParamSpec, TypeVar

from lampion.server.store.backend import Backend, Connection
from lampion.server.store.base import StorageFailed

THREADS = 4
PAUSE = 0.1
"""Seconds between two attempts to reach the database."""

T = TypeVar("T")
P = ParamSpec("P")


class _OfThread(threading.local):
    connection: Connection | None = None


class Readers:
    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="lampion-reader")
        self._mine = _OfThread()
        self._connections: set[Connection] = set()
        self._lost_at: float | None = None
        self._closed = False

    async def do(
        self,
        query: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        return await self.run(partial(self._query, query, *args, **kwargs))

    async def run(self, function: Callable[[], T]) -> T:
        if self._closed:
            raise StorageFailed("the store is closed", code="storage-closed")
        return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    def _query(
        self,
        query: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Reading is harmless, so it is repeated until the database is back or has been away too
        long."""
        while True:
            try:
                found = query(self._connection(), *args, **kwargs)
                self._lost_at = None
                return found
            except Exception as problem:
                if not self._backend.is_lost(problem):
                    raise self._backend.explain(problem) from problem
                self._drop()
                self._lost_at = self._lost_at or time.monotonic()
                if self._closed or time.monotonic() > self._lost_at + self._backend.patience:
                    raise self._backend.explain(problem) from problem
                time.sleep(PAUSE)

    def _connection(self) -> Connection:
        connection = self._mine.connection
        if connection is None:
            connection = self._mine.connection = self._backend.reader()
            self._connections.add(connection)
        return connection

    def _drop(self) -> None:
        connection = self._mine.connection
        if connection is not None:
            self._connections.discard(connection)
            self._mine.connection = None
            with suppress(Exception):
                connection.close()

    async def close(self) -> None:
        self._closed = True
        await asyncio.to_thread(self._threads.shutdown)
        for connection in self._connections:
            connection.close()
