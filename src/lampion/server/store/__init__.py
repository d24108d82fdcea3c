"""Where tables, logs and persons are kept: SQLite without any set-up, or PostgreSQL by one URL.

open_store("lampion.db")  open_store("sqlite:///lampion.db")  open_store("postgresql://user@host/lampion")
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from lampion.server.store.backend import Backend
from lampion.server.store.base import StorageFailed, Store
from lampion.server.store.sqlite import SqliteBackend
from lampion.server.store.sqlstore import SqlStore

PATIENCE = 5.0
"""Seconds that calls wait for a PostgreSQL that went away."""

TEMPORARY = (":memory:", "sqlite://", "sqlite:///:memory:")
"""A SQLite file in a folder that goes when the store is closed."""


def open_store(url: str, *, patience: float = PATIENCE) -> Store:
    """Brings the schema up to date first; takes a moment, so not while others wait."""
    return SqlStore(open_backend(url, patience))


def open_backend(url: str, patience: float = PATIENCE) -> Backend:
    if is_postgres(url):
        return _postgres(url, patience)
    if url in TEMPORARY:
        folder = tempfile.TemporaryDirectory(prefix="lampion-")
        return SqliteBackend(Path(folder.name) / "lampion.db", folder)
    if "://" in url and not url.startswith("sqlite:///"):
        raise StorageFailed(
            "a database is sqlite:///PATH or postgresql://...",
            code="unknown-database",
        )
    return SqliteBackend(sqlite_path(url))


def sqlite_path(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def is_postgres(url: str) -> bool:
    return url.partition("://")[0] in ("postgres", "postgresql", "postgresql+psycopg")


def _postgres(url: str, patience: float) -> Backend:
    backend: Backend = postgres_module().PostgresBackend(
        "postgresql://" + url.partition("://")[2],
        patience,
    )
    return backend


def postgres_module() -> ModuleType:
    try:
        # Optional: a server at home needs no driver for it.
        from lampion.server.store import postgres
    except ImportError as problem:
        message = "PostgreSQL needs its driver; type: pip install 'lampion[postgres]'"
        raise StorageFailed(message, code="no-driver") from problem
    return postgres


def default_database() -> str:
    """LAMPION_DATABASE, or a file in the user's folder for data."""
    return os.environ.get("LAMPION_DATABASE") or str(_data_folder() / "lampion.db")


def _data_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Lampion"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Lampion"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "lampion"
