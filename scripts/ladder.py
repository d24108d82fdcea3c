"""`make ladder`: rate all levels in all games for 2, 3 and 4 players, and write docs/ladder.md.

python -m scripts.ladder                             play what is missing, and write the page
python -m scripts.ladder lumens --players 2 --deals 80   more deals of one table
python -m scripts.ladder --check 2                   replay two deals of every line-up: do they come out as they are in the files?
python -m scripts.ladder --check 2 --forget          forget line-ups that do not, and those of levels that were tuned since then;
                                                     the rest then counts as played by the bots of today

Results are kept in docs/ladder/GAME-PLAYERS.jsonl, with the bots that played them. A run that was interrupted resumes, and so does
one with more deals.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import lampion
from lampion.arena.ratings import Rating, ratings
from lampion.arena.report import ladder_plot
from lampion.arena.run import Contest, Head, JobResult, ResultFile, read_results, run, write_results
from lampion.arena.schedule import neighbors
from lampion.bots.levels import LEVELS
from lampion.core.errors import InvalidOptions, LampionError
from lampion.core.game import facts_of, find_game
from lampion.terminal import note, progress

FOLDER = Path(__file__).parent.parent / "docs" / "ladder"
PAGE = FOLDER.with_suffix(".md")
NUM_PLAYERS = (2, 3, 4)
TOP = LEVELS[-1].name
ANCHOR = "planner"
MORE_DEALS = 4
HELP = """`python -m scripts.ladder --check 2` tells what today's bots play otherwise; with --forget, such results are forgotten."""

HEAD = """# The ladder of the levels

Elo of every level by game and number of players, with 95 % intervals. Made by

```console
$ make ladder
```

from the results in `docs/ladder`, which it continues (`python -m scripts.ladder --deals 80` plays more).
`python -m scripts.ladder --check 2` replays two deals of every line-up and tells where today's bots play otherwise.

- **Who plays whom.** Only levels that stand next to each other meet: two, three or four neighbors at a table. Each deal goes once
  round the table, so every level sits in every seat.
- **Ratings** are Bradley-Terry strengths on the places of every pair at a table, given as Elo. `{anchor}` has 0 in every table, and
  intervals are those of the difference to it; they come from resampling whole deals.
- **The top level is rated below its strength.** `master` searches two seconds a move, which is many thousand iterations. Rated was
  a search with the number of iterations in the table, which gives the same result on every machine and takes a tenth of the time or
  less: its rating is a lower bound.
- **What is missing** has not been played since the levels were tuned: a table appears when all of its line-ups have met.
- **Whose results these are.** Every file says which bots stood behind the levels, and has a hash of their sources; the command
  refuses to mix results of others with them.
- `won` is the share of all comparisons with the next lower level that the level won, with its 95 % interval. Where that is 100 %, the
  difference in Elo is a lower bound and its interval says nothing.
"""


def stand_in(game: str) -> str:
    return facts_of(find_game(game)).rated_top


def result_path(game: str, players: int) -> Path:
    return FOLDER / f"{game}-{players}.jsonl"


def contest(game: str, players: int) -> Contest:
    return Contest(
        game,
        players,
        (*(level.name for level in LEVELS if level.name != TOP), stand_in(game)),
        is_ladder=True,
    )


def play(game: str, players: int, deals: int, jobs: int | None) -> None:
    """The line-up with the top level plays so many deals, the others, which cost little, MORE_DEALS times as many."""
    asked = contest(game, players)
    file = ResultFile(result_path(game, players), asked)
    line_ups = len(neighbors(len(asked.bots), players))
    jobs_of_top = range(line_ups - 1, MORE_DEALS * deals * line_ups, line_ups)
    skip = file.done | set(jobs_of_top[deals:])
    total = MORE_DEALS * deals * line_ups
    with progress(f"{game}, {players} players", len(set(range(total)) - skip)) as advance:
        for result in run(asked, total, workers=jobs, skip=skip):
            file.add(result)
            advance(1)


