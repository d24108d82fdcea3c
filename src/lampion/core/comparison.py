"""Two actions compared: what was played and what would have been better, as the seat that chose
could know it, and the reasons that a game finds in the difference.

A game's module `coach` has one function, `reasons(compared)`, which gives the reasons in the order
of their weight. Each is a claim about the two positions, so a test can check it; its sentence is in
the section `coach` of the game's catalogs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from lampion.core import play
from lampion.core.position import Position
from lampion.core.shown import guesses
from lampion.core.types import Action, Batch, Json, Player


@dataclass(frozen=True)
class Reason:
    """A claim, and the numbers and names in its sentence."""

    kind: str
    values: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Comparison:
    """The records are redacted: nothing in them is hidden from the seat."""

    seat: Player
    before: Any
    played: Action
    best: Action
    after: Any
    """After the action that was played, and before the next outcome of chance."""
    better: Any
    """After the better one."""

    @property
    def others(self) -> list[Player]:
        """The other players, the next one first."""
        players = int(self.before.num_players)
        return [(self.seat + k) % players for k in range(1, players)]


class Coach(Protocol):
    def reasons(self, compared: Comparison) -> Iterator[Reason]: ...


def compare(position: Position, seat: Player, played: Action, best: Action) -> Comparison | None:
    """What two actions lead to; nothing where one of them shows what the seat could not know."""
    worlds = guesses(position, seat)
    after, better = (_agreed(position, worlds, seat, action) for action in (played, best))
    if after is None or better is None:
        return None
    return Comparison(seat, position.seen_from(seat), played, best, after, better)


def _agreed(position: Position, worlds: Batch, seat: Player, action: Action) -> Any:
    """What the seat sees after an action, if it is the same in all worlds that fit what it knows."""
    found = None
    for world in range(len(worlds)):
        batch = worlds[world : world + 1].copy()
        play.apply_at(batch, 0, seat, action)
        seen = position.game.State(batch).redacted(seat)
        if found is not None and seen.tobytes() != found.tobytes():
            return None
        found = seen
    return found


Predicate = Callable[[Comparison], Reason | None]
Topic = tuple[Predicate, ...]


def first_of_each(topics: Iterable[Topic], compared: Comparison) -> Iterator[Reason]:
    """Of each topic, the first reason that holds: the others would say the same again."""
    for topic in topics:
        found = (predicate(compared) for predicate in topic)
        reason = next((each for each in found if each is not None), None)
        if reason is not None:
            yield reason
