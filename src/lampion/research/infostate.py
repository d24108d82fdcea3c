"""An information state as numbers: all that a player remembers, for OpenSpiel's algorithms that need
perfect recall. Two of them are equal exactly where the information states are (as strings).

    player     players            1 for the player whose it is
    log        entries × 3        per entry: 1 + who acted (0 none, chance first), 1 + the id of the
                                  action, or 0 where the player may not know it, and then a number for
                                  what it reads instead
    shown      showings × 7       per secret that was shown to all: 1 + ply, and the row of the trail
    private    numbers            what the record shows to this player alone

There is room for `GameFacts.most_entries` entries; a longer game is refused rather than forgotten.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from lampion.core.game import Game, facts_of
from lampion.core.match import Match
from lampion.core.record import OWNER
from lampion.core.trail import EVENT_WIDTH
from lampion.core.types import CHANCE, Player

Numbers = npt.NDArray[np.float32]
ENTRY = 3
SHOWING = 1 + EVENT_WIDTH
MOST_SHOWINGS = 64
_EXACT = 2**24
"""Whole numbers below are exact in a float32."""


class InformationState:
    """The layout for a game and a number of players."""

    def __init__(self, game: Game, players: int) -> None:
        self._name = game.NAME
        fields = game.State.fields.items()
        self._own = [name for name, field in fields if field.seen_by is OWNER]
        sizes = [int(np.prod(game.State.fields[name].shape[1:])) for name in self._own]
        self.shapes: dict[str, tuple[int, ...]] = {
            "player": (players,),
            "log": (facts_of(game).most_entries, ENTRY),
            "shown": (MOST_SHOWINGS, SHOWING) if self._own else (0, SHOWING),
            "private": (sum(sizes),),
        }
        self.size = sum(int(np.prod(shape)) for shape in self.shapes.values())

    def read(self, numbers: Numbers) -> dict[str, Numbers]:
        """The parts by name, as views."""
        parts, start = {}, 0
        for name, shape in self.shapes.items():
            size = int(np.prod(shape))
            parts[name] = numbers[start : start + size].reshape(shape)
            start += size
        return parts

    def write(self, match: Match, player: Player, out: Numbers) -> None:
        out[:] = 0
        parts = self.read(out)
        parts["player"][player] = 1
        self._fill(parts["log"], entries(match, player))
        self._fill(parts["shown"], [[1 + ply, *row] for ply, row in match.log.showings()])
        if self._own:
            own = [np.ravel(getattr(match.state, name)[player]) for name in self._own]
            parts["private"][:] = np.concatenate(own)

    def _fill(self, part: Numbers, rows: list[Any]) -> None:
        if len(rows) > len(part):
            message = f"{self._name} has more than {len(part)} entries: raise `most_entries` in its module `facts`"
            raise ValueError(message)
        if rows:
            part[: len(rows)] = rows


def entries(match: Match, player: Player) -> list[tuple[int, int, int]]:
    """The entries of the log as a player may read them."""
    rows = []
    for entry, (_, text) in zip(match.log, match.log.read_by(player), strict=True):
        actor = 1 if entry.actor == CHANCE else 2 + entry.actor
        if entry.action >= 0 and entry.text == text:
            rows.append((actor, 1 + entry.action, 0))
        else:
            rows.append((actor, 0, zlib.crc32(text.encode()) % _EXACT))
    return rows