def forget_changed(path: Path, asked: Contest) -> None:
    """Keep the results of line-ups whose bots are those of today, wherever the file can tell."""
    if not path.exists():
        return
    head, results = read_results(path)
    now = Head.of(asked)
    if head.specs == now.specs or len(head.specs) != len(now.specs):
        return
    changed = {k for k, spec in enumerate(now.specs) if head.specs[k] != spec}
    left = [each for each in results if changed.isdisjoint(each.games[0].bots)]
    note(
        f"{path.name}: {len(results) - len(left)} deals of levels that were tuned since then are forgotten"
    )
    write_results(path, replace(now, rules=head.rules, sources=head.sources), left)


def check(game: str, players: int, deals: int, jobs: int | None, forget: bool) -> bool:
    """Replay the first deals of every line-up; whether all come out as they are in the file."""
    asked, path = contest(game, players), result_path(game, players)
    if not path.exists():
        note(f"{game}, {players} players: not played yet")
        return True
    if forget:
        forget_changed(path, asked)
    file = ResultFile(path, asked, any_sources=True)
    kept = {result.number: result for result in file.results}
    line_ups = neighbors(len(asked.bots), players)
    total = deals * len(line_ups)
    again = list(run(asked, total, workers=jobs, skip=set(range(total)) - kept.keys()))
    others = {
        result.number % len(line_ups)
        for result in again
        if (result.games, result.scores) != (kept[result.number].games, kept[result.number].scores)
    }
    names = "; ".join(
        ", ".join(asked.bots[bot] for bot in line_ups[which]) for which in sorted(others)
    )
    note(
        f"{game}, {players} players: {len(again)} deals replayed, {f'otherwise: {names}' if others else 'all as before'}"
    )
    if forget:
        file.keep([one for one in file.results if one.number % len(line_ups) not in others])
        file.stamp()
    return not others


class Found:
    """What the result file of a game and a number of players says, in the order of the levels."""

    def __init__(self, game: str, players: int) -> None:
        head, results = read_results(result_path(game, players))
        asked = Head.of(contest(game, players))
        if (head.contest, head.specs, head.rules) != (asked.contest, asked.specs, asked.rules):
            path = result_path(game, players)
            message = f"these are not the levels of today: {head.difference(asked)}"
            raise InvalidOptions(message, code="other-contest", where=str(path))
        # Which deal was ready first changes nothing.
        self.results = sorted(results, key=lambda result: result.number)
        self.head, self.game, self.players = head, game, players
        clusters = [result.games for result in self.results]
        has_met = {bot for games in clusters for game in games for bot in game.bots}
        self.is_complete = len(has_met) == len(LEVELS)

    def ratings(self) -> list[Rating]:
        clusters = [result.games for result in self.results]
        return ratings(clusters, [level.name for level in LEVELS], samples=500, anchor=ANCHOR)

    def won(self, level: int) -> tuple[float, float]:
        """The share of comparisons with the next lower level, and half its interval."""
        deals = [won_in(result, level) for result in self.results]
        shares = [share for share in deals if share is not None]
        mean = sum(shares) / len(shares)
        spread = sum((share - mean) ** 2 for share in shares) / max(len(shares) - 1, 1)
        return mean, 1.96 * math.sqrt(spread / len(shares))

    def table(self, found: list[Rating]) -> str:
        games = sum(len(result.games) for result in self.results)
        stamp = self.head.sources[:12]
        lines = [
            f"{self.players} players, {len(self.results)} deals, {games} games, sources `{stamp}`",
            "",
        ]
        lines += ["| level | bot | Elo | 95 % | won |", "|---|---|---|---|---|"]
        for number, rating in reversed(list(enumerate(found))):
            interval = f"{rating.low:+.0f} … {rating.high:+.0f}"
            share = as_share(*self.won(number)) if number else ""
            lines.append(
                f"| {rating.bot} | `{self.head.specs[number]}` | {rating.elo:+.0f} | {interval} | {share} |"
            )
        if unclear := overlapping(found):
            lines += ["", f"Not apart yet at 95 %: {'; '.join(unclear)}."]
        return "\n".join(lines) + "\n"


