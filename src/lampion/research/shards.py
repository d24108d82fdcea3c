"""Self-play into a folder of many files, each written by the worker that played its games.

    games-00000-of-00010.parquet ...     the games of the run, in order, cut into equal stretches
    manifest.json                        what was played, by which version, and the hash of every file

Which games are in a file follows from the settings of the run, so it makes no difference who writes it, or how often: a worker
that dies is replaced, and an interrupted run resumes with the missing files. A file appears under its name when
it is complete. On a cluster, the folder is one that all workers see.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from lampion.bots.sources import sources_of
from lampion.core.errors import InvalidOptions
from lampion.core.game import find_game
from lampion.research.extras import extra
from lampion.research.files import write_games
from lampion.research.selfplay import SelfPlay

MANIFEST = "manifest.json"
FORMAT = "lampion-games/1"


class ShardFile(msgspec.Struct):
    """One file of the folder."""

    name: str
    games: int
    sha256: str


class Manifest(msgspec.Struct):
    """What is in the folder, and how to make it again."""

    format: str
    lampion: str
    rules: int
    game: str
    players: int | list[int]
    """With several, the games take these numbers in turn."""
    options: dict[str, str]
    bots: list[str]
    seed: int
    games: int
    shards: int
    times: bool
    files: list[ShardFile]
    sources: str = ""
    """A hash of everything the games follow from: rules, pieces, bots and their networks."""
    pyarrow: str = ""
    """Another version may write the same games as other bytes."""
    specs: list[str] = []
    """The bots behind the names in this game, which change when levels are tuned."""
    care: dict[str, int] = {}
    """How decisions were judged, in a data set."""


@dataclass(frozen=True)
class Shards:
    """A run and the files that it is cut into."""

    work: SelfPlay
    games: int
    count: int
    folder: Path

    def name(self, number: int) -> str:
        return f"games-{number:05}-of-{self.count:05}.parquet"

    def bounds(self, number: int) -> tuple[int, int]:
        """The first game of a file, and the first of the next."""
        return self.games * number // self.count, self.games * (number + 1) // self.count

    def write(self, number: int) -> None:
        """Play the games of one file and write it. Two workers who do the same write the same."""
        path = self.folder / self.name(number)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}.parquet")
        try:
            self.write_games(unfinished, range(*self.bounds(number)))
            os.replace(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)

    def write_games(self, path: Path, numbers: range) -> None:
        """Play these games into a file."""
        write_games(path, map(self.work.play, numbers))

    def missing(self) -> list[int]:
        return [
            number for number in range(self.count) if not (self.folder / self.name(number)).exists()
        ]

    def run(self, workers: int | None = None) -> Iterator[int]:
        """Write all files that are missing, with joblib's current backend; gives how many games are
        done whenever a file is."""
        from joblib import Parallel, delayed
        from joblib.parallel import get_active_backend

        self._begin()
        backend, _ = get_active_backend()
        left = self.missing()
        tasks = [delayed(_write)(self, number) for number in left]
        how = "generator_unordered" if backend.supports_return_generator else "list"
        for number in Parallel(n_jobs=workers or -1, return_as=how)(tasks):
            first, last = self.bounds(number)
            yield last - first
        for leftover in self.folder.glob(".games-*"):  # of a worker that was killed
            leftover.unlink()
        self._write_manifest(self.manifest([_file(self, number) for number in range(self.count)]))

    def manifest(self, files: list[ShardFile]) -> Manifest:
        work = self.work
        return Manifest(
            FORMAT, version("lampion"), find_game(work.game).RULES_VERSION, work.game, work.players,
            work.options, list(work.bots), work.seed, self.games, self.count,
            work.times, files, sources_of(work.game, "research"), _pyarrow(),
            list(work.specs),
        )  # fmt: skip

    def _begin(self) -> None:
        """The folder is this run's: an earlier part of it, or empty."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / MANIFEST
        before = read_manifest(self.folder) if path.exists() else None
        ours = self.manifest([])
        if before is None and any(self.folder.glob("games-*.parquet")):
            raise _other_run(self.folder)
        if before is not None:
            before.files = []
            if before != ours:
                raise _other_run(self.folder)
        self._write_manifest(ours)

    def _write_manifest(self, manifest: Manifest) -> None:
        text = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
        unfinished = self.folder / f".{MANIFEST}"
        unfinished.write_bytes(text + b"\n")
        os.replace(unfinished, self.folder / MANIFEST)


def _pyarrow() -> str:
    with extra("research"):
        import pyarrow
    installed: str = pyarrow.__version__
    return installed


def _write(shards: Shards, number: int) -> int:
    shards.write(number)
    return number


def _file(shards: Shards, number: int) -> ShardFile:
    first, last = shards.bounds(number)
    name = shards.name(number)
    return ShardFile(name, last - first, sha256(shards.folder / name))


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder; its list of files is empty until all are there."""
    return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)


def _other_run(folder: Path) -> InvalidOptions:
    message = "this folder holds the games of another run, or of another version"
    return InvalidOptions(message, code="other-run", where=str(folder))


def check_hashes(folder: Path) -> list[str]:
    """The names of the files that are not what the manifest says."""
    files: Any = read_manifest(folder).files
    return [
        file.name
        for file in files
        if not (folder / file.name).exists() or sha256(folder / file.name) != file.sha256
    ]
