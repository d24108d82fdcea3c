"""Play the jobs of an arena on all cores, or on a cluster, and keep the results in a file that a later run can resume."""

from __future__ import annotations

import functools
import json
import os
import time
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

from lampion.arena.ratings import GameResult
from lampion.arena.schedule import Job, jobs
from lampion.bots.external import BotFailed
from lampion.bots.levels import BotPlayer, level_bot, make_player
from lampion.bots.sources import sources_of
from lampion.core.errors import InvalidOptions
from lampion.core.fairness import Chance, seed_from_number
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.rng import new_rng

STAND_IN = "greedy"
"""The bot that plays on for one that failed."""


@dataclass(frozen=True)
class Contest:
    """What is played."""

    game: str
    players: int
    bots: tuple[str, ...]
    options: dict[str, str] = field(default_factory=dict)
    first_deal: int = 0
    is_ladder: bool = False
    """Only bots that stand next to each other in the list meet."""

    def check(self) -> None:
        """Refuse bad input before anything is played."""
        if len(self.bots) < 2 or len(set(self.bots)) != len(self.bots):
            raise InvalidOptions(
                "an arena needs at least two different bots", code="too-few-bots", where="--bots"
            )
        if self.is_ladder and len(self.bots) < self.players:
            raise InvalidOptions(
                "a ladder needs at least as many bots as players",
                code="too-few-bots",
                where="--ladder",
            )
        for name in self.bots:
            make_player(name, self.game)
        Match(find_game(self.game), self.players, self.options)

    @property
    def specs(self) -> tuple[str, ...]:
        """The bots behind the names, in this game."""
        return tuple(level_bot(name, self.game) for name in self.bots)

    def jobs(self) -> Iterator[Job]:
        return jobs(len(self.bots), self.players, self.first_deal, self.is_ladder)


@dataclass
class JobResult:
    """All games of one deal with one line-up."""

    number: int
    deal: int
    games: list[GameResult]
    scores: list[list[int]]
    slowest: dict[str, float]
    """Per bot, the longest time for one decision, in seconds."""
    failures: list[str] = field(default_factory=list)
    """Bots that failed: each lost the game in question."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> JobResult:
        games = [GameResult(tuple(game["bots"]), tuple(game["places"])) for game in data["games"]]
        return cls(data["number"], data["deal"], games, data["scores"], data["slowest"],
                   data.get("failures", []))  # fmt: skip


@functools.cache
def _player(name: str, game: str) -> BotPlayer:
    """Bots keep nothing between calls, so one of each per process is enough."""
    return make_player(name, game)


def play_job(contest: Contest, job: Job) -> JobResult:
    result = JobResult(job.number, job.deal, [], [], {})
    for seating in job.seatings:
        failed: dict[int, str] = {}
        match = play_game(contest, job.deal, seating, result.slowest, failed)
        result.games.append(GameResult(seating, forfeited(match.placements, failed)))
        result.scores.append(match.scores)
        result.failures += [f"{contest.bots[seating[seat]]}: {why}" for seat, why in failed.items()]
    return result


def forfeited(places: list[int], lost: Collection[int]) -> tuple[int, ...]:
    """The places when some seats have lost whatever they scored: they share the last ones."""
    ranks = [(seat in lost, 0 if seat in lost else place) for seat, place in enumerate(places)]
    return tuple(1 + sum(other < own for other in ranks) for own in ranks)


def play_game(
    contest: Contest, deal: int, seating: tuple[int, ...], slowest: dict[str, float],
    failed: dict[int, str] | None = None,
) -> Match:  # fmt: skip
    """One game; the draws follow from the deal, the bots' own dice from deal and seat. Seats whose
    bots fail are noted in `failed`, and another bot plays on for them; without it, that raises."""
    match = Match(
        find_game(contest.game),
        contest.players,
        contest.options,
        chance=Chance(seed_from_number(deal)),
    )
    dice = [new_rng(1_000_003 * deal + seat) for seat in range(contest.players)]
    while not match.is_over:
        seat = match.to_act
        name = STAND_IN if failed and seat in failed else contest.bots[seating[seat]]
        player = _player(name, contest.game)
        seen, legal = match.seen_from(seat), match.legal_ids(seat)
        before = time.perf_counter()
        try:
            action = player.bot.choose(seen, seat, legal, player.budget, dice[seat])
        except BotFailed as failure:
            if failed is None:
                raise
            failed[seat] = str(failure)
            continue
        slowest[player.name] = max(
            slowest.get(player.name, 0.0), round(time.perf_counter() - before, 4)
        )
        match.submit(action, seat)
    return match


# --- many jobs --------------------------------------------------------------------------------------------------------------------


def run(
    contest: Contest, num_jobs: int, *, workers: int | None = None, skip: set[int] | None = None
) -> Iterator[JobResult]:
    """The results of the first `num_jobs` jobs as they come, but for those to skip. Uses joblib's current backend."""
    from joblib import Parallel, delayed, effective_n_jobs
    from joblib.parallel import get_active_backend

    wanted = [
        delayed(play_job)(contest, job)
        for job in islice(contest.jobs(), num_jobs)
        if job.number not in (skip or ())
    ]
    workers = workers or -1  # every core here, or all of a cluster
    if get_active_backend()[0].supports_return_generator:
        yield from Parallel(n_jobs=workers, return_as="generator_unordered")(wanted)
        return
    # Ray gives results only when all are there, so it is asked for a few at a time.
    size = 4 * effective_n_jobs(workers)
    for first in range(0, len(wanted), size):
        yield from Parallel(n_jobs=workers)(wanted[first : first + size])


