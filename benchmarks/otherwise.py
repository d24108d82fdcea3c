"""What a bot gains by differing from another: the game goes on from the moves of both, and the
difference between the results is what the bot gains per decision.

    python -m benchmarks.otherwise lumens search:50000 search:50000,exploration=0.2

Decisions are those of two-player games between searches. Both moves are followed by the same
guesses and the same random numbers; all players play on as `net` does, to the end. So the numbers
say who is right if play goes on like that, which is far from perfect: they show large errors, and
settings that are tuned on them are tuned to `net`. Where both bots play the same nothing is rolled,
so a comparison costs as much as the bots disagree.
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from benchmarks.yardstick import PLAYERS, choice, replayed, strong_game
from lampion.bots.net import load_weights
from lampion.bots.search import SearchSettings
from lampion.bots.utility import by_placement
from lampion.core.facts import EVALUATED_PLAYOUT, TO_THE_END
from lampion.core.match import Match
from lampion.core.types import Action
from lampion.research.rolling import MARGIN_SHARE, roll_out

FIRST_DEAL, FIRST_PLY, PER_GAME = 20_001, 6, 6
PLAYING = SearchSettings(playout=EVALUATED_PLAYOUT, cutoff=TO_THE_END).record()


def decisions(game: str, wanted: int) -> list[Match]:
    """Decisions between at least three moves, some of every game."""
    found: list[Match] = []
    deal = FIRST_DEAL
    while len(found) < wanted:
        actions, kept = strong_game(game, deal), 0
        for ply in np.random.default_rng(deal).permutation(len(actions)):
            match = replayed(game, deal, tuple(actions[:ply]))
            if ply >= FIRST_PLY and kept < PER_GAME and len(match.legal_ids()) > 2:
                found.append(match)
                kept += 1
        deal += 1
    return found[:wanted]


def utilities(match: Match, move: Action, games: int, seed: int) -> npt.NDArray[np.float64]:
    """Of the player to act at the end of games after a move, which `net` plays for all."""
    seat, seen, out = match.to_act, match.seen_from(match.to_act), np.zeros(games)
    states = np.zeros(2, seen.dtype)
    root = seen.batch[seen.index : seen.index + 1]
    states[0] = root[0]
    legal = np.zeros(match.game.ACTIONS.size, np.int32)
    dice = np.random.default_rng(seed).integers(2**63, size=games).astype(np.uint64)
    weights = load_weights(match.game.NAME, PLAYERS)
    roll_out(
        root, states, seat, move, legal, weights, PLAYING, by_placement(MARGIN_SHARE), dice, out
    )
    return out


def gain(match: Match, move: Action, other: Action, games: int, seed: int) -> float:
    if move == other:
        return 0.0
    more = utilities(match, move, games, seed) - utilities(match, other, games, seed)
    return float(more.mean())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("bots", nargs="+", help="the first is what the others are compared with")
    parser.add_argument("--positions", type=int, default=240, metavar="N")
    parser.add_argument("--games", type=int, default=250, metavar="N", help="after each move")
    given = parser.parse_args()
    known = decisions(given.game, given.positions)
    print(f"{given.game}: {len(known)} decisions, {PLAYERS} players")
    print(f"{'bot':<44} {'otherwise':>9} {'gain per decision':>18} {'s/move':>8}")
    first: list[Action] = []
    for bot in given.bots:
        found = [choice(match, bot, number) for number, match in enumerate(known)]
        moves = [move for move, _ in found]
        first = first or moves
        gains = np.array(
            [
                gain(match, move, other, given.games, number)
                for number, (match, move, other) in enumerate(zip(known, moves, first, strict=True))
            ]
        )
        half = 1.96 * gains.std(ddof=1) / len(gains) ** 0.5
        seconds = np.mean([spent for _, spent in found])
        print(
            f"{bot:<44} {np.mean(np.not_equal(moves, first)):>9.1%}"
            f" {gains.mean():>+9.4f} ± {half:.4f} {seconds:>8.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