def as_share(mean: float, half: float) -> str:
    return f"{100 * mean:.0f} % ± {100 * half:.0f}"


def won_in(result: JobResult, level: int) -> float | None:
    """The share of the games of a deal in which a level was placed before the next lower one."""
    points = []
    for game in result.games:
        places = dict(zip(game.bots, game.places, strict=True))
        if level in places and level - 1 in places:
            ours, theirs = places[level], places[level - 1]
            points.append((ours < theirs) + 0.5 * (ours == theirs))
    return sum(points) / len(points) if points else None


def overlapping(found: list[Rating]) -> list[str]:
    """Neighbors whose intervals overlap: more deals are needed to tell them apart."""
    return [
        f"{lower.bot} and {upper.bot}"
        for lower, upper in pairwise(found)
        if lower.high >= upper.low
    ]


def stored(game: str) -> list[Found]:
    """The tables of a game in which every level has played."""
    there = [players for players in NUM_PLAYERS if result_path(game, players).exists()]
    return [found for players in there if (found := Found(game, players)).is_complete]


def write() -> None:
    parts = [HEAD.format(anchor=ANCHOR)]
    for game in lampion.game_names():
        found = {one.players: (one, one.ratings()) for one in stored(game)}
        if found:
            title = lampion.find_game(game).TITLE
            picture = FOLDER / f"{game}.svg"
            lines = {players: ratings for players, (_, ratings) in found.items()}
            picture.write_text(ladder_plot(title, lines), "utf-8")
            parts += [
                f"\n## {title}\n\n![Elo of the levels](ladder/{picture.name})\n",
                *(one.table(ratings) for one, ratings in found.values()),
            ]
    PAGE.write_text("\n".join(parts), "utf-8")


def positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help="all of them if none is given")
    parser.add_argument("--players", type=int, nargs="*", choices=NUM_PLAYERS, default=NUM_PLAYERS)
    parser.add_argument(
        "--deals", type=positive, default=40, help="deals of the line-up with the top level"
    )
    parser.add_argument(
        "--jobs", type=int, default=None, help="processes; one per core if not given"
    )
    parser.add_argument(
        "--write-only", action="store_true", help="play nothing, only write the page"
    )
    parser.add_argument(
        "--check",
        type=positive,
        metavar="DEALS",
        help="play so many deals of every line-up again and compare",
    )
    parser.add_argument(
        "--forget",
        action="store_true",
        help="with --check: forget line-ups that come out otherwise or whose levels were tuned since then",
    )
    arguments = parser.parse_args()
    if arguments.forget and not arguments.check:
        parser.error("--forget goes with --check")
    if unknown := set(arguments.games) - set(lampion.game_names()):
        parser.error(
            f"no such game: {', '.join(sorted(unknown))}; there are {', '.join(lampion.game_names())}"
        )
    FOLDER.mkdir(exist_ok=True)
    tables = [
        (game, players)
        for players in arguments.players
        for game in arguments.games or lampion.game_names()
    ]
    try:
        carry_out(arguments, tables)
    except LampionError as refused:
        parser.exit(1, f"{refused}\n{HELP}\n")


def carry_out(arguments: argparse.Namespace, tables: list[tuple[str, int]]) -> None:
    if arguments.check:
        found = [
            check(*table, arguments.check, arguments.jobs, arguments.forget) for table in tables
        ]
        raise SystemExit(not all(found))
    if not arguments.write_only:
        for table in tables:
            play(*table, arguments.deals, arguments.jobs)
    write()


if __name__ == "__main__":
    main()