@dataclass(frozen=True)
class Head:
    """The first line of a result file: what was played, and by which bots."""

    contest: Contest
    specs: tuple[str, ...]
    """The bots behind the names. A name alone would not tell: levels are tuned."""
    rules: int
    """RULES_VERSION of the game."""
    sources: str
    """A hash of the rules and the bots (`bots.sources`)."""

    @classmethod
    def of(cls, contest: Contest) -> Head:
        """What would be played now."""
        rules = find_game(contest.game).RULES_VERSION
        return cls(contest, contest.specs, rules, sources_of(contest.game))

    def to_json(self) -> str:
        told = asdict(self)
        return json.dumps({**told.pop("contest"), **told})

    @classmethod
    def from_json(cls, line: str) -> Head:
        told = json.loads(line)
        names = [each.name for each in fields(cls) if each.name != "contest"]
        rest = {name: told.pop(name) for name in names}
        contest = Contest(**{**told, "bots": tuple(told["bots"])})
        return cls(contest, **{**rest, "specs": tuple(rest["specs"])})

    def difference(self, other: Head) -> str:
        """What differs first, in words; empty if nothing does."""
        for part in fields(Contest):
            if getattr(self.contest, part.name) != getattr(other.contest, part.name):
                return f"other {part.name.replace('_', ' ')}"
        pairs = zip(self.contest.bots, self.specs, other.specs, strict=True)
        changed = [
            f"{name} was {ours}, not {theirs}" for name, ours, theirs in pairs if ours != theirs
        ]
        if changed:
            return "; ".join(changed)
        if self.rules != other.rules:
            return f"rules of version {self.rules}"
        return "other sources of rules or bots" if self.sources != other.sources else ""


def read_results(path: Path) -> tuple[Head, list[JobResult]]:
    """A result file; a last line that a crash cut off is left out."""
    *lines, _ = path.read_text("utf-8").split("\n")
    try:
        head = Head.from_json(lines[0])
        found = [JobResult.from_json(json.loads(line)) for line in lines[1:] if line]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        message = "not a file of results, or one that does not say which bots were behind the names"
        raise InvalidOptions(message, code="other-contest", where=str(path)) from None
    return head, found


def write_results(path: Path, head: Head, results: list[JobResult]) -> None:
    lines = [head.to_json(), *(json.dumps(result.to_json()) for result in results)]
    unfinished = path.with_name(f".{path.name}")
    unfinished.write_text("\n".join(lines) + "\n", "utf-8")
    os.replace(unfinished, path)


class ResultFile:
    """Results as JSON lines: a `Head`, then a line per job. Resumes from a file that exists, unless
    its games are those of another contest or of other bots; with `any_sources`, the sources of
    the bots may be others."""

    def __init__(self, path: Path, contest: Contest, *, any_sources: bool = False) -> None:
        self.path = path
        self.results: list[JobResult] = []
        self.head = Head.of(contest)
        if path.exists() and path.stat().st_size:
            before, self.results = read_results(path)
            sources = before.sources if any_sources else self.head.sources
            self.head = replace(self.head, sources=sources)
            if difference := before.difference(self.head):
                message = f"this file holds the results of another contest: {difference}"
                raise InvalidOptions(message, code="other-contest", where=str(path))
        self.keep(self.results)  # A line that was cut off by a crash is played again.

    def keep(self, results: list[JobResult]) -> None:
        """These results and no others."""
        self.results = list(results)
        write_results(self.path, self.head, self.results)

    def stamp(self) -> None:
        """Say that the bots of today play the same."""
        self.head = Head.of(self.head.contest)
        self.keep(self.results)

    def add(self, result: JobResult) -> None:
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(result.to_json()) + "\n")
        self.results.append(result)

    @property
    def done(self) -> set[int]:
        return {result.number for result in self.results}
