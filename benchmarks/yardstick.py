"""Absolute yardsticks of strength: positions whose moves have known values.

    python -m benchmarks.yardstick ends lanterns search:0.2s search:0.2s,net=0
    python -m benchmarks.yardstick ends lumens --make 300
    python -m benchmarks.yardstick agreement lumens search:2000 search:10000 search:50000

*Ends* are positions near the end of two-player games in which the player to act knows everything
that matters and the rest of the game has been solved (`lampion.bots.solver`), chance by expectation.
For each bot the command prints in how many of them it plays the optimum, in how many it gives a
result away, and how much it loses on average. Values are placements, 0 to 1, with the margin in
points as the tie-break; a result is given away when the placement alone becomes worse.

*Agreement* says how often each bot plays what the bot before it in the list plays, in decisions of
games between searches. It says nothing about who is right: where a longer search nearly always
agrees with a shorter one, more time cannot make it much stronger.

Ends are kept in `benchmarks/yardsticks/GAME-ends.jsonl`, one game a line: deal and actions, from
which a match is played again, and the values of all moves at some of its plies.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from lampion.bots.ends import TIE_BREAK, EndSolver
from lampion.bots.levels import make_player
from lampion.core.fairness import Chance, seed_from_number
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.rng import new_rng

FOLDER = Path(__file__).parent / "yardsticks"
PLAYERS = 2
STRONG_PLAY = "search:100"
NODES = 3_000_000
"""Positions that solving one decision may take: about half a second."""
LAST_DECISIONS = 14
PER_GAME = 2
"""Decisions of one game that are kept, so that no game weighs much."""
DIGITS = 9
FIRST_DEAL = 40_001
"""Of the games whose decisions bots agree on or not."""
DECISIONS_PER_GAME = 6
GIVEN_AWAY = 100 * TIE_BREAK
"""A loss larger than this is one of placement."""


@dataclass(frozen=True)
class Position:
    """A decision whose moves have known values."""

    game: str
    deal: int
    actions: tuple[int, ...]
    seat: int
    values: dict[int, float]

    @property
    def best(self) -> float:
        return max(self.values.values())

    def match(self) -> Match:
        return replayed(self.game, self.deal, self.actions)


def replayed(game: str, deal: int, actions: tuple[int, ...], players: int = PLAYERS) -> Match:
    """A match after these actions of its players; chance follows from the deal."""
    match = Match(find_game(game), players, chance=Chance(seed_from_number(deal)))
    for action in actions:
        match.submit(action, match.to_act)
    return match


# --- making them ----------------------------------------------------------------------------------


def strong_game(game: str, deal: int, players: int = PLAYERS) -> list[int]:
    """The actions of a game between searches."""
    player = make_player(STRONG_PLAY, game)
    match = Match(find_game(game), players, chance=Chance(seed_from_number(deal)))
    dice, actions = new_rng(deal), []
    while not match.is_over:
        seat = match.to_act
        actions.append(
            int(
                player.bot.choose(
                    match.seen_from(seat), seat, match.legal_ids(seat), player.budget, dice
                )
            )
        )
        match.submit(actions[-1], seat)
    return actions


def solved(match: Match) -> dict[int, float] | None:
    """The exact values of all moves of the player to act, where that is possible and they differ."""
    seat, legal = match.to_act, match.legal_ids()
    solver = EndSolver(match.seen_from(seat))
    if len(legal) < 2 or solver.plan(seat, NODES, seed=1) != 1:
        return None
    values = solver.solve(seat, legal, 1, NODES, seed=1, only_best=False)
    if values is None or values.max() - values.min() < GIVEN_AWAY:
        return None
    return {
        int(action): round(float(value), DIGITS)
        for action, value in zip(legal, values, strict=True)
    }


def end_positions(game: str, deal: int) -> dict[str, Any] | None:
    """A line of the file: a game, and those of its last decisions that matter, the earliest first."""
    actions = strong_game(game, deal)
    found: list[dict[str, Any]] = []
    for ply in range(max(0, len(actions) - LAST_DECISIONS), len(actions)):
        values = solved(replayed(game, deal, tuple(actions[:ply])))
        if values:
            found.append({"ply": ply, "values": values})
        if len(found) == PER_GAME:
            break
    if not found:
        return None
    return {"deal": deal, "actions": actions[: found[-1]["ply"]], "positions": found}


def make(game: str, wanted: int) -> None:
    """Play games until there are so many positions; resumes from the file if it exists."""
    path = FOLDER / f"{game}-ends.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    known = [json.loads(line) for line in lines]
    found = sum(len(line["positions"]) for line in known)
    deal = max((line["deal"] for line in known), default=0) + 1
    with path.open("a") as file:
        while found < wanted:
            deals = range(deal, deal + 16)
            for line in Parallel(n_jobs=-1)(delayed(end_positions)(game, each) for each in deals):
                if line:
                    file.write(json.dumps(line, separators=(",", ":")) + "\n")
                    found += len(line["positions"])
            file.flush()
            deal += len(deals)
            print(f"{game}: {found} positions after {deal - 1} games", file=sys.stderr)


# --- measuring ------------------------------------------------------------------------------------


def positions(game: str) -> Iterator[Position]:
    for text in (FOLDER / f"{game}-ends.jsonl").read_text().splitlines():
        line = json.loads(text)
        for each in line["positions"]:
            actions = tuple(line["actions"][: each["ply"]])
            values = {int(action): value for action, value in each["values"].items()}
            seat = replayed(game, line["deal"], actions).to_act
            yield Position(game, line["deal"], actions, seat, values)


def loss(position: Position, bot: str) -> tuple[float, float]:
    """What a bot loses here, and the processor time it took."""
    player, match = make_player(bot, position.game), position.match()
    seen, legal = match.seen_from(position.seat), match.legal_ids(position.seat)
    start = time.process_time()
    action = player.bot.choose(seen, position.seat, legal, player.budget, new_rng(position.deal))
    return position.best - position.values[int(action)], time.process_time() - start


def interval(share: float, count: int) -> float:
    """Half of a 95 % interval of a share (Wilson's, made symmetric around the share)."""
    z = 1.96
    return z / (1 + z * z / count) * math.sqrt(
        share * (1 - share) / count + z * z / (4 * count * count)
    )  # fmt: skip


def measure(game: str, bots: list[str], jobs: int) -> None:
    known = list(positions(game))
    print(f"{game}: {len(known)} ends, two players")
    print(f"{'bot':<36} {'optimum':>14} {'given away':>14} {'mean loss':>10} {'s/move':>8}")
    for bot in bots:
        found = Parallel(n_jobs=jobs)(delayed(loss)(position, bot) for position in known)
        losses, seconds = np.array(found).T
        optimal = float(np.mean(losses < TIE_BREAK / 1000))
        given = float(np.mean(losses > GIVEN_AWAY))
        print(
            f"{bot:<36} {shown(optimal, len(known)):>14} {shown(given, len(known)):>14}"
            f" {losses.mean():>10.4f} {seconds.mean():>8.3f}",
            flush=True,
        )


def shown(share: float, count: int) -> str:
    return f"{100 * share:.1f} ± {100 * interval(share, count):.1f} %"


# --- agreement ------------------------------------------------------------------------------------


def decisions(game: str, wanted: int) -> list[Match]:
    """Decisions between at least two moves in games between searches, at random."""
    found: list[Match] = []
    deal = FIRST_DEAL
    while len(found) < wanted:
        actions, kept = strong_game(game, deal), 0
        for ply in np.random.default_rng(deal).permutation(len(actions)):
            match = replayed(game, deal, tuple(actions[:ply]))
            if len(match.legal_ids()) > 1 and kept < DECISIONS_PER_GAME:
                found.append(match)
                kept += 1
        deal += 1
    return found[:wanted]


def choice(match: Match, bot: str, seed: int) -> tuple[int, float]:
    """What a bot plays, and the processor time it took."""
    player, seat = make_player(bot, match.game.NAME), match.to_act
    seen, legal = match.seen_from(seat), match.legal_ids()
    start = time.process_time()
    action = player.bot.choose(seen, seat, legal, player.budget, new_rng(seed))
    return int(action), time.process_time() - start


def agreement(game: str, bots: list[str], wanted: int, jobs: int) -> None:
    """Each bot has its own seeds, so naming a bot twice shows the effect of chance alone."""
    known = decisions(game, wanted)
    print(f"{game}: {len(known)} decisions, two players")
    print(f"{'bot':<36} {'as the one before':>18} {'s/move':>8}")
    before: list[int] = []
    for place, bot in enumerate(bots):
        seeds = range(place * len(known), (place + 1) * len(known))
        found = Parallel(n_jobs=jobs)(map(delayed(choice), known, repeat(bot), seeds))
        actions = [action for action, _ in found]
        same = float(np.mean(np.equal(actions, before))) if before else 1.0
        seconds = float(np.mean([spent for _, spent in found]))
        agreed = shown(same, len(known)) if before else ""
        print(f"{bot:<36} {agreed:>18} {seconds:>8.3f}", flush=True)
        before = actions


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=["ends", "agreement"])
    parser.add_argument("game")
    parser.add_argument("bots", nargs="*", help="bots by name, as `lampion arena` takes them")
    parser.add_argument("--make", type=int, default=0, metavar="N", help="find N positions first")
    parser.add_argument("--jobs", type=int, default=1, help="bots side by side (default: 1)")
    parser.add_argument(
        "--positions", type=int, default=240, metavar="N", help="decisions to agree on (240)"
    )
    given = parser.parse_intermixed_args()
    if given.kind == "agreement":
        agreement(given.game, given.bots, given.positions, given.jobs)
        return
    if given.make:
        make(given.game, given.make)
    if given.bots:
        measure(given.game, given.bots, given.jobs)


if __name__ == "__main__":
    main()
