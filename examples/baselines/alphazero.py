"""A small AlphaZero for two players, in one file, with NumPy alone.

    python examples/baselines/alphazero.py GAME --out FOLDER [--seed 0] [--iterations 40]

A network guides a tree search; the search's visits and the results of games against itself train
it. Every simulation guesses what the seat cannot see and walks one tree by actions. `--data FOLDER`
learns from games of `lampion dataset GAME --players 2` first. The folder gets curve.csv, net.npz and
result.json. All but the times follows from settings, seed and versions (docs/baselines.md).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from lampion.arena.meeting import meet, named, share_won
from lampion.bots.base import Budget
from lampion.bots.levels import BotPlayer
from lampion.core import play
from lampion.core.rng import new_rng
from lampion.research import load_games, stepping
from lampion.research.batch import BatchEnv
from lampion.research.features import Encoder, encoder_for
from lampion.research.policybot import PolicyBot
from lampion.research.runs import TrainingRun

RIVALS = ("random", "greedy", "search:50,net=0")
EXPLORATION, NOISE, NOISE_SHARE, WILD_PLIES = 1.5, 10.0, 0.25, 12
RATE, DECAY, BATCH, BUFFER, CHEAP = 1e-3, 1e-4, 256, 30_000, 0.01


class Net:
    """Two layers, then a logit for every action and a value from -1 to 1; learns with Adam."""

    def __init__(self, inputs: int, moves: int, hidden: int, random: np.random.Generator) -> None:
        sizes = {"a": (inputs, hidden), "b": (hidden, hidden), "p": (hidden, moves)}
        self.weights: dict[str, Any] = {}
        for name, shape in {**sizes, "v": (hidden, 1)}.items():
            scale = ((0.1 if name in "pv" else 2.0) / shape[0]) ** 0.5
            self.weights[name] = random.normal(0, scale, shape).astype(np.float32)
            self.weights[f"{name}0"] = np.zeros(shape[1], np.float32)
        self._moments = {name: np.stack([0 * one, one * 0]) for name, one in self.weights.items()}
        self._steps = 0

    def __call__(self, inputs: Any) -> Any:
        """Logits, values, and the two layers."""
        w = self.weights
        one = np.maximum(inputs @ w["a"] + w["a0"], 0)
        two = np.maximum(one @ w["b"] + w["b0"], 0)
        return two @ w["p"] + w["p0"], np.tanh(two @ w["v"] + w["v0"])[:, 0], one, two

    def learn(self, inputs: Any, masks: Any, policies: Any, outcomes: Any) -> tuple[float, float]:
        """One step; the losses of policy and value."""
        w, rows = self.weights, len(inputs)
        logits, values, one, two = self(inputs)
        logits = np.where(masks > 0, logits, -np.inf)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        at_logits = (shares - policies) / rows
        at_value = (2 * (values - outcomes) * (1 - values**2) / rows)[:, None]
        at_two = (at_logits @ w["p"].T + at_value @ w["v"].T) * (two > 0)
        at_one = (at_two @ w["b"].T) * (one > 0)
        layers = (inputs, at_one), (one, at_two), (two, at_logits), (two, at_value)
        self._steps += 1
        for name, (before, after) in zip("abpv", layers, strict=True):
            self._update(name, before.T @ after + DECAY * w[name])
            self._update(f"{name}0", after.sum(axis=0))
        surprise = -(policies * np.log(np.maximum(shares, 1e-9))).sum(axis=1).mean()
        return float(surprise), float(((values - outcomes) ** 2).mean())

    def _update(self, name: str, gradient: Any) -> None:
        mean, square = self._moments[name]
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient**2 - square)
        rate = RATE * (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
        self.weights[name] -= rate * mean / (np.sqrt(square) + 1e-8)


class Node:
    """A decision in the tree; arrays are by action."""

    def __init__(self, seat: int, logits: Any, legal: Any, random: Any = None) -> None:
        self.seat, self.weights = seat, np.exp(logits - logits.max())
        self.visits, self.totals = np.zeros((2, len(logits)), np.float32)
        self.children: dict[tuple[int, int], Node] = {}
        if random is not None:
            drawn = random.dirichlet(np.full(len(legal), NOISE / len(legal)))
            shares = self.weights[legal] / self.weights[legal].sum()
            self.weights[legal] = (1 - NOISE_SHARE) * shares + NOISE_SHARE * drawn

    def choose(self, legal: Any) -> int:
        visits, weights, tries = self.visits[legal], self.weights[legal], self.visits[legal].sum()
        # One more try, worth as much as those here on average: so an action without any has a value.
        values = (self.totals[legal] + self.totals.sum() / max(tries, 1)) / (visits + 1)
        bonus = EXPLORATION * weights / weights.sum() * (tries + 1) ** 0.5 / (1 + visits)
        return int(legal[(values + bonus).argmax()])


class Searcher:
    """Searches many positions side by side; also a bot."""

    def __init__(self, env: BatchEnv, net: Net, encode: Encoder) -> None:
        self.net, self.encode = net, encode
        self.states = np.zeros(env.num_envs, env.game.State.dtype)
        self.legal = np.empty((env.num_envs, env.game.ACTIONS.size), np.int32)
        self.seen = np.empty((env.num_envs, env.observation.size), np.uint8)

    def visits(self, roots: Any, tries: int, rng: Any, random: Any = None) -> Any:
        """How often each action of each root was tried; a root is what a seat sees, and the seat."""
        trees: list[Any] = [None] * len(roots)
        for _ in range(tries + 1):
            walks = [self._walk(k, one, trees[k], rng) for k, one in enumerate(roots)]
            logits, values, *_ = self.net(self.encode(self.seen[: len(roots)]))
            for k, (path, seat, legal, result) in enumerate(walks):
                if len(legal):
                    leaf = Node(seat, logits[k], legal, None if path else random)
                    if path:
                        path[-1][0].children[path[-1][1], seat] = leaf
                    else:
                        trees[k] = leaf
                    result = float(values[k])
                for node, action in path:
                    node.visits[action] += 1
                    node.totals[action] += result if node.seat == seat else -result
        return np.array([tree.visits for tree in trees])

    def _walk(self, k: int, root: Any, node: Any, rng: Any) -> tuple[Any, ...]:
        """Down the tree to a new decision or the end: path, seat, legal actions, result for it."""
        states, legal, path, (seen, seat) = self.states, self.legal[k], list[Any](), root
        states[k] = seen.batch[seen.index]
        play.determinize_at(states, k, seat, rng)
        count = play.legal_at(states, k, seat, legal)
        while count and node:
            action = node.choose(legal[:count])
            path.append((node, action))
            count = play.step_at(states, k, action, legal, rng)
            seat = play.to_act_at(states, k) if count else 0
            node = node.children.get((action, seat))
        if count:
            stepping.observe_at(states, k, seat, self.seen[k])
            return path, seat, legal[:count].copy(), 0.0
        places = np.zeros(2, np.int32)
        play.placements_at(states, k, places)
        return path, 0, legal[:0], float(np.sign(places[1] - places[0]))

    def choose(
        self, seen: Any, seat: int, legal: Any, budget: Any, rng: Any, stop: Any = None
    ) -> int:
        visits = self.visits([(seen, seat)], budget.iterations, rng)[0]
        return int(legal[visits[legal].argmax()])

    def policy(self, observations: Any, masks: Any) -> Any:
        """What the network alone would do."""
        return np.where(masks > 0, self.net(self.encode(observations))[0], -np.inf).argmax(axis=1)


class Trainer:
    def __init__(self, wanted: argparse.Namespace) -> None:
        self.wanted, self.random = wanted, np.random.default_rng(wanted.seed)
        self.env = BatchEnv(wanted.game, wanted.slots, players=2, seed=wanted.seed, threads=1)
        encode = encoder_for(wanted.game, 2)
        self.net = Net(encode.width, self.env.num_moves, wanted.hidden, self.random)
        self.searcher, self.rng = Searcher(self.env, self.net, encode), new_rng(wanted.seed)
        self.plies, self.games = np.zeros(wanted.slots, int), 0
        self.told: list[list[Any]] = [[] for _ in range(wanted.slots)]
        self.buffer: list[Any] = []
        self.losses = {"policy_loss": 0.0, "value_loss": 0.0}
        policy = BotPlayer("policy", PolicyBot(self.searcher.policy), Budget())
        search = BotPlayer("alphazero", self.searcher, Budget(iterations=wanted.tries))
        self.bots = policy, search

    def read(self, folder: str) -> None:
        """Decisions that a search made, or that cost next to nothing."""
        for found in load_games(folder):
            rows = np.flatnonzero((np.diff(found.targets.offsets) > 0) | (found.regrets < CHEAP))
            arrays = found.observations, found.masks, found.policies(), found.outcomes
            self.buffer += zip(*(array[rows] for array in arrays), strict=True)

    def play(self) -> None:
        """A decision in every slot, by a search; finished games go into the buffer."""
        env, slots = self.env, range(self.env.num_envs)
        roots = [(env.seen_from(k, int(env.to_act[k])), int(env.to_act[k])) for k in slots]
        visits = self.searcher.visits(roots, self.wanted.tries, self.rng, self.random)
        shares = visits.astype(float) / visits.sum(axis=1, keepdims=True)
        actions = shares.argmax(axis=1)
        for k in slots:
            if self.plies[k] < WILD_PLIES:
                actions[k] = self.random.choice(env.num_moves, p=shares[k])
            told = env.observations[k].copy(), env.masks[k].copy(), shares[k].astype(np.float16)
            self.told[k].append((*told, roots[k][1]))
        env.step(actions)
        self.plies += 1
        for k in np.flatnonzero(env.terminated).tolist():
            self.buffer += [(*told, env.rewards[k, seat]) for *told, seat in self.told[k]]
            self.told[k], self.plies[k], self.games = [], 0, self.games + 1
        self.buffer = self.buffer[-BUFFER:]

    def learn(self, steps: int) -> None:
        losses = [(0.0, 0.0)]
        for _ in range(steps if self.buffer else 0):
            rows = self.random.integers(len(self.buffer), size=BATCH)
            columns = zip(*(self.buffer[row] for row in rows), strict=True)
            seen, masks, policies, outcomes = (np.array(column) for column in columns)
            inputs, targets = self.searcher.encode(seen), policies.astype(np.float32)
            losses.append(self.net.learn(inputs, masks, targets, outcomes.astype(np.float32)))
        policy, value = np.mean(losses[-max(1, steps // 2) :], axis=0).tolist()
        self.losses = {"policy_loss": round(policy, 4), "value_loss": round(value, 4)}

    def row(self, iteration: int) -> dict[str, float]:
        """A line of the curve, with how the policy alone does."""
        game, deals, (bot, _) = self.wanted.game, self.wanted.curve_deals, self.bots
        won = {f"won_{rival}": share_won(game, bot, rival, deals) for rival in RIVALS[:2]}
        return {"iteration": iteration, "games": self.games, **self.losses, **won}


def train(wanted: argparse.Namespace) -> None:
    run, trainer = TrainingRun(wanted.out, vars(wanted)), Trainer(wanted)
    if wanted.data:
        trainer.read(wanted.data)
        trainer.learn(wanted.data_steps)
    for iteration in range(wanted.iterations + 1):
        if iteration:
            for _ in range(wanted.plies):
                trainer.play()
            trainer.learn(wanted.steps)
        if iteration % wanted.every == 0 or iteration == wanted.iterations:
            run.add(trainer.row(iteration))
    np.savez(wanted.out / "net.npz", kept=trainer.searcher.encode.kept, **trainer.net.weights)
    bots = {bot.name: bot for bot in trainer.bots} | named(*RIVALS, game=wanted.game)
    run.finish(meet(wanted.game, 2, bots, wanted.deals, seed=10**6, anchor=RIVALS[-1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--data", help="learn from this folder of games first")
    numbers = {"seed": 0, "iterations": 40, "every": 2, "slots": 64, "plies": 16, "steps": 60}
    numbers |= {"tries": 32, "hidden": 128, "data_steps": 1000, "curve_deals": 20, "deals": 25}
    for name, number in numbers.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=number)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
