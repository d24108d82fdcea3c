"""How fast the research kit is: batched steps on one core and on all, one step of each adapter, beside PettingZoo's connect four.

python -m benchmarks.research [--seconds S] [--slots N ...] [--json FILE] [GAME ...]

A batch of 256 games fits into the cache of one core, one of 4096 does not.
Figures of one core are per second of processor time. One core and all cores take turns, and the best round of each counts: what
else the machine does can only make a round slower.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import time
from collections.abc import Callable
from typing import Any

import lampion
from lampion.cli.bench import measure
from lampion.core.match import Match
from lampion.research.batch import OBSERVATIONS, BatchEnv
from lampion.research.gym import GameEnv
from lampion.research.zoo import SequentialEnv
from lampion.terminal import show, table

ROUNDS = 7


def batched_steps(env: BatchEnv, seconds: float, clock: Callable[[], float]) -> float:
    """Steps per second of random play with observations and masks."""
    env.step(env.random_actions)
    before, steps = clock(), 0
    while clock() - before < seconds:
        for _ in range(max(1, 20_000 // env.num_envs)):
            env.step(env.random_actions)
            steps += env.num_envs
    return steps / (clock() - before)


def scaling(game: str, players: int, slots: int, seconds: float) -> float:
    """How much faster all cores are than one, by the clock on the wall."""
    envs = [
        BatchEnv(game, slots, players=players, threads=threads) for threads in (1, os.cpu_count())
    ]
    rounds = [
        [batched_steps(env, seconds, time.perf_counter) for env in envs] for _ in range(ROUNDS)
    ]
    return max(many for _, many in rounds) / max(one for one, _ in rounds)


def turns_microseconds(env: Any, steps: int = 3000) -> float:
    """One turn of a PettingZoo environment: `last`, the first legal action, `step`."""
    spent, count, seed = 0.0, 0, 0
    while count < steps:
        env.reset(seed=seed)
        seed += 1
        before = time.process_time()
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            env.step(int(seen["action_mask"].argmax()))
            count += 1
        spent += time.process_time() - before
    return spent / count * 1e6


def single_microseconds(env: GameEnv, steps: int = 3000) -> float:
    """One step of a Gymnasium environment, the random opponent's turn included."""
    _, info = env.reset(seed=1)
    before = time.process_time()
    for _ in range(steps):
        _, _, terminated, _, info = env.step(info["action_mask"].argmax())
        if terminated:
            _, info = env.reset()
    return (time.process_time() - before) / steps * 1e6


def connect_four() -> float | None:
    """PettingZoo's own, if its extra `classic` is installed."""
    try:
        env = importlib.import_module("pettingzoo.classic.connect_four_v3").env()
    except ModuleNotFoundError:
        return None
    return min(turns_microseconds(env) for _ in range(ROUNDS))


def measure_game(game: str, players: int, slots: list[int], seconds: float) -> dict[str, Any]:
    kinds = [(count, kind) for kind in OBSERVATIONS for count in slots]
    envs = [
        BatchEnv(game, count, players=players, threads=1, observation=kind) for count, kind in kinds
    ]
    zoo = SequentialEnv(game, players=players, illegal_ends=True)
    gym = GameEnv(game, players=players)
    playouts = measure(Match(lampion.find_game(game), players), seconds)["decisions_per_second"]
    rounds = [
        [batched_steps(env, seconds, time.process_time) for env in envs] for _ in range(ROUNDS)
    ]
    best = [max(rates) for rates in zip(*rounds, strict=True)]
    steps, compact = best[: len(slots)], best[len(slots) :]
    return {
        "game": game,
        "players": players,
        "slots": slots,
        "batched_steps_per_second": steps,
        "compact_steps_per_second": compact,
        "share_of_playouts": max(steps) / playouts,
        "all_cores_over_one": scaling(game, players, slots[-1], seconds / 2),
        "pettingzoo_microseconds": min(turns_microseconds(zoo) for _ in range(ROUNDS)),
        "gymnasium_microseconds": min(single_microseconds(gym) for _ in range(ROUNDS)),
    }


def report(rows: list[dict[str, Any]], theirs: float | None) -> None:
    heads = (
        "game",
        "players",
        *(f"batched steps/s, one core, {slots} games" for slots in rows[0]["slots"]),
        *(f"compact, {slots} games" for slots in rows[0]["slots"]),
        "of playouts",
        "all cores",
        "PettingZoo turn",
        "Gymnasium step",
    )
    shown = [
        (
            row["game"], str(row["players"]), *(f"{steps:,.0f}" for steps in row["batched_steps_per_second"]),
            *(f"{steps:,.0f}" for steps in row["compact_steps_per_second"]),
            f"{row['share_of_playouts']:.0%}",
            f"× {row['all_cores_over_one']:.2f}", f"{row['pettingzoo_microseconds']:.1f} us", f"{row['gymnasium_microseconds']:.1f} us",
        )
        for row in rows
    ]  # fmt: skip
    show(table(heads, shown))
    if theirs is None:
        print("PettingZoo's connect four needs pettingzoo[classic], which is not installed.")
    else:
        print(f"PettingZoo's connect four: {theirs:.1f} us a turn")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=lampion.game_names())
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--slots", type=int, nargs="+", default=[256, 4096])
    parser.add_argument("--json")
    wanted = parser.parse_args()
    rows = [
        measure_game(game, players, wanted.slots, wanted.seconds)
        for game in wanted.games
        for players in wanted.players
        if players in lampion.find_game(game).NUM_PLAYERS
    ]
    theirs = connect_four()
    report(rows, theirs)
    if wanted.json:
        with open(wanted.json, "w", encoding="utf-8") as file:
            json.dump({"rows": rows, "connect_four_microseconds": theirs}, file, indent=2)


if __name__ == "__main__":
    main()
