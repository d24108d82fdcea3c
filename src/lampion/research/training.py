"""Train the network that evaluates positions for the bots, by self-play in the batched environment.

python -m lampion.research.training GAME [--players N] [--generations 4] [--positions 400000]
                                   [--hidden 48] [--seed 1] [--work FOLDER] [--out FILE]

Each generation plays greedily by the network of the one before (the first by the evaluation that
people wrote), with a random action now and then, notes what the network would be told about every
position, and learns how those games ended: their utility, or a player's points where the network
of the game predicts points.

With `--work`, every finished generation is kept in that folder, so a run that was interrupted
resumes where it stopped, and gives the same file as one that was not. A file of the same name that
ends in `.json` keeps the command, the versions and the curve: positions, loss and what the loss of
knowing nothing would be, by generation.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lampion.bots import utility
from lampion.bots.knowledge import net_module, predicts_points
from lampion.bots.net import NO_WEIGHTS, POINTS_SCALE, Weights, weights_file
from lampion.bots.search import SearchSettings
from lampion.core.game import find_game, game_names, has_module
from lampion.core.rng import new_rng
from lampion.core.types import NO_PLAYER
from lampion.research.batch import BatchEnv
from lampion.research.choosing import choose_actions
from lampion.research.learning import (
    HELD_OUT,
    Floats,
    Pace,
    Slope,
    fit,
    points_slope,
    steps,
    utility_slope,
)

NUM_SLOTS = 512
EPOCHS, ROWS_PER_STEP, RATE = 8, 2048, 3e-3


@dataclass(frozen=True)
class Positions:
    """What the network is told, one row per position, what it should say, and the number of the game."""

    features: Floats
    wanted: Floats
    games: npt.NDArray[np.int32]

    def __add__(self, other: Positions) -> Positions:
        return Positions(
            np.concatenate([self.features, other.features]),
            np.concatenate([self.wanted, other.wanted]),
            np.concatenate([self.games, other.games]),
        )


@dataclass(frozen=True)
class Case:
    """A game, its number of players and how to train."""

    game: str
    players: int
    generations: int
    positions: int
    hidden: int
    seed: int

    def kept(self, work: Path, generation: int, what: str) -> Path:
        return work / f"{self.game}-{self.players}p-seed{self.seed}-{generation}-{what}.npy"

    @property
    def num_features(self) -> int:
        return int(net_module(find_game(self.game)).num_features(self.players))


# --- playing --------------------------------------------------------------------------------------


def are_points(env: BatchEnv) -> bool:
    return bool(predicts_points(env.game.State(env.states)))


def final_result(env: BatchEnv, slot: int, settings: npt.NDArray[np.void]) -> Floats:
    """What the network should have said of the game that just ended, for each player: points, or
    what the search would call it."""
    if are_points(env):
        return np.asarray(env.scores[slot] / POINTS_SCALE, np.float32)
    utilities = np.zeros(env.players)
    utility.final_utilities(
        env.places[slot], env.scores[slot], np.zeros(env.players), settings, utilities
    )
    return utilities.astype(np.float32)


def self_play(case: Case, weights: Weights, generation: int) -> Positions:
    """About as many positions of finished games as the case wants, played by the network with
    these weights."""
    seed = case.seed * 1_000 + generation
    env = BatchEnv(case.game, NUM_SLOTS, players=case.players, seed=seed, threads=1)
    settings, rng = SearchSettings().record(), new_rng(seed)
    scratch = np.zeros(1, env.states.dtype)
    legal = np.zeros(env.game.ACTIONS.size, np.int32)
    told = np.zeros((NUM_SLOTS, case.num_features), np.float32)
    actions, sides = np.zeros(NUM_SLOTS, np.int32), np.zeros(NUM_SLOTS, np.int32)
    playing = np.arange(NUM_SLOTS, dtype=np.int32)
    unknown = np.full(case.players, np.nan, np.float32)
    results, noted = [unknown] * NUM_SLOTS, []
    # Stopping at the first finished games would keep only short ones; games that go on at the end
    # are a few in a hundred.
    for _ in steps(range(-(-case.positions // NUM_SLOTS)), "Playing"):
        choose_actions(
            env.states, env.to_act, scratch, legal, weights, settings, rng, told, sides, actions
        )
        noted.append((told.copy(), sides.copy(), playing.copy()))
        env.step(actions)
        for slot in np.flatnonzero(env.terminated):
            results[playing[slot]] = final_result(env, int(slot), settings)
            playing[slot] = len(results)
            results.append(unknown)
    features, seen_by, games = (np.concatenate(column) for column in zip(*noted, strict=True))
    wanted = np.stack(results)[games, np.maximum(seen_by, 0)]
    known = (seen_by != NO_PLAYER) & ~np.isnan(wanted)
    return Positions(features[known], wanted[known], games[known])


def played(case: Case, weights: Weights, generation: int, work: Path | None) -> Positions:
    """The positions of a generation, from the folder if they are there."""
    if not work:
        return self_play(case, weights, generation)
    files = [case.kept(work, generation, name) for name in Positions.__annotations__]
    if not all(file.exists() for file in files):
        positions = self_play(case, weights, generation)
        for file, column in zip(files, vars(positions).values(), strict=True):
            _save(file, column)
    return Positions(*(np.load(file) for file in files))


def _save(file: Path, array: npt.NDArray[Any]) -> None:
    """At once or not at all: a file that is there is whole."""
    partial = file.with_suffix(".part.npy")
    np.save(partial, array)
    partial.rename(file)


# --- learning -------------------------------------------------------------------------------------


Point = dict[str, Any]
"""Of the curve: what one generation learned from, and how well."""


def learned(
    case: Case, positions: Positions, generation: int, work: Path | None
) -> tuple[Weights, Point]:
    """The network that predicts those results best, from the folder if it is there."""
    files = [case.kept(work, generation, what) for what in ("weights", "point")] if work else []
    if files and all(file.exists() for file in files):
        return np.load(files[0]), json.loads(str(np.load(files[1])))
    slope = slope_for(case, positions.wanted)
    pace = Pace(case.hidden, case.seed, rows_per_step=ROWS_PER_STEP, epochs=EPOCHS, rate=RATE)
    weights, loss = fit(positions.features[:, None, :], positions.games, slope, pace)
    point = {
        "positions": len(positions.games),
        "loss": round(loss, 5),
        "loss_of_knowing_nothing": round(indifferent_loss(case, positions), 5),
    }
    for file, kept in zip(files, (weights, np.array(json.dumps(point))), strict=bool(files)):
        _save(file, kept)
    return weights, point


def slope_for(case: Case, wanted: Floats) -> Slope:
    is_points = are_points(BatchEnv(case.game, 1, players=case.players))
    return (points_slope if is_points else utility_slope)(wanted[:, None])


def indifferent_loss(case: Case, positions: Positions) -> float:
    is_held_out = positions.games % HELD_OUT == 0
    mean = positions.wanted[~is_held_out].mean()
    is_points = are_points(BatchEnv(case.game, 1, players=case.players))
    said = mean if is_points else np.log(mean / (1 - mean))
    rows = np.flatnonzero(is_held_out)
    outputs = np.full((len(rows), 1), said, np.float32)
    return slope_for(case, positions.wanted)(outputs, rows)[1]


def train(case: Case, work: Path | None) -> tuple[Weights, dict[str, Any]]:
    """Play, learn, play with what was learned; the network and what is to be known about it."""
    weights, before, curve = NO_WEIGHTS, None, []
    for generation in range(case.generations):
        new = played(case, weights, generation, work)
        # The games of the last generation are kept: twice the material, played almost as well.
        weights, point = learned(case, new if before is None else before + new, generation, work)
        before = new
        curve.append(point)
        print(f"generation {generation + 1}: {json.dumps(point)}", flush=True)
    about = {
        **asdict(case),
        "rules": find_game(case.game).RULES_VERSION,
        "numpy": np.__version__,
        "curve": curve,
    }
    return weights, about


# --- the command ----------------------------------------------------------------------------------


def trainable_games() -> list[str]:
    """The games that say what a network is told."""
    return [name for name in game_names() if has_module(find_game(name), "knowledge_net")]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=trainable_games())
    parser.add_argument("--players", type=int, help="by default each number in turn")
    parser.add_argument("--generations", type=int, default=4)
    parser.add_argument("--positions", type=int, default=400_000, help="in each generation")
    parser.add_argument("--hidden", type=int, default=48, help="hidden units")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, help="a folder for finished generations")
    parser.add_argument("--out", type=Path, help="by default to where the bots look for it")
    wanted = parser.parse_args()
    numbers = [wanted.players] if wanted.players else [*find_game(wanted.game).NUM_PLAYERS]
    if not set(numbers) <= {*find_game(wanted.game).NUM_PLAYERS}:
        parser.error(f"{wanted.game} is not for {wanted.players} players")
    for folder in (wanted.work, wanted.out and wanted.out.parent):
        if folder and not folder.is_dir():
            parser.error(f"there is no folder {folder}")
    if wanted.out and len(numbers) > 1:
        parser.error("--out takes one network: add --players")
    for players in numbers:
        case = Case(
            wanted.game,
            players,
            wanted.generations,
            wanted.positions,
            wanted.hidden,
            wanted.seed,
        )
        file: Path = wanted.out or weights_file(wanted.game, players)
        weights, about = train(case, wanted.work)
        np.save(file, weights)
        file.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
