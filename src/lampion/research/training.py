"""Train the network that evaluates positions, by self-play in the batched environment.

python -m lampion.research.training GAME --players 2 [--out FILE] [--generations 4] [--positions
400000] [--hidden 48] [--seed 1]

Each generation plays greedily by the network of the one before (the first by the evaluation that
people wrote), with a random action now and then, remembers what the network would have been told
about every position, and learns how those games ended: their utility, or a player's points where
the network of the game says points. It needs the extra `train` (PyTorch); what it writes is read
without it (`lampion.bots.net`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lampion.bots import utility
from lampion.bots.knowledge import net_module, net_says_points
from lampion.bots.net import NO_WEIGHTS, NOT_FEATURES, POINTS_SCALE, Weights, weights_file
from lampion.bots.search import SearchSettings
from lampion.core.game import find_game, game_names, has_module
from lampion.core.rng import new_rng
from lampion.core.types import NO_PLAYER, IntArray
from lampion.research.batch import BatchEnv
from lampion.research.choosing import choose_actions
from lampion.research.extras import extra
from lampion.terminal import progress

NUM_SLOTS = 512
BATCH, EPOCHS, LEARNING_RATE, WEIGHT_DECAY = 2048, 8, 3e-3, 1e-4
HELD_OUT = 10
"""One position in so many is kept from training, for the loss that is printed; a game is always on one side."""


@dataclass
class Positions:
    """What the network is told, one row per position, what it should say, and the number of the game."""

    features: Weights
    wanted: Weights
    games: IntArray
    are_points: bool

    def __add__(self, other: Positions) -> Positions:
        return Positions(
            np.concatenate([self.features, other.features]),
            np.concatenate([self.wanted, other.wanted]),
            np.concatenate([self.games, other.games]),
            self.are_points,
        )


def says_points(env: BatchEnv) -> bool:
    return bool(net_says_points(env.game.State(env.states)))


def final_result(env: BatchEnv, slot: int, settings: npt.NDArray[np.void]) -> Weights:
    """What the network should have said of the game that just ended, for each player: points, or what the search would call it."""
    if says_points(env):
        return np.asarray(env.scores[slot] / POINTS_SCALE, np.float32)
    utilities = np.zeros(env.players)
    utility.final_utilities(
        env.places[slot], env.scores[slot], np.zeros(env.players), settings, utilities
    )
    return utilities.astype(np.float32)


def self_play(game: str, players: int, weights: Weights, positions: int, seed: int) -> Positions:
    """About that many positions of finished games."""
    env, settings, rng = (
        BatchEnv(game, NUM_SLOTS, players=players, seed=seed),
        SearchSettings().record(),
        new_rng(seed),
    )
    scratch, legal = (np.zeros(1, env.states.dtype), np.zeros(env.game.ACTIONS.size, np.int32))
    features, actions = (
        np.zeros((NUM_SLOTS, num_features(game, players)), np.float32),
        np.zeros(NUM_SLOTS, np.int32),
    )
    sides, playing = np.zeros(NUM_SLOTS, np.int32), np.arange(NUM_SLOTS, dtype=np.int32)
    results: list[Weights] = [np.full(players, np.nan, np.float32)] * NUM_SLOTS
    rows: list[tuple[Weights, IntArray, IntArray]] = []
    # Stopping at the first finished games would keep only short ones; games that go on at the end are a few in a hundred.
    for _ in _progress(range(-(-positions // NUM_SLOTS)), "Playing"):
        choose_actions(
            env.states, env.to_act, scratch, legal, weights, settings, rng, features, sides, actions
        )
        rows.append((features.copy(), sides.copy(), playing.copy()))
        env.step(actions)
        for slot in np.flatnonzero(env.terminated):
            results[playing[slot]] = final_result(env, int(slot), settings)
            playing[slot] = len(results)
            results.append(np.full(players, np.nan, np.float32))
    told, seen_by, games = (np.concatenate(column) for column in zip(*rows, strict=True))
    wanted = np.stack(results)[games, np.maximum(seen_by, 0)]
    known = (seen_by != NO_PLAYER) & ~np.isnan(wanted)
    return Positions(told[known], wanted[known], games[known], says_points(env))


def num_features(game: str, players: int) -> int:
    return int(net_module(find_game(game)).num_features(players))


def fit(positions: Positions, hidden: int, seed: int) -> tuple[Weights, float]:
    """The weights that foretell the results best, and their loss on games not learned from."""
    with extra("train"):
        import torch
    torch.manual_seed(seed)
    size = positions.features.shape[1]
    start = np.zeros((size + NOT_FEATURES, hidden + 1), np.float32)
    noise = np.random.default_rng(seed)
    start[:size, :hidden] = noise.normal(0, (2 / size) ** 0.5, (size, hidden))
    start[-1, :hidden] = noise.normal(0, 0.1, hidden)
    weights = torch.tensor(start, requires_grad=True)
    told, wanted = (torch.from_numpy(positions.features), torch.from_numpy(positions.wanted))
    held_out = torch.from_numpy(positions.games % HELD_OUT == 0)

    def loss_of(told: Any, wanted: Any) -> Any:
        units = told @ weights[:size] + weights[size]
        output = units[:, hidden] + torch.relu(units[:, :hidden]) @ weights[-1, :hidden]
        loss = (
            torch.nn.functional.mse_loss
            if positions.are_points
            else torch.nn.functional.binary_cross_entropy_with_logits
        )
        return loss(output, wanted)

    training = torch.nonzero(~held_out)[:, 0]
    steps = EPOCHS * (len(training) // BATCH + 1)
    optimizer = torch.optim.AdamW([weights], LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps + 1)
    for _ in _progress(range(EPOCHS), "Learning"):
        for rows in training[torch.randperm(len(training))].split(BATCH):
            optimizer.zero_grad()
            loss_of(told[rows], wanted[rows]).backward()
            optimizer.step()
            schedule.step()
    with torch.no_grad():
        return weights.numpy().copy(), float(loss_of(told[held_out], wanted[held_out]))


def _progress(steps: range, what: str) -> Iterator[int]:
    with progress(what, len(steps)) as advance:
        for step in steps:
            yield step
            advance(1)


def train(
    game: str, players: int, generations: int, positions: int, hidden: int, seed: int
) -> Weights:
    """Play, learn, play with what was learned."""
    weights, known = NO_WEIGHTS, None
    for generation in range(generations):
        start = time.perf_counter()
        new = self_play(game, players, weights, positions, seed + generation)
        # The games of the last generation are kept: twice the material, played almost as well.
        learned_from = new if known is None else known + new
        weights, loss = fit(learned_from, hidden, seed)
        known = new
        seconds = time.perf_counter() - start
        print(
            f"generation {generation + 1}: {len(learned_from.games):,} positions, loss {loss:.4f}, {seconds:.0f} s",
            flush=True,
        )
    return weights


def trainable_games() -> list[str]:
    """The games that say what a network is told."""
    return [name for name in game_names() if has_module(find_game(name), "knowledge_net")]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=trainable_games())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument(
        "--out",
        type=Path,
        help="where the weights go; if not given, to where the bots look for them",
    )
    parser.add_argument("--generations", type=int, default=4)
    parser.add_argument("--positions", type=int, default=400_000)
    parser.add_argument("--hidden", type=int, default=48, help="hidden units")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    if wanted.players not in find_game(wanted.game).NUM_PLAYERS:
        parser.error(f"{wanted.game} is not for {wanted.players} players")
    file: Path = wanted.out or weights_file(wanted.game, wanted.players)
    # What would fail after minutes of play is found out before.
    if not file.parent.is_dir():
        parser.error(f"there is no folder {file.parent}")
    if find_spec("torch") is None:
        parser.error("training needs PyTorch; `pip install 'lampion[train]'` brings it")
    weights = train(
        wanted.game,
        wanted.players,
        wanted.generations,
        wanted.positions,
        wanted.hidden,
        wanted.seed,
    )
    np.save(file, weights)


if __name__ == "__main__":
    main()
