"""Train the value function of a game: how its finished games are judged (see `reviews.values`).

python -m lampion.reviews.training GAME [--players N] [--games 2000] [--hidden 32] [--seed 1]
                                  [--work FOLDER] [--out FILE]

The bots' greedy players play the games, half of which begin with up to forty actions of which one
in three is random; positions at decisions and at outcomes of chance are noted with all hands face
up, and two small networks learn how the games ended. Two more then learn what the first two say of
the position about two rounds later (or the result, if the game was over by then): a result is made
of everything that happens after a position, and most of that has nothing to do with it.

Games are played in batches; with `--work` a finished batch is kept in that folder, so a run that
was interrupted resumes where it stopped, and gives the same file as one that was not. Seed, games
and the losses are written into the file.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lampion.bots.net import POINTS_SCALE, load_weights
from lampion.bots.search import SearchSettings
from lampion.core.game import Game, find_game, game_names, has_module
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.research.learning import Floats, Pace, Rows, Slope, fit, points_slope, run, steps
from lampion.reviews.selfplay import GAME_ENDED, play_and_note
from lampion.reviews.values import (
    LEAST_LEFT,
    NUM_UNITS,
    PLACE,
    POINTS,
    VERSION,
    Networks,
    networks_file,
    value_module,
)

GAMES_PER_BATCH = 100
NODES_AHEAD = 5
"""How many log entries later, for each player, the position lies that is learned from."""
MOST_ROWS = 240_000
"""Rows of features, one for each player of a position, that are learned from."""


@dataclass(frozen=True)
class Positions:
    """What was noted: by position, player and feature; the share left; and how the game ended."""

    features: Floats
    lefts: Floats
    later: Floats
    """The features some entries later."""
    later_lefts: Floats
    games: npt.NDArray[np.int32]
    results: Floats
    """By game, player and unit."""


@dataclass(frozen=True)
class Case:
    """A game, its number of players and how to train."""

    game: Game
    players: int
    games: int
    hidden: int
    seed: int

    @property
    def num_features(self) -> int:
        return int(value_module(self.game).num_value_features(self.players))

    def batch_file(self, work: Path, number: int) -> Path:
        return work / f"{self.game.NAME}-{self.players}p-seed{self.seed}-{number}.npz"


# --- playing --------------------------------------------------------------------------------------


def play_batch(case: Case, number: int, share: int) -> Positions:
    """Batch `number` of a case; its games follow from the seed and that number alone."""
    start = Match(case.game, case.players).start.batch
    rows = GAMES_PER_BATCH * 400 // share
    features = np.zeros((rows, case.players, case.num_features), np.float32)
    later = np.zeros_like(features)
    lefts, later_lefts, games = np.zeros(rows), np.zeros(rows), np.zeros(rows, np.int32)
    results = np.zeros((GAMES_PER_BATCH, case.players, NUM_UNITS))
    noted = play_and_note(
        start, np.zeros(2, start.dtype), np.zeros(case.game.ACTIONS.size, np.int32),
        load_weights(case.game.NAME, case.players), SearchSettings().record(),
        new_rng(case.seed * 1_000_003 + number), share, NODES_AHEAD * case.players, features,
        lefts, later, later_lefts, games, results,
    )  # fmt: skip
    return Positions(
        features[:noted],
        lefts[:noted].astype(np.float32),
        later[:noted],
        later_lefts[:noted].astype(np.float32),
        games[:noted],
        results.astype(np.float32),
    )


def play(case: Case, work: Path | None) -> Positions:
    """All batches, from the folder where they are there."""
    numbers = range(-(-case.games // GAMES_PER_BATCH))
    share = max(1, round(case.games * 180 * case.players / MOST_ROWS))
    found = []
    for number in steps(numbers, "Playing"):
        file = case.batch_file(work, number) if work else None
        if file and file.exists():
            kept = np.load(file)
            found.append(Positions(*(kept[name] for name in Positions.__annotations__)))
            continue
        found.append(play_batch(case, number, share))
        if file:
            partial = file.with_suffix(".part.npz")
            np.savez(partial, **vars(found[-1]))
            partial.rename(file)
    return Positions(
        np.concatenate([one.features for one in found]),
        np.concatenate([one.lefts for one in found]),
        np.concatenate([one.later for one in found]),
        np.concatenate([one.later_lefts for one in found]),
        np.concatenate([one.games + k * GAMES_PER_BATCH for k, one in enumerate(found)]),
        np.concatenate([one.results for one in found]),
    )


# --- learning -------------------------------------------------------------------------------------


def scaled(outputs: Floats, lefts: Floats) -> Floats:
    """Strengths: outputs count the more the less of the game is left."""
    return np.asarray(outputs / np.sqrt(LEAST_LEFT + lefts)[:, None], np.float32)


def chances(strengths: Floats) -> Floats:
    """How likely each player is to come out ahead of each, by position."""
    gaps = strengths[:, :, None] - strengths[:, None, :]
    return np.asarray(1 / (1 + np.exp(-np.clip(gaps, -40, 40))), np.float32)


def place_slope(lefts: Floats, wanted: Floats) -> Slope:
    """The loss of strengths: how well their differences predict who comes out ahead of whom."""

    def slope(outputs: Floats, rows: Rows) -> tuple[Floats, float]:
        expected, ahead = chances(scaled(outputs, lefts[rows])), wanted[rows]
        players = outputs.shape[1]
        found = (expected - ahead).sum(axis=2) / (players - 1)
        sure = np.clip(expected, 1e-7, 1 - 1e-7)
        losses = -ahead * np.log(sure) - (1 - ahead) * np.log(1 - sure)
        pairs = ~np.eye(players, dtype=bool)
        return scaled(found, lefts[rows]), float(losses[:, pairs].mean())

    return slope


def results_wanted(positions: Positions) -> tuple[Floats, Floats]:
    """Who came out ahead of whom, and the points: what the first networks learn."""
    places = positions.results[:, :, PLACE]
    ahead = 0.5 + 0.5 * np.sign(places[:, :, None] - places[:, None, :])
    points = positions.results[:, :, POINTS] / POINTS_SCALE
    return ahead[positions.games].astype(np.float32), points[positions.games]


def later_wanted(positions: Positions, networks: Networks) -> tuple[Floats, Floats]:
    """What the first networks say a little later, where the game went on."""
    ahead, points = results_wanted(positions)
    went_on = np.flatnonzero(positions.later_lefts != GAME_ENDED)
    players, size = positions.later.shape[1:]
    later = positions.later[went_on].reshape(-1, size)
    strength, said = (run(network, later)[0].reshape(-1, players) for network in networks)
    ahead[went_on] = chances(scaled(strength, positions.later_lefts[went_on]))
    points[went_on] = said
    return ahead, points


def train(case: Case, work: Path | None) -> tuple[Networks, dict[str, object]]:
    """Both networks, and what is to be known about them."""
    positions = play(case, work)
    wanted, losses, pace = results_wanted(positions), [], Pace(case.hidden, case.seed)
    for _ in range(2):
        ahead, points = wanted
        fitted = [
            fit(positions.features, positions.games, slope, pace)
            for slope in (place_slope(positions.lefts, ahead), points_slope(points))
        ]
        networks = np.stack([network for network, _loss in fitted])
        losses.append([loss for _network, loss in fitted])
        wanted = later_wanted(positions, networks)
    about: dict[str, object] = {
        "version": VERSION,
        "rules": case.game.RULES_VERSION,
        "seed": case.seed,
        "games": len(positions.results),
        "positions": len(positions.games),
        "place_losses": [round(place, 4) for place, _ in losses],
        "points_errors": [round(POINTS_SCALE * points**0.5, 2) for _, points in losses],
    }
    return networks, about


# --- the command ----------------------------------------------------------------------------------


def trainable_games() -> list[str]:
    """The games that say what a value function is told."""
    return [name for name in game_names() if has_module(find_game(name), "value_net")]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=trainable_games())
    parser.add_argument("--players", type=int, help="by default each number in turn")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--hidden", type=int, default=32, help="hidden units")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, help="a folder for finished batches")
    parser.add_argument("--out", type=Path, help="by default to where reviews look for it")
    wanted = parser.parse_args()
    game = find_game(wanted.game)
    numbers = [wanted.players] if wanted.players else [*game.NUM_PLAYERS]
    if not set(numbers) <= {*game.NUM_PLAYERS}:
        parser.error(f"{wanted.game} is not for {wanted.players} players")
    for folder in (wanted.work, wanted.out and wanted.out.parent):
        if folder and not folder.is_dir():
            parser.error(f"there is no folder {folder}")
    if wanted.out and len(numbers) > 1:
        parser.error("--out takes one network: say --players")
    for players in numbers:
        case = Case(game, players, wanted.games, wanted.hidden, wanted.seed)
        networks, about = train(case, wanted.work)
        np.savez(
            wanted.out or networks_file(game, players), networks=networks, about=json.dumps(about)
        )
        print(f"{game.TITLE}, {players} players: {json.dumps(about)}", flush=True)


if __name__ == "__main__":
    main()
