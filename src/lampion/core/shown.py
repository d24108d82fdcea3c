"""What a seat is shown of a position: views, and what its actions would do.

Nothing here reads more of a position than the redacted record of the seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lampion.core import play
from lampion.core.events import Telling
from lampion.core.fold import Path, value_at
from lampion.core.game import Game
from lampion.core.gamelog import actor_name
from lampion.core.position import Position, Trail
from lampion.core.record import Record
from lampion.core.rng import new_rng
from lampion.core.rows import known_rows, told_rows
from lampion.core.types import SPECTATOR, Action, Batch, IntArray, Json, Player
from lampion.core.views import MatchView

GUESSES = 8
"""How many worlds must agree before a preview shows something. Each is as likely as the true one,
so an even chance looks certain in one preview of 128, and even then it is only a guess."""

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


def all_effects(
    position: Position,
    seat: Player,
    view: Mapping[str, Json],
    most_bytes: int,
    before: KnownEffects | None = None,
) -> KnownEffects:
    """The effects of all legal actions of a seat; None if they are longer than that. Those from
    `before`, found with the same limit, if nothing that they depend on has changed."""
    game, worlds = position.game, guesses(position, seat)
    actions = _legal(game, worlds, seat)
    rows, ends = _agreed_rows(game, worlds, seat, actions)
    tried = (actions.tobytes(), rows.tobytes(), ends.tobytes())
    if before is not None and before.are_for(tried, view):
        return before
    looked_at: set[Path] = set()
    trails = _split(rows, ends)
    effects = _effects_told(game.State(worlds), game, actions, trails, view, most_bytes, looked_at)
    return KnownEffects(tried, [(path, value_at(view, path)) for path in looked_at], effects)


def _effects_told(
    pieces: Record,
    game: Game,
    actions: IntArray,
    trails: list[Trail],
    view: Mapping[str, Json],
    most_bytes: int,
    looked_at: set[Path],
) -> Effects | None:
    """Adds what writers looked at to the last parameter."""
    rows = known_rows(game)
    places: dict[bytes, int] = {}
    of: list[list[int]] = []
    length = 0
    num_firsts = len({trail[0].tobytes() for trail in trails if len(trail)})
    """How many first events there are at least: the next may be as long as the one just told."""
    for action, trail in zip(actions.tolist(), trails, strict=True):
        telling = Telling(pieces, view)
        telling.action = action
        told = [event for row in told_rows(game, telling, trail, rows) for event in row.encoded]
        looked_at.update(telling.looked_at)
        for event in told:
            if event not in places:
                places[event] = len(places)
                length += len(event)
        if length > most_bytes or (told and len(told[0]) * num_firsts > most_bytes):
            return None
        of.append([places[event] for event in told])
    return Effects(list(places), of)


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
