"""What a seat is shown of a position: views, and what its actions would do.

Nothing here reads more of a position than the redacted record of the seat.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from lampion.core import play
from lampion.core.events import Telling
from lampion.core.fold import Path, value_at
from lampion.core.game import Game
from lampion.core.gamelog import actor_name
from lampion.core.position import Position, Trail
from lampion.core.rng import new_rng
from lampion.core.rows import Written, known_rows, told_rows
from lampion.core.types import SPECTATOR, Action, Batch, IntArray, Json, Player
from lampion.core.views import MatchView

GUESSES = 8
"""How many worlds must agree before a preview shows something. Each is as likely as the true one,
so an even chance looks certain in one preview of 128, and even then it is only a guess."""

ACTIONS_PER_STEP = 32
"""Actions whose effects are told without a pause."""

# --- views ----------------------------------------------------------------------------------------


def views(
    position: Position, names: Sequence[str], ply: int, seats: Iterable[Player]
) -> list[dict[str, Json]]:
    """The views of several seats. They share what they have in common, which is made once."""
    game, state, asked = position.game, position.state, [*seats]
    everybodys, *own = state.redacted_for([SPECTATOR, *(asked if state.has_secrets else ())])
    common, table = _common(position, names, ply), game.view(everybodys, SPECTATOR)
    public = {**common, **table}
    if not state.has_secrets:
        return [{**public, "seat": None if seat == SPECTATOR else seat} for seat in asked]
    return [
        {**public}
        if seat == SPECTATOR
        else {**common, **game.own_view(table, seen, seat), "seat": seat}
        for seat, seen in zip(asked, own, strict=True)
    ]


def _common(position: Position, names: Sequence[str], ply: int) -> MatchView:
    return {
        "game": position.game.NAME,
        "players": position.players,
        "names": list(names),
        "seat": None,
        "ply": ply,
        "to_act": actor_name(position.to_act),
        "actors": position.actors,
        "scores": position.scores,
        "winners": position.winners,
        "placements": position.placements if position.is_over else [],
    }


# --- previews -------------------------------------------------------------------------------------


def effects(
    position: Position, seat: Player, view: Mapping[str, Json]
) -> Iterator[list[dict[str, Json]]]:
    """What each legal action of a seat would do as far as the seat can know."""
    worlds = guesses(position, seat)
    return _events_of(position.game, worlds, seat, _legal(position.game, worlds, seat), view)


def preview(
    position: Position, seat: Player, action: Action, view: Mapping[str, Json]
) -> list[dict[str, Json]]:
    """What one legal action of a seat would do as far as the seat can know."""
    worlds, actions = guesses(position, seat), np.array([action], np.int32)
    (events,) = _events_of(position.game, worlds, seat, actions, view)
    return events


def _events_of(
    game: Game, worlds: Batch, seat: Player, actions: IntArray, view: Mapping[str, Json]
) -> Iterator[list[dict[str, Json]]]:
    """The events of each action with the changes of the seat's view."""
    pieces = game.State(worlds)
    trails = _agreed_trails(game, worlds, seat, actions)
    for action, trail in zip(actions.tolist(), trails, strict=True):
        telling = Telling(pieces, view)
        telling.action = action
        yield game.events(trail, telling)


class Effects(NamedTuple):
    """What all legal actions would do. Many share their events, so each distinct event is stored
    once."""

    events: list[bytes]
    """As JSON."""
    of: list[list[int]]
    """For each action, in the order of the list: its events by their place in `events`."""


class KnownEffects(NamedTuple):
    """The effects of a seat, and all that they depended on. Where everybody acts at once, the
    others' actions change nothing of what a seat may do next."""

    tried: tuple[bytes, bytes, bytes]
    """The actions, their trails, and where each ends."""
    seen: list[tuple[Path, Json]]
    """What writers looked at in the view."""
    effects: Effects | None

    def are_for(self, tried: tuple[bytes, bytes, bytes], view: Mapping[str, Json]) -> bool:
        """Whether these are the effects of the same trails for a seat that sees that."""
        if tried != self.tried:
            return False
        try:
            return all(value_at(view, path) == value for path, value in self.seen)
        except (LookupError, TypeError):
            return False  # there is nothing at that path any more


def effects_in_steps(
    position: Position,
    seat: Player,
    view: Mapping[str, Json],
    most_bytes: int,
    before: KnownEffects | None = None,
) -> Generator[None, None, KnownEffects]:
    """The effects of all legal actions of a seat; None if they are longer than that. Those from
    `before`, found with the same limit, if nothing that they depend on has changed. Where there are
    many, the caller can do something else between the steps."""
    builder = _EffectsBuilder(position, seat, view)
    if before is not None and before.are_for(builder.tried, view):
        return before
    while builder.num_left and builder.may_fit(most_bytes):
        builder.tell(ACTIONS_PER_STEP)
        yield
    return builder.known(most_bytes)


