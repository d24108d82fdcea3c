"""Files of games by one name: a file, a folder that `lampion selfplay --shards` wrote, or the address of either.

    for decisions in load_games("https://example.org/games/"):      arrays, some games at a time
        train(decisions.observations, decisions.policies())

What comes from an address is kept in the cache of Lampion. Every file of a folder is held to the hash in its manifest before it is
read, wherever it comes from.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lampion.core.errors import InvalidRecord
from lampion.core.native.library import cache_root
from lampion.research.files import PARQUET
from lampion.research.shards import MANIFEST, read_manifest, sha256
from lampion.research.tensors import GAMES_AT_ONCE, Decisions, read_decisions

SECONDS = 60
"""How long a server may take to answer."""
ENDINGS = (PARQUET, ".jsonl")
"""Of addresses that are files; every other is a folder."""


def load_games(source: str | Path, *, games_at_once: int = GAMES_AT_ONCE) -> Iterator[Decisions]:
    """The decisions of all games there, in order, numbered from 0 on."""
    first = 0
    for path in game_files(source):
        for decisions in read_decisions(path, games_at_once=games_at_once, first=first):
            yield decisions
            first = int(decisions.games[-1]) + 1


def game_files(source: str | Path) -> Iterator[Path]:
    """The files of games there, in order, each checked before it is given."""
    address = str(source)
    if not address.startswith(("https://", "http://")):
        yield from _checked(Path(source)) if Path(source).is_dir() else [Path(source)]
        return
    folder = cache_root() / "games" / hashlib.sha256(address.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    if urlsplit(address).path.endswith(ENDINGS):
        yield _fetched(address, folder)
        return
    address = address.rstrip("/")
    _fetched(f"{address}/{MANIFEST}", folder, anew=True)
    for file in read_manifest(folder).files:
        path = _fetched(f"{address}/{file.name}", folder)
        # A damaged copy in the cache, or an older file of that name: once more from its source.
        if sha256(path) != file.sha256:
            _fetched(f"{address}/{file.name}", folder, anew=True)
    yield from _checked(folder)


def _checked(folder: Path) -> Iterator[Path]:
    files = read_manifest(folder).files
    if not files:
        raise InvalidRecord(
            "the manifest lists no files: the run is not finished", where=str(folder)
        )
    for file in files:
        path = folder / Path(file.name).name
        if not path.exists() or sha256(path) != file.sha256:
            message = "this file is missing, or not the one in the manifest"
            raise InvalidRecord(message, code="wrong-hash", where=str(path))
        yield path


def _fetched(address: str, folder: Path, *, anew: bool = False) -> Path:
    """The file at an address, fetched unless it is there."""
    path = folder / Path(urlsplit(address).path).name
    if anew or not path.exists():
        with urllib.request.urlopen(address, timeout=SECONDS) as reply:
            _save(reply, path, address)
    return path


def _save(reply: Any, path: Path, where: str) -> None:
    """All of a reply, or nothing: a connection that breaks looks like its end."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as out:
            shutil.copyfileobj(reply, out)
        promised = reply.headers.get("Content-Length")
        if promised is not None and unfinished.stat().st_size != int(promised):
            message = "the connection broke before the whole file had arrived; try again"
            raise InvalidRecord(message, code="incomplete", where=where)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
