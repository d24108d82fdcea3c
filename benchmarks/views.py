"""What a server asks of a match at every action: views, legal lists, previews, events. In microseconds of processor time, and as
ratios to the time in which msgspec writes the same view as JSON, which no server can do without.

python -m benchmarks.views [--players N] [--json FILE] [GAME ...]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

import lampion
from lampion.core.match import Match
from lampion.terminal import show, table

POSITIONS = 16
ROUNDS, SECONDS_PER_ROUND = 20, 0.001


def positions(game: str, players: int) -> list[Match]:
    """Moments of decision spread evenly over one game, and the moment with the longest legal list."""
    match, chooser, found = lampion.new(game, players, seed=1), Random(1), []
    while not match.is_over:
        found.append(match.copy())
        match.submit(chooser.choice(match.legal_actions()))
    longest = max(found, key=lambda match: len(match.legal_ids()))
    return [*found[:: max(1, len(found) // POSITIONS)], longest]


def microseconds(call: Callable[[], object]) -> float:
    """The time of one call in the best of a few rounds: whatever else the machine does only ever makes it longer."""
    call()
    start = time.process_time()
    call()
    calls = max(1, int(SECONDS_PER_ROUND / max(1e-6, time.process_time() - start)))
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(calls):
            call()
        best = min(best, (time.process_time() - start) / calls)
    return best * 1e6


def first_view_microseconds(game: str, players: int) -> float:
    """One view after every action of new games, where nothing was seen before: the mean of a game, in the best of some games."""
    means = []
    for seed in range(100, 110):
        match, chooser, spent = lampion.new(game, players, seed=seed), Random(seed), []
        while not match.is_over:
            match.submit(int(chooser.choice(match.legal_ids())))
            start = time.process_time()
            match.view(0)
            spent.append(time.process_time() - start)
        means.append(sum(spent) / len(spent))
    return min(means) * 1e6


def submit_microseconds(match: Match) -> float:
    """One legal action by its text, with the gate, the log and the draws that follow, on fresh copies."""
    text = match.legal_actions()[-1]
    times = []
    for _ in range(20):
        copy = match.copy()
        start = time.perf_counter()
        copy.submit(text)
        times.append(time.perf_counter() - start)
    return min(times) * 1e6


def figures(match: Match) -> dict[str, float]:
    seat, seats = match.to_act, range(match.players)
    view = match.view(seat)
    return {
        "one view as JSON": microseconds(lambda: msgspec.json.encode(view)),
        "Match.view": microseconds(lambda: match.view(seat)),
        "Match.views of all seats": microseconds(lambda: match.views(seats)),
        "Match.legal_actions": microseconds(match.legal_actions),
        "Match.preview of one action": microseconds(
            lambda: match.preview(int(match.legal_ids()[0]))
        ),
        "Match.previews of all actions": microseconds(match.previews),
        "Match.events": microseconds(match.events),
        "Match.submit": submit_microseconds(match),
    }


def measure(game: str, players: int) -> dict[str, Any]:
    found = [(match, figures(match)) for match in positions(game, players)]
    *spread, (longest, at_longest) = found
    names = list(at_longest)
    return {
        "game": game,
        "players": players,
        "mean": {name: sum(times[name] for _, times in spread) / len(spread) for name in names},
        "worst": {name: max(times[name] for _, times in found) for name in names},
        "first_view": first_view_microseconds(game, players),
        "longest_list": len(longest.legal_ids()),
        "at_longest_list": at_longest,
    }


def report(found: dict[str, Any]) -> None:
    mean, worst, longest = found["mean"], found["worst"], found["at_longest_list"]
    yardstick = mean["one view as JSON"]
    title = f"{lampion.find_game(found['game']).TITLE}, {found['players']} players, us"
    heads = (title, "mean", "ratio", "worst", f"{found['longest_list']} legal actions")
    rows = [
        (
            name,
            f"{mean[name]:.1f}",
            f"{mean[name] / yardstick:.1f}",
            f"{worst[name]:.1f}",
            f"{longest[name]:.1f}",
        )
        for name in mean
    ]
    first = found["first_view"]
    name = "Match.view after every action of a game"
    rows.append((name, f"{first:.1f}", f"{first / yardstick:.1f}", "", ""))
    show(table(heads, rows))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=lampion.game_names(), metavar="GAME")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--json", default=None, help="also write the figures to this file")
    arguments = parser.parse_args()
    results = [measure(game, arguments.players) for game in arguments.games]
    for found in results:
        report(found)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
