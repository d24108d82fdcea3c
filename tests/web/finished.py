"""Games by ear that have come to their end, in a file: a long run that was stopped goes on there.

python -m tests.web.finished FILE    says how many there are, and how many keys a move took
"""

from __future__ import annotations

import hashlib
import json
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import msgspec

from lampion.bots.sources import sources_of
from lampion.server.web.client import STATIC


class Finished(NamedTuple):
    """The seed is that of the listener; the server throws its own dice."""

    tree: str
    game: str
    seed: str
    presses: list[int]
    """Of each move."""
    everything: bool
    """Whether help, hint, undo, log, result and replay were part of it."""
    seconds: float


def tree_of(game: str) -> str:
    """What such a game says something about: the client as it was built, the server and the rules."""
    client = (STATIC / ".built-from").read_text()
    return hashlib.sha256(f"{client} {sources_of(game, 'server')}".encode()).hexdigest()[:16]


class Ledger:
    """Without a file, nothing is kept and nothing is known."""

    def __init__(self, path: str | None) -> None:
        self._path = Path(path) if path else None

    def games(self) -> list[Finished]:
        if not self._path or not self._path.exists():
            return []
        lines = self._path.read_text().splitlines()
        return [Finished(**json.loads(line)) for line in lines]

    def find(self, game: str, seed: str) -> Finished | None:
        """On another tree, a game proves nothing about this one."""
        wanted = (tree_of(game), game, seed)
        return next((each for each in self.games() if each[:3] == wanted), None)

    def add(self, finished: Finished) -> None:
        if self._path:
            line = msgspec.json.encode(finished._asdict()) + b"\n"
            with self._path.open("ab", buffering=0) as file:
                file.write(line)  # at once: other workers write to the same file


def summary(games: list[Finished]) -> list[str]:
    """A line for each game and tree."""
    kinds: dict[tuple[str, str], list[Finished]] = defaultdict(list)
    for each in games:
        kinds[each.game, each.tree].append(each)
    lines = []
    for (game, tree), of_kind in sorted(kinds.items()):
        presses = [count for each in of_kind for count in each.presses]
        whole = sum(each.everything for each in of_kind)
        lines.append(
            f"{game} ({tree}): {len(of_kind)} games, {whole} with every function, {len(presses)} moves,"
            f" {statistics.median(presses):g} key presses for a median move, {max(presses)} at most,"
            f" {statistics.median(each.seconds for each in of_kind):.1f} s for a median game"
        )
    return lines


if __name__ == "__main__":
    print(*summary(Ledger(sys.argv[1]).games()), sep="\n")
