"""What a game between bots follows from, besides its settings and its seed."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from lampion.core.compile import PACKAGE
from lampion.core.game import find_game

SUFFIXES = (".py", ".toml", ".npy", ".npz")


@functools.cache
def sources_of(game: str, *others: str) -> str:
    """A hash of the sources, pieces and networks of the rules and the bots, and of other parts of
    the package."""
    rules = Path(str(find_game(game).__file__)).parent
    folders = [*(PACKAGE / part for part in ("core", "bots", *others)), rules]
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in SUFFIXES:
                digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
