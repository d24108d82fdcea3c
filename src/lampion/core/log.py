"""Log: what was done, who may read it, and what was taken back. It only ever grows.

`undo 12` is an entry like any other. It takes the match back to where entry 12 had not happened
yet; the entries that *stand* are those that no undo took back, and replaying them gives the state.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple, overload

import numpy as np

from lampion.core.gamelog import ActorName, log_name
from lampion.core.position import Trail
from lampion.core.trail import EVENT_WIDTH
from lampion.core.types import CHANCE, SPECTATOR, Action, Player

UNDO: Action = -1
UNKNOWN: Action = -2
"""The action of an entry whose reader may not know it."""
NO_TRAIL: Trail = np.zeros((0, EVENT_WIDTH), np.int32)


class Entry(NamedTuple):
    """One line of the log."""

    actor: Player
    text: str
    action: Action
    owner: Player
    """Who alone may read `text`; NO_PLAYER (or any number that is no seat) when it is no secret."""
    hidden: str
    """What everybody else reads instead; empty when it is no secret."""
    trail: Trail
    """What the rules noted while doing it (see `core.trail`)."""
    shown_by: int | None = None
    """The kind of event of the same player that shows the secret to all (see `Block.shown_by`)."""

    @property
    def is_undo(self) -> bool:
        return self.action == UNDO

    @property
    def undone_from(self) -> int:
        """The first ply that an undo takes back."""
        return int(self.text.split()[1])

    def may_be_read_by(self, seat: Player) -> bool:
        return not self.hidden or seat == self.owner

    def known_action(self, seat: Player) -> Action | None:
        """The id of the action, if that seat may know it."""
        is_known = self.action >= 0 and self.may_be_read_by(seat)
        return self.action if is_known else None

    def seen_by(self, seat: Player) -> str:
        return self.text if self.may_be_read_by(seat) else self.hidden

    def without_secret(self) -> Entry:
        """The entry with only what everybody may read."""
        return Entry(self.actor, self.hidden, UNKNOWN, SPECTATOR, "", self.trail)


class Log(Sequence[Entry]):
    def __init__(
        self, entries: Sequence[Entry] = (), standing: Sequence[int] = (), first: int = 0
    ) -> None:
        """`standing` are the plies that were not taken back, in order. Entries before ply `first`
        are read-only history: no undo goes back past them."""
        self._entries, self._standing, self._first = list(entries), list(standing), first
        self._num_draws = self._count_draws()

    def _count_draws(self) -> int:
        return sum(self._entries[ply].actor == CHANCE for ply in self._standing)

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        return self._entries[index]

    @property
    def standing(self) -> list[Entry]:
        """The entries that were not taken back, from the start of the match."""
        return [self._entries[ply] for ply in self.standing_plies]

    @property
    def standing_plies(self) -> list[int]:
        """The plies of the entries that were not taken back."""
        return [ply for ply in self._standing if ply >= self._first]

    @property
    def num_draws(self) -> int:
        """How many outcomes of chance stand: the number of the next one."""
        return self._num_draws

    def last_decision(self, player: Player | None = None) -> int | None:
        """The ply of a player's (by default anybody's) last decision that stands."""
        for ply in reversed(self._standing):
            if self.is_decision(ply) and player in (None, self._entries[ply].actor):
                return ply
        return None

    def is_decision(self, ply: int) -> bool:
        """Whether that entry is a player's decision that stands and can be taken back."""
        place = bisect_left(self._standing, ply)
        stands = place < len(self._standing) and self._standing[place] == ply
        return stands and ply >= self._first and self._entries[ply].actor != CHANCE

    def reveals_since(self, ply: int) -> bool:
        """Whether anything new was shown since that entry: a draw, or another player's decision."""
        actor = self._entries[ply].actor
        later = self._standing[bisect_left(self._standing, ply) :]
        return any(self._entries[standing].actor != actor for standing in later)

    # --- who may read what ---

    def read_by(self, seat: Player = SPECTATOR, since: int = 0) -> list[tuple[ActorName, str]]:
        """The entries from `since` on as a seat may read them: secrets of others as their hidden
        text, until the game shows them."""
        return self.read_by_all([seat], since)[0]

    def read_by_all(
        self, seats: Iterable[Player], since: int = 0
    ) -> list[list[tuple[ActorName, str]]]:
        """The same for several seats."""
        shown = self._shown(since)
        entries = [
            (
                log_name(entry.actor),
                entry.text,
                entry.hidden if ply not in shown else "",
                entry.owner,
            )
            for ply, entry in enumerate(self._entries[since:], since)
        ]
        return [
            [
                (actor, hidden if hidden and seat != owner else text)
                for actor, text, hidden, owner in entries
            ]
            for seat in seats
        ]

    def _shown(self, since: int) -> set[int]:
        """The secret entries that the rules have since shown to all, without those that were taken
        back."""
        standing = self._standing[bisect_left(self._standing, since) :]
        secret = [ply for ply in standing if self._entries[ply].shown_by is not None]
        if not secret:
            return set()
        happened = {
            (kind, actor)
            for ply in standing
            for kind, actor, *_ in self._entries[ply].trail.tolist()
        }
        return {
            ply
            for ply in secret
            if (self._entries[ply].shown_by, self._entries[ply].actor) in happened
        }

    def showings(self) -> list[tuple[int, list[int]]]:
        """The rows of the trail that have shown a secret to all, each with its ply.

        In a guessed match (`Match.guess`) they are all that tells which secret it was: the entry
        that made it keeps its hidden text."""
        kinds = {entry.shown_by for entry in self._entries} - {None}
        return [
            (ply, row)
            for ply in (self._standing if kinds else ())
            for row in self._entries[ply].trail.tolist()
            if row[0] in kinds
        ]

    def told_to(self, seat: Player) -> Log:
        """A log that holds what a seat may read and nothing else; nothing in it can be undone."""
        shown = self._shown(0)
        told = [
            entry if ply in shown or entry.seen_by(seat) == entry.text else entry.without_secret()
            for ply, entry in enumerate(self._entries)
        ]
        return Log(told, self._standing, first=len(told))

    # --- growing; for `Match` alone ---

    def enter(self, entry: Entry) -> None:
        self._standing.append(len(self._entries))
        self._entries.append(entry)
        self._num_draws += entry.actor == CHANCE

    def strike(self, ply: int, by: Player) -> Entry:
        """Add an undo: entry `ply`, a standing decision, and everything after it no longer
        stand."""
        entry = Entry(by, f"undo {ply}", UNDO, SPECTATOR, "", NO_TRAIL)
        del self._standing[bisect_left(self._standing, ply) :]
        self._num_draws = self._count_draws()
        self._entries.append(entry)
        return entry

    def until(self, ply: int) -> Log:
        """The log as it was when it had `ply` entries."""
        standing: list[int] = []
        for number, entry in enumerate(self._entries[:ply]):
            if entry.is_undo:
                del standing[bisect_left(standing, entry.undone_from) :]
            else:
                standing.append(number)
        return Log(self._entries[:ply], standing, self._first)

    def copy(self) -> Log:
        """Entries never change, and are shared."""
        return Log(self._entries, self._standing, self._first)
