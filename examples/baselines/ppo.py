"""PPO with masks against bots, in one file, with sb3-contrib on the Gymnasium environment.

    pip install -r examples/baselines/requirements.txt
    python examples/baselines/ppo.py GAME --out FOLDER [--seed 0] [--steps 200000]

One agent learns at tables for two against `--opponents`, which the tables take in turn; the agent
sits in a seat that is drawn for every game. The folder gets curve.csv, model.zip and result.json
with the final strength in the arena. All but the times follows from the settings, the seed and the
versions, on one thread of one kind of machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from lampion.arena.meeting import meet, named, share_won
from lampion.bots.base import Budget
from lampion.bots.levels import BotPlayer
from lampion.research.features import Encoder, encoder_for
from lampion.research.gym import GameEnv
from lampion.research.policybot import PolicyBot
from lampion.research.runs import TrainingRun

RIVALS = ("random", "greedy", "search:50,net=0")
FINAL_DEALS = 10**6  # from there on: others than those of the curve


class Encoded(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Observations as numbers from 0 to 1."""

    def __init__(self, env: GameEnv, encode: Encoder) -> None:
        super().__init__(env)
        self.encode, self.action_masks = encode, env.action_masks
        self.observation_space = spaces.Box(0, 1, (encode.width,), np.float32)

    def observation(self, observation: Any) -> Any:
        return self.encode(observation[None])[0]


def policy_of(model: MaskablePPO, encode: Encoder) -> Callable[[Any, Any], Any]:
    """What the network prefers, as a function from observations and masks to actions."""

    def policy(observations: Any, masks: Any) -> Any:
        inputs, legal = encode(observations), masks.astype(bool)
        return model.predict(inputs, action_masks=legal, deterministic=True)[0]

    return policy


class Curve(BaseCallback):  # type: ignore[misc]
    """A row after every few rollouts: how the policy does without exploration."""

    def __init__(self, run: TrainingRun, player: BotPlayer, wanted: argparse.Namespace) -> None:
        super().__init__()
        self.run, self.player, self.wanted, self.next = run, player, wanted, 0

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.next:
            self.next = self.num_timesteps + self.wanted.every
            self.note()

    def note(self) -> None:
        game, deals = self.wanted.game, self.wanted.curve_deals
        won = {f"won_{rival}": share_won(game, self.player, rival, deals) for rival in RIVALS[:2]}
        self.run.add({"steps": self.num_timesteps, **won})


def train(wanted: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    run, encode = TrainingRun(wanted.out, vars(wanted)), encoder_for(wanted.game, 2)

    def table(number: int) -> Callable[[], Encoded]:
        rival = wanted.opponents[number % len(wanted.opponents)]
        return lambda: Encoded(GameEnv(wanted.game, players=2, opponents=rival, seat=None), encode)

    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([table(number) for number in range(wanted.tables)]),
        learning_rate=wanted.rate,
        n_steps=wanted.rollout,
        batch_size=512,
        n_epochs=wanted.epochs,
        gamma=1.0,
        ent_coef=wanted.entropy,
        policy_kwargs={"net_arch": [wanted.hidden, wanted.hidden]},
        seed=wanted.seed,
        device="cpu",
    )
    player = BotPlayer("ppo", PolicyBot(policy_of(model, encode)), Budget())
    curve = Curve(run, player, wanted)
    model.learn(wanted.steps, callback=curve)
    curve.note()
    model.save(wanted.out / "model.zip")
    run.finish(strength(wanted.game, player, wanted.deals) if wanted.deals else [])


def strength(game: str, player: BotPlayer, deals: int) -> list[Any]:
    bots = {player.name: player} | named(*RIVALS, game=game)
    return meet(game, 2, bots, deals, seed=FINAL_DEALS, anchor=RIVALS[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--opponents", nargs="+", default=["random", "greedy"])
    numbers = {"seed": 0, "steps": 200_000, "tables": 16, "rollout": 256, "epochs": 4}
    numbers |= {"hidden": 256, "every": 16_384, "curve_deals": 20, "deals": 25}
    for name, number in numbers.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=number)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--entropy", type=float, default=0.01)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
