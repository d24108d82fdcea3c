"""What the gate costs: `Match.submit` beside the bare doors into the rules, on the same games.

python -m benchmarks.gate [--players N] [--games N] [--json FILE] [GAME ...]

The yardstick does the same decisions and draws by id on a bare record: who is to act, is it legal,
do it, and for chance the weights and the HMAC of the fair draw. What `submit` adds is notation, the
log with its trails, and the checks. Games are played in turn by each, so that whatever else the
machine does slows all of them down; the figures are medians over games. Exits with 1 where a
`submit` of a text takes longer than MOST_MICROSECONDS allows.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from random import Random

import numpy as np

import lampion
from benchmarks.limits import Limit, judge
from lampion import terminal
from lampion.core import play
from lampion.core.fairness import Chance, seed_from_number
from lampion.core.game import own_game_names
from lampion.core.types import CHANCE, GAME_OVER

MOST_MICROSECONDS = {"lanterns": 20.0}
Moves = list[tuple[int, int, str]]
"""Of the players: seat, id and text."""


def moves_of(game: str, players: int, seed: int) -> Moves:
    match, chooser, moves = lampion.new(game, players, seed=seed), Random(seed), []
    while not match.is_over:
        seat = match.to_act
        entry = match.submit(int(chooser.choice(match.legal_ids())), seat)
        moves.append((seat, entry.action, entry.text))
    return moves


def bare_seconds(game: str, players: int, seed: int, moves: Moves) -> float:
    """The same game by the doors alone."""
    rules = lampion.find_game(game)
    batch = lampion.new(game, players, seed=seed).start.copy().batch
    legal, chance = np.empty(rules.ACTIONS.size, np.int32), Chance(seed_from_number(seed))
    start, draws, coming = 0.0, 0, iter(moves)
    actor = int(play.to_act_at(batch, 0))
    while actor != GAME_OVER:
        if actor == CHANCE:
            weights = legal[: play.weights_at(batch, 0, legal)].tolist()
            picked = chance.pick(draws, weights)
            play.legal_at(batch, 0, CHANCE, legal)
            play.apply_at(batch, 0, CHANCE, int(legal[picked]))
            draws += 1
        else:
            start = start or time.process_time()  # the deal is part of making a match
            seat, action, _ = next(coming)
            assert play.may_act_at(batch, 0, seat)
            assert play.is_legal_at(batch, 0, seat, action, legal)
            play.apply_at(batch, 0, seat, action)
        actor = int(play.to_act_at(batch, 0))
    return time.process_time() - start


def submit_seconds(game: str, players: int, seed: int, moves: Moves, by_text: bool) -> float:
    match = lampion.new(game, players, seed=seed)
    start = time.process_time()
    for seat, action, text in moves:
        match.submit(text if by_text else action, seat)
    return time.process_time() - start


def measure(game: str, players: int, games: int) -> dict[str, float]:
    """Microseconds per decision of a player, the draws that follow included."""
    found: dict[str, list[float]] = {
        "doors alone": [],
        "submit of an id": [],
        "submit of a text": [],
    }
    for seed in range(games):
        moves = moves_of(game, players, seed)
        for name, seconds in (
            ("doors alone", bare_seconds(game, players, seed, moves)),
            ("submit of an id", submit_seconds(game, players, seed, moves, by_text=False)),
            ("submit of a text", submit_seconds(game, players, seed, moves, by_text=True)),
        ):
            found[name].append(seconds / len(moves) * 1e6)
    return {name: statistics.median(times) for name, times in found.items()}


def show(game: str, players: int, found: dict[str, float]) -> None:
    title = f"{lampion.find_game(game).TITLE}, {players} players"
    rows = [
        (name, f"{microseconds:.1f}", f"{microseconds / found['doors alone']:.2f}")
        for name, microseconds in found.items()
    ]
    terminal.show(terminal.table((title, "us a decision", "ratio"), rows))


def main() -> None:
    parser = argparse.ArgumentParser(description="What the gate costs.")
    parser.add_argument("games_to_play", nargs="*", metavar="GAME", default=own_game_names())
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    found = {}
    for game in chosen.games_to_play:
        found[game] = measure(game, chosen.players, chosen.games)
        show(game, chosen.players, found[game])
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1))
    judge(
        Limit(f"us for a submit in {game}", found[game]["submit of a text"], most=most)
        for game, most in MOST_MICROSECONDS.items()
        if game in found
    )


if __name__ == "__main__":
    main()
