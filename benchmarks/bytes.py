"""Bytes on the wire per decision: an update that carries events and effects, with the message that
follows it where they are large, beside the former shape of a view in every update and a second
request for previews. As sent: sockets do not compress, replies to requests do (gzip).

python -m benchmarks.bytes [--players N] [GAME ...]
"""

from __future__ import annotations

import argparse
import gzip
from random import Random
from typing import Any

import msgspec

import lampion
from lampion.core.events import event_kind
from lampion.core.match import Match
from lampion.core.news import news
from lampion.core.shown import in_full
from lampion.core.types import Json
from lampion.server import wire
from lampion.server.tables.table import effects_of, large_effects_of
from lampion.terminal import table

encode = msgspec.json.encode
ID = "a" * 12
"""As long as the name of a table."""


def zipped(content: Json) -> int:
    return len(gzip.compress(encode(content), compresslevel=9))


NEW_KEYS = {"event", "cause", "what", "from", "to", "count", "changes"}


def former_events(events: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """Events as they were: a name of their own, and what no other field tells."""
    return [
        {"event": event_kind(event), **{key: event[key] for key in event if key not in NEW_KEYS}}
        for event in events
        if event["event"] != "facts"
    ]


def following(
    match: Match, seat: int, view: dict[str, Json], legal: list[str]
) -> wire.LargeEffects:
    """What comes after an update that is too small for the effects."""
    update = wire.Update(ID, seat, match.ply, match.ply, match.ply, [], view, legal, None, [])
    return in_full(large_effects_of(match, ID, update))


def figures(
    match: Match, seat: int, before: dict[str, Json], view: dict[str, Json]
) -> dict[str, Any]:
    """One update for the seat to act, in both shapes."""
    legal, previews = match.legal_actions(seat), match.previews(seat)
    steps = news(match, seat, before, view)
    effects = effects_of(match, seat, view, legal)
    follows = 0 if effects else len(encode(following(match, seat, view, legal)))
    small = {action: former_events(told) for action, told in previews.items()}
    former = encode([view, legal, [former_events(events) for events in steps]])
    new = encode([legal, steps, effects])
    return {
        "legal": len(legal),
        "view": len(encode(view)),
        "events": len(encode(steps)),
        "effects": 0 if effects is None else len(encode(effects)),
        "large effects": follows,
        "former": len(former) + zipped(small),
        "new": len(new) + follows,
    }


def measure(game: str, players: int, games: int) -> list[dict[str, Any]]:
    """After every decision of some random games, what the next player to act is sent."""
    found = []
    for seed in range(games):
        match, chooser = lampion.new(game, players, seed=seed), Random(seed)
        views = match.views(range(players))
        while not match.is_over:
            match.submit(chooser.choice(match.legal_actions()))
            after = match.views(range(players))
            if not match.is_over:
                seat = match.to_act
                found.append(figures(match, seat, views[seat], after[seat]))
            views = after
    return found


def ratio(found: list[dict[str, Any]]) -> float:
    """The bytes of all updates in the new shape to those in the former one."""
    return float(sum(one["new"] for one in found) / sum(one["former"] for one in found))


def show(game: str, players: int, found: list[dict[str, Any]]) -> None:
    mean = {name: sum(one[name] for one in found) / len(found) for name in found[0]}
    largest = max(found, key=lambda one: int(one["new"]))
    rows = [
        [name, *(f"{value:.0f}" for value in row.values()), f"{share:.2f}"]
        for name, row, share in (
            ("mean", mean, ratio(found)),
            ("largest update", largest, ratio([largest])),
        )
    ]
    print(f"{lampion.find_game(game).TITLE}, {players} players: bytes per decision")
    print(table(["", *found[0], "new : former"], rows), end="\n\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=lampion.game_names())
    parser.add_argument("--players", type=int)
    parser.add_argument("--number", type=int, default=3, help="games to play")
    wanted = parser.parse_args()
    for game in wanted.games:
        for players in [wanted.players] if wanted.players else lampion.find_game(game).NUM_PLAYERS:
            show(game, players, measure(game, players, wanted.number))
