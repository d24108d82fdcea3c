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
from lampion.core.game import Game
from lampion.core.gamelog import actor_name
from lampion.core.position import Position, Trail
from lampion.core.rng import new_rng
from lampion.core.types import SPECTATOR, Action, Batch, IntArray, Json, Player
from lampion.core.views import MatchView

GUESSES = 8
"""How many worlds must agree before a preview tells something. Each is as likely as the true one,
so an even chance is taken for certain in one preview of 128, and then it is still a guess."""

# --- views ----------------------------------------------------------------------------------------


def views(
    position: Position, names: Sequence[str], ply: int, seats: Iterable[Player]
) -> list[dict[str, Json]]:
    """The views of several seats. They share what they have in common, which is made once."""
    common = _common(position, names, ply)
    public = position.game.view(position.seen_from(SPECTATOR), SPECTATOR)
    return [
        {**common, "seat": None if seat == SPECTATOR else seat, **_table(position, public, seat)}
        for seat in seats
    ]


def _table(position: Position, public: Mapping[str, Json], seat: Player) -> Mapping[str, Json]:
    """The game's part of a view, with what only this seat sees."""
    if not position.state.has_secrets or seat == SPECTATOR:
        return public
    return position.game.own_view(public, position.seen_from(seat), seat)


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
    }


# --- previews -------------------------------------------------------------------------------------


def effects(
    position: Position, seat: Player, view: Mapping[str, Json]
) -> Iterator[list[dict[str, Json]]]:
    """What each legal action of a seat would do as far as the seat can know."""
    worlds, game = guesses(position, seat), position.game
    legal = np.empty(game.ACTIONS.size, np.int32)
    actions = legal[: play.legal_at(worlds, 0, seat, legal)]
    return _agreed_events(game, worlds, seat, actions, view)


def preview(
    position: Position, seat: Player, action: Action, view: Mapping[str, Json]
) -> list[dict[str, Json]]:
    """What one legal action of a seat would do as far as the seat can know."""
    worlds, actions = guesses(position, seat), np.array([action], np.int32)
    (events,) = _agreed_events(position.game, worlds, seat, actions, view)
    return events


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


def _agreed_events(
    game: Game, worlds: Batch, seat: Player, actions: IntArray, view: Mapping[str, Json]
) -> Iterator[list[dict[str, Json]]]:
    """The events of each action up to the first on which the worlds do not agree, with the changes
    of the seat's view."""
    trails = _trails(game, worlds, 0, seat, actions)
    for number in range(1, len(worlds)):
        trails = trails.agreed(_trails(game, worlds, number, seat, actions))
    pieces = game.State(worlds)
    for action, trail in zip(actions.tolist(), trails.each(), strict=True):
        telling = Telling(pieces, view)
        telling.action = action
        yield game.events(trail, telling)


class Trails(NamedTuple):
    """The trails of many actions one after the other, that of action k up to row `ends[k]`."""

    rows: Trail
    ends: IntArray

    def agreed(self, other: Trails) -> Trails:
        """What both tell of each action before they differ."""
        if self.tobytes() == other.tobytes():
            return self
        kept = [_common_start(*pair) for pair in zip(self.each(), other.each(), strict=True)]
        return Trails(
            np.concatenate(kept), np.cumsum([len(trail) for trail in kept], dtype=np.int32)
        )

    def tobytes(self) -> tuple[bytes, bytes]:
        """Compared faster than arrays, and the worlds agree in most positions."""
        return self.rows.tobytes(), self.ends.tobytes()

    def each(self) -> list[Trail]:
        return [self.rows[start:stop] for start, stop in pairwise([0, *self.ends.tolist()])]


def _common_start(trail: Trail, other: Trail) -> Trail:
    length = min(len(trail), len(other))
    differs = (trail[:length] != other[:length]).any(axis=1)
    return trail[: int(differs.argmax()) if differs.any() else length]


def _trails(game: Game, worlds: Batch, number: int, seat: Player, actions: IntArray) -> Trails:
    """Try all of these actions in one of the worlds, each on a copy of it."""
    most_events, width = game.State.fields["events"].shape
    rows = np.empty((len(actions) * most_events, width), np.int32)
    ends, work = np.zeros(len(actions), np.int32), np.empty(1, worlds.dtype)
    play.trails_at(worlds, number, seat, actions, work, rows, ends)
    return Trails(rows[: ends[-1]], ends)