T = TypeVar("T")


def in_full(steps: Generator[None, None, T]) -> T:
    """What the steps return in the end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


class _EffectsBuilder:
    """Tells what the legal actions of a seat would do, a few actions at a time."""

    def __init__(self, position: Position, seat: Player, view: Mapping[str, Json]) -> None:
        self._game, self._view = position.game, view
        worlds = guesses(position, seat)
        actions = _legal(self._game, worlds, seat)
        rows, ends = _agreed_rows(self._game, worlds, seat, actions)
        self.tried = (actions.tobytes(), rows.tobytes(), ends.tobytes())
        """All that the effects depend on, but for what writers look at in the view."""
        self._left = [*zip(actions.tolist(), _split(rows, ends), strict=True)][::-1]
        self._num_firsts = len({trail[0].tobytes() for _, trail in self._left if len(trail)})
        self._rows, self._telling = known_rows(self._game), Telling(self._game.State(worlds), view)
        self._events: dict[bytes, int] = {}
        """Each distinct event, and its place."""
        self._places: dict[Written, list[int]] = {}
        self._of: list[list[int]] = []
        self._length = 0

    @property
    def num_left(self) -> int:
        """How many actions are still to be told of."""
        return len(self._left)

    def tell(self, most_actions: int) -> None:
        """Tell of the next actions."""
        for _ in range(min(most_actions, len(self._left))):
            action, trail = self._left.pop()
            self._telling.follow(self._view)
            self._telling.action = action
            told: list[int] = []
            for written in told_rows(self._game, self._telling, trail, self._rows):
                places = self._places.get(written)
                told += self._place(written) if places is None else places
            self._of.append(told)

    def _place(self, written: Written) -> list[int]:
        """Where the events of one row are. Most rows come again in other trails."""
        for event in written.encoded:
            if event not in self._events:
                self._events[event] = len(self._events)
                self._length += len(event)
        places = self._places[written] = [self._events[event] for event in written.encoded]
        return places

    def may_fit(self, most_bytes: int) -> bool:
        """Whether all effects may be no longer than that. Their first events differ, and the next
        ones may be as long as the first."""
        first = len(next(iter(self._events), b""))
        return max(self._length, first * self._num_firsts) <= most_bytes

    def known(self, most_bytes: int) -> KnownEffects:
        """The effects, which is None if they are longer than that or not all told."""
        is_told = not self._left and self._length <= most_bytes
        effects = Effects([*self._events], self._of) if is_told else None
        looked_at = dict.fromkeys(self._telling.looked_at)
        seen = [(path, value_at(self._view, path)) for path in looked_at]
        return KnownEffects(self.tried, seen, effects)


def guesses(position: Position, seat: Player) -> Batch:
    """States that fit what a seat knows: the same ones wherever the seat knows the same."""
    seen = position.seen_from(seat)
    if not seen.has_secrets:
        return seen.batch
    worlds = np.frombuffer(bytearray(seen.tobytes() * GUESSES), seen.dtype)
    rng = new_rng(0)
    for number in range(GUESSES):
        play.determinize_at(worlds, number, seat, rng)
    return worlds


def _legal(game: Game, worlds: Batch, seat: Player) -> IntArray:
    legal = np.empty(game.ACTIONS.size, np.int32)
    return legal[: play.legal_at(worlds, 0, seat, legal)]


def _agreed_trails(game: Game, worlds: Batch, seat: Player, actions: IntArray) -> list[Trail]:
    """Of each action, up to the first event on which the worlds do not agree."""
    return _split(*_agreed_rows(game, worlds, seat, actions))


def _agreed_rows(
    game: Game, worlds: Batch, seat: Player, actions: IntArray
) -> tuple[Trail, IntArray]:
    """The rows of all trails on which the worlds agree, one after the other, and where each ends."""
    most_events, width = game.State.fields["events"].shape
    rows = np.empty((len(actions) * most_events, width), np.int32)
    ends, work = np.zeros(len(actions), np.int32), np.empty(1, worlds.dtype)
    play.agreed_trails(worlds, seat, actions, work, rows, ends)
    return rows[: ends[-1] if len(ends) else 0], ends


def _split(rows: Trail, ends: IntArray) -> list[Trail]:
    return [rows[start:stop] for start, stop in pairwise([0, *ends.tolist()])]
