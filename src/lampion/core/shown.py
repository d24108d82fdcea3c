"""What a seat is shown of a position: views, and what its actions would do.

Nothing here reads more of a position than the redacted record of the seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise

import numpy as np

from lampion.core import play
from lampion.core.game import action_texts
from lampion.core.gamelog import actor_name
from lampion.core.position import Position, Trail
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, SPECTATOR, IntArray, Json, Player
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


def previews(position: Position, seat: Player) -> dict[str, list[dict[str, Json]]]:
    """What each legal action of a seat would do as far as the seat can know, by its text."""
    if seat == CHANCE or not position.may_act(seat):
        return {}
    worlds = guesses(position, seat)
    actions = worlds[0].legal_ids(seat)
    texts = action_texts(position.game, worlds[0].state, seat, actions.tolist())
    return dict(zip(texts, _agreed_events(worlds, seat, actions), strict=True))


def preview(position: Position, seat: Player, action: int) -> list[dict[str, Json]]:
    """What one legal action of a seat would do as far as the seat can know."""
    (events,) = _agreed_events(guesses(position, seat), seat, np.array([action], np.int32))
    return events


def guesses(position: Position, seat: Player) -> list[Position]:
    """Worlds that fit what a seat knows: the same ones wherever the seat knows the same."""
    return [
        position.guess(seat, new_rng(number))
        for number in range(GUESSES if position.state.has_secrets else 1)
    ]


def _agreed_events(
    worlds: Sequence[Position], seat: Player, actions: IntArray
) -> list[list[dict[str, Json]]]:
    """The events of each action up to the first on which the worlds do not agree."""
    first, *others = [_trails(world, seat, actions) for world in worlds]
    trails = [_common_start(trail, twins) for trail, *twins in zip(first, *others, strict=True)]
    events = worlds[0].game.events(np.concatenate(trails)) if trails else []
    ends = accumulate(map(len, trails), initial=0)
    return [events[start:stop] for start, stop in pairwise(ends)]


def _common_start(trail: Trail, others: Sequence[Trail]) -> Trail:
    for other in others:
        length = min(len(trail), len(other))
        differs = (trail[:length] != other[:length]).any(axis=1)
        trail = trail[: int(differs.argmax()) if differs.any() else length]
    return trail


def _trails(position: Position, player: Player, actions: IntArray) -> list[Trail]:
    """The trail of each action, all tried at once on copies of the state."""
    state = position.state
    most_events, width = state.fields["events"].shape
    trails = np.empty((len(actions) * most_events, width), np.int32)
    ends = np.empty(len(actions), np.int32)
    work = np.empty(1, state.dtype)
    play.trails_at(state.batch, 0, player, actions, work, trails, ends)
    return [trails[start:stop] for start, stop in pairwise([0, *ends.tolist()])]
