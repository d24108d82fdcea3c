"""What keeping the tree between moves would save: the share of the iterations of a search that went
through what then happened, up to the next decision of the same seat.

    python -m benchmarks.reuse lanterns lanterns_dice lumens --iterations 10000

Bots keep nothing between calls (docs/bots.md). This is what they give up by it, were every kept
visit worth a new one: a share of 0.1 is a tenth more time. Decisions are those of games between
searches; those with one legal action do not count.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.yardstick import PLAYERS, replayed, strong_game
from lampion.bots import tree
from lampion.bots.base import Budget, Stop
from lampion.bots.knowledge import action_key
from lampion.bots.search import Clock, Search, Workspace
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, Player

FIRST_DEAL = 30_001


class Kept:
    """The tree of a seat's last search, and the node where the game stands in it."""

    def __init__(self, match: Match, seat: Player, iterations: int, seed: int) -> None:
        budget, search, dice = Budget(iterations=iterations), Search(exact=0.0), new_rng(seed)
        seen, legal = match.seen_from(seat), match.legal_ids(seat)
        self.work: Workspace = search.plant(seen, seat, legal, budget, dice)
        for _ in search.iterate(self.work, seat, budget, Clock(None), dice, Stop()):
            pass
        self.node = tree.ROOT

    def follow(self, key: int) -> None:
        """Step to the child with this key, if the game still is in the tree."""
        if self.node != tree.NO_NODE:
            child = int(self.work.nodes[self.node]["first_child"])
            while child != tree.NO_NODE and int(self.work.nodes[child]["key"]) != key:
                child = int(self.work.nodes[child]["next_sibling"])
            self.node = child

    @property
    def share(self) -> float:
        if self.node == tree.NO_NODE:
            return 0.0
        nodes = self.work.nodes
        return float(nodes[self.node]["visits"] / nodes[tree.ROOT]["visits"])


def shares(game: str, deal: int, iterations: int) -> list[float]:
    """By decision after the first one of its seat: what would have been kept."""
    finished = replayed(game, deal, tuple(strong_game(game, deal)))
    trees: dict[Player, Kept] = {}
    found = []
    for ply, entry, position in finished.walk():
        seat = entry.actor
        if seat != CHANCE and len(position.legal_ids(seat)) > 1:
            if seat in trees:
                found.append(trees[seat].share)
            trees[seat] = Kept(finished.at(ply), seat, iterations, deal)
        for owner, kept in trees.items():
            kept.follow(int(action_key(position.state, seat, entry.action, owner)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="+")
    parser.add_argument("--iterations", type=int, default=10_000, help="of each search")
    parser.add_argument("--number", type=int, default=2, metavar="N", help="games of each kind")
    given = parser.parse_args()
    print(f"{'game':<16} {'decisions':>9} {'kept, mean':>10} {'nothing':>8} {'half or more':>13}")
    for game in given.games:
        found = np.array(
            [
                share
                for deal in range(FIRST_DEAL, FIRST_DEAL + given.number)
                for share in shares(game, deal, given.iterations)
            ]
        )
        print(
            f"{game:<16} {len(found):>9} {found.mean():>10.1%} {np.mean(found == 0):>8.1%}"
            f" {np.mean(found >= 0.5):>13.1%}",
            flush=True,
        )
    print(f"{PLAYERS} players")


if __name__ == "__main__":
    main()
