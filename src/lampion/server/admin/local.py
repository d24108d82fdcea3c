"""The file through which the command finds a server on SQLite and its key, on the same machine.

It lies beside the database, for the same owner alone: only who may read the database may run the
server's operations. The key in it changes every ten minutes and is forgotten with the process.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from lampion.server.admin.keys import AdminKeys
from lampion.server.config import Config
from lampion.server.play.supervisor import Supervisor
from lampion.server.store import TEMPORARY, is_postgres, sqlite_path

RENEW_SECONDS = 600.0


class LocalKey(msgspec.Struct):
    url: str
    key: str


def local_key_path(database: str) -> Path:
    path = sqlite_path(database)
    return path.with_name(f"{path.name}.admin")


class LocalKeyFile:
    def __init__(self, config: Config, keys: AdminKeys) -> None:
        self._keys = keys
        self._url = config.own_url
        database = config.database
        is_used = config.admin and config.port and database and database not in TEMPORARY
        self._path = (
            local_key_path(database).absolute() if is_used and not is_postgres(database) else None
        )

    def keep(self, supervisor: Supervisor) -> None:
        if self._path is not None:
            supervisor.repeat("local key", RENEW_SECONDS, self._write)

    async def _write(self) -> None:
        """Written beside it and then moved: a reader finds the old one or the new one."""
        assert self._path, "there is a place for it"
        content = msgspec.json.encode(LocalKey(self._url, self._keys.new_local()))
        part = self._path.with_name(f"{self._path.name}.part")
        part.unlink(missing_ok=True)
        with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(content)
        part.replace(self._path)

    def remove(self) -> None:
        if self._path is not None:
            self._path.unlink(missing_ok=True)
