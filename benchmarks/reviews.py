"""How good reviews are: what luck they see, whether they find the weakest player, whether what they
say is true, what they cost.

python -m benchmarks.reviews GAME [--players 2] [--games 20] [--seed 100] [--twice 3] [--out FILE]

Plays two games for each seed between the bots' greedy players, in one of them with random play in
one seat, each seat in turn, and prints

    luck        its mean with the standard error, and by how much the variance of the result of
                seat 0 shrinks when luck is taken off (games without random play)
    weakest     in how many games with random play the seat that played so has a higher cost per
                decision than every other; a tie does not count
    agreement   how many of the mistakes found in the first games (--twice) a search of ten times
                the budget and with other random numbers calls mistakes, too
    same three  in how many of these games a review with another seed names the same three costliest
                decisions, and how many of the three are the same
    coach       how many decisions that cost 0.05 or more got a reason; how many sentences were
                said, and how many of them the oracle of the game calls false
    seconds     of processor time for a ledger and for a whole review

With `--out`, a line of JSON is written for each seed, and seeds that are in the file already are not
played again.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import lampion
from lampion.bots.base import Budget
from lampion.bots.search import Greedy
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, Player
from lampion.reviews.judging import Care, Judgement, judged
from lampion.reviews.ledger import ledger_of
from lampion.reviews.reviewing import Review, review
from lampion.reviews.values import PLACE
from tests.reviews.claims import Claim, branch
from tests.support import Case, oracle_of

NOISE = 0.3
"""How much the greedy players misjudge."""
COSTLY = 0.05
OTHER_SEED = Care(seed=1)
MORE_CARE = dataclasses.replace(OTHER_SEED, look=10 * Care.look, weigh=10 * Care.weigh)
Row = dict[str, Any]


def played(game: str, players: int, seed: int, random_seat: Player | None) -> Match:
    """A game between greedy players; one may play at random."""
    match, chooser, rng = lampion.new(game, players, seed=seed), random.Random(seed), new_rng(seed)
    bot = Greedy(net=True, noise=NOISE)
    while not match.is_over:
        seat, legal = match.to_act, match.legal_ids()
        if seat == random_seat:
            match.submit(chooser.choice(legal.tolist()), seat)
        else:
            match.submit(bot.choose(match.seen_from(seat), seat, legal, Budget(), rng), seat)
    return match


def judgements_in(found: Review) -> list[Judgement]:
    return [one.judgement for one in found.decisions]


def confirmed(match: Match, found: Review) -> tuple[int, int]:
    """How many mistakes a longer search confirms, and how many there are."""
    plies = [one.ply for one in judgements_in(found) if one.verdict == "mistake"]
    again = judged(match, care=MORE_CARE, plies=plies)
    return sum(one.verdict == "mistake" for one in again), len(plies)


def same_costliest(match: Match, found: Review) -> tuple[int, int]:
    """How many of the costliest decisions another seed names, too, and how many there are."""
    plies, again = (
        {one.judgement.ply for one in each.costliest}
        for each in (found, review(match, care=OTHER_SEED))
    )
    return len(plies & again), max(len(plies), len(again))


def false_sentences(match: Match, found: Review) -> list[str]:
    """The reasons given that the oracle calls false."""
    checks = importlib.import_module(f"tests.reviews.claims.{match.game.NAME}").CHECKS
    oracle = oracle_of(Case(match.game.NAME, match.players, {}))
    reasons = {one.ply: one for one in judgements_in(found) if one.reasons}
    false = []
    for ply in match.log.standing_plies:
        entry = match.log[ply]
        if one := reasons.get(ply):
            after, better = (branch(oracle, one.seat, text) for text in (one.played, one.best))
            claim = Claim(one.seat, one.played, one.best, oracle, after, better, {})
            false += [
                f"{ply}: {reason}"
                for reason in one.reasons
                if not checks[reason.kind](claim._replace(values=reason.values))
            ]
        oracle.apply("c" if entry.actor == CHANCE else entry.actor, entry.text)
    return false


def coached(match: Match, found: Review) -> Row:
    judgements = judgements_in(found)
    costly = [one for one in judgements if one.verdict == "mistake" and one.cost >= COSTLY]
    return {
        "costly": len(costly),
        "explained": sum(bool(one.reasons) for one in costly),
        "sentences": sum(len(one.reasons) for one in judgements),
        "false": false_sentences(match, found),
    }


def measured(game: str, players: int, seed: int, is_twice: bool) -> Row:
    """What one seed tells."""
    fair = played(game, players, seed, None)
    start = time.process_time()
    ledger = ledger_of(fair)
    ledger_seconds = time.process_time() - start
    random_seat = seed % players
    uneven = played(game, players, seed, random_seat)
    start = time.process_time()
    found = review(uneven)
    review_seconds = time.process_time() - start
    errors = [row.error for row in found.rows]
    most_of_others = max(error for seat, error in enumerate(errors) if seat != random_seat)
    row = {
        "game": game, "players": players, "seed": seed,
        "result": float(ledger.result[0, PLACE]), "luck": float(ledger.luck[0, PLACE]),
        "is_weakest": bool(errors[random_seat] > most_of_others),
        "ledger_seconds": ledger_seconds, "review_seconds": review_seconds,
        **coached(uneven, found),
    }  # fmt: skip
    if is_twice:
        row |= {"confirmed": confirmed(uneven, found), "same": same_costliest(uneven, found)}
    return row


# --- over many games ------------------------------------------------------------------------------


def known_rows(file: Path | None, game: str, players: int) -> dict[int, Row]:
    """What an earlier run measured, by seed. The last line may be cut off."""
    if file is None or not file.exists():
        return {}
    lines = file.read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]
    return {row["seed"]: row for row in rows if (row["game"], row["players"]) == (game, players)}


def rows_of(wanted: argparse.Namespace) -> Iterator[Row]:
    known = known_rows(wanted.out, wanted.game, wanted.players)
    for number in range(wanted.games):
        seed, is_twice = wanted.seed + number, number < wanted.twice
        row = known.get(seed)
        if row is None or (is_twice and "same" not in row):
            row = measured(wanted.game, wanted.players, seed, is_twice)
            if wanted.out:
                with wanted.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
        yield row


def tell(game: str, players: int, rows: Sequence[Row]) -> None:
    luck, results = (np.array([row[name] for row in rows]) for name in ("luck", "result"))
    error, spread = np.std(luck) / len(rows) ** 0.5, np.var(results - luck)
    twice = [row for row in rows if "same" in row]
    print(f"{game}, {players} players, {len(rows)} games")
    print(
        f"  luck       mean {luck.mean():+.4f} ± {error:.4f}, variance ÷ {results.var() / spread:.2f}"
    )
    print(f"  weakest    {sum(row['is_weakest'] for row in rows)} of {len(rows)}")
    if twice:
        agreed, mistakes = np.sum([row["confirmed"] for row in twice], axis=0)
        same, of = np.sum([row["same"] for row in twice], axis=0)
        whole = sum(row["same"][0] == row["same"][1] for row in twice)
        print(f"  agreement  {agreed} of {mistakes} mistakes")
        print(f"  same three {whole} of {len(twice)} games, {same} of {of} decisions")
    explained, costly, said = (
        sum(row[name] for row in rows) for name in ("explained", "costly", "sentences")
    )
    false = [claim for row in rows for claim in row["false"]]
    print(
        f"  coach      {explained} of {costly} costly decisions, {said} sentences, {len(false)} false"
    )
    for claim in false[:10]:
        print(f"             {claim}")
    ledgers, reviews = (
        np.mean([row[f"{name}_seconds"] for row in rows]) for name in ("ledger", "review")
    )
    print(f"  seconds    ledger {ledgers:.2f}, review {reviews:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=lampion.game_names())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--twice", type=int, default=3)
    parser.add_argument("--out", type=Path, default=None)
    wanted = parser.parse_args()
    tell(wanted.game, wanted.players, [*rows_of(wanted)])


if __name__ == "__main__":
    main()
