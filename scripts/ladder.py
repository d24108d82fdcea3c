"""`make ladder`: rate all levels in all games for 2, 3 and 4 players, and write docs/ladder.md.

python -m scripts.ladder                             play what is missing, and write the page
python -m scripts.ladder lumens --players 2 --deals 80   more deals of one table
python -m scripts.ladder --check 2                   play two deals of every line-up again: do they come out as they are in the files?
python -m scripts.ladder --check 2 --forget          and forget the results of line-ups that do not

Results are kept in docs/ladder/GAME-PLAYERS.jsonl. A run that was interrupted goes on there, and so does one with more deals.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import lampion
from lampion.arena.ratings import Rating, ratings
from lampion.arena.report import ladder_plot
from lampion.arena.run import Contest, ResultFile, run
from lampion.arena.schedule import neighbors
from lampion.bots.levels import LEVELS, level_bot
from lampion.core.game import facts_of, find_game
from lampion.terminal import note, progress

FOLDER = Path(__file__).parent.parent / "docs" / "ladder"
PAGE = FOLDER.with_suffix(".md")
NUM_PLAYERS = (2, 3, 4)
TOP = LEVELS[-1].name
ANCHOR = "planner"
MORE_DEALS = 4
PLAYED_WITH = "beb8152"
"""The commit whose bots played the results in docs/ladder; change it, and the words in HEAD, when they
are played again."""

HEAD = """# The ladder of the levels

Elo of every level for every game and number of players, with 95 % intervals. Made by

```console
$ make ladder
```

from the results in `docs/ladder`, which it continues (`python -m scripts.ladder --deals 80` plays more).
`python -m scripts.ladder --check 2` plays two deals of every line-up again and tells where today's bots play otherwise.

- **Who plays whom.** Only levels that stand next to each other meet: two, three or four neighbors at a table. Each deal goes once
  round the table, so every level sits in every seat.
- **Ratings** are Bradley-Terry strengths on the places of every pair at a table, given as Elo. `{anchor}` has 0 in every table, and
  intervals are those of the difference to it; they come from resampling whole deals.
- **The top level is rated below its strength.** `master` searches two seconds a move, which is many thousand iterations on a quiet
  core. Rated was a search with the number of iterations in the table, which gives the same result on every machine and takes a tenth
  of the time or less: its rating is a lower bound.
- **When they were played.** On 16 November 2026, with the bots of commit {commit}. Since then, searches
  solve the ends of games and guided trees give moves to every tile, so line-ups with `planner` and
  `master` come out otherwise today; those of `novice`, `learner` and `careful` alone do not. The
  ratings of the two upper levels are those of the bots before that.
- Where a level won every game against the next lower one, that gap is a lower bound too, and its interval says nothing.
- `won` is the share of all comparisons with the next lower level that the level won.
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


def check(game: str, players: int, deals: int, jobs: int | None, forget: bool) -> bool:
    """Play the first deals of every line-up again; whether all come out as they are in the file."""
    asked = contest(game, players)
    file = ResultFile(result_path(game, players), asked)
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
        f"{game}, {players} players: {len(again)} deals again, {f'otherwise: {names}' if others else 'all as before'}"
    )
    if forget and others:
        file.keep(
            [result for result in file.results if result.number % len(line_ups) not in others]
        )
    return not others


class Found:
    """What the result file of a game and a number of players says, in the order of the levels."""

    def __init__(self, game: str, players: int) -> None:
        path = result_path(game, players)
        found = ResultFile(path, contest(game, players)).results if path.exists() else []
        self.results = sorted(
            found, key=lambda result: result.number
        )  # which was ready first changes nothing
        self.game, self.players = game, players
        names = [level.name for level in LEVELS]
        clusters = [result.games for result in self.results]
        has_met = {bot for games in clusters for game in games for bot in game.bots}
        everybody_has = len(has_met) == len(names)
        self.ratings: list[Rating] = (
            ratings(clusters, names, samples=500, anchor=ANCHOR) if everybody_has else []
        )

    def won(self, level: int) -> str:
        """The share of comparisons with the next lower level."""
        points = games = 0.0
        for game in (game for result in self.results for game in result.games):
            places = dict(zip(game.bots, game.places, strict=True))
            if level in places and level - 1 in places:
                points += (places[level] < places[level - 1]) + 0.5 * (
                    places[level] == places[level - 1]
                )
                games += 1
        return f"{100 * points / games:.0f} %" if games else ""

    def overlapping(self) -> list[str]:
        """Neighbors whose intervals overlap: more deals are needed to tell them apart."""
        return [
            f"{lower.bot} and {upper.bot}"
            for lower, upper in pairwise(self.ratings)
            if lower.high >= upper.low
        ]

    def table(self) -> str:
        games = sum(len(result.games) for result in self.results)
        lines = [f"{self.players} players, {len(self.results)} deals, {games} games", ""]
        lines += ["| level | bot | Elo | 95 % | won |", "|---|---|---|---|---|"]
        for number, rating in reversed(list(enumerate(self.ratings))):
            bot = stand_in(self.game) if rating.bot == TOP else level_bot(rating.bot)
            interval = f"{rating.low:+.0f} … {rating.high:+.0f}"
            lines.append(
                f"| {rating.bot} | `{bot}` | {rating.elo:+.0f} | {interval} | {self.won(number)} |"
            )
        if unclear := self.overlapping():
            lines += ["", f"Not apart yet at 95 %: {'; '.join(unclear)}."]
        return "\n".join(lines) + "\n"


def write() -> None:
    parts = [HEAD.format(anchor=ANCHOR, commit=PLAYED_WITH)]
    for game in lampion.game_names():
        found = [one for one in (Found(game, players) for players in NUM_PLAYERS) if one.ratings]
        if found:
            title = lampion.find_game(game).TITLE
            picture = FOLDER / f"{game}.svg"
            picture.write_text(
                ladder_plot(title, {one.players: one.ratings for one in found}), "utf-8"
            )
            parts += [
                f"\n## {title}\n\n![Elo of the levels](ladder/{picture.name})\n",
                *(one.table() for one in found),
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
        help="with --check: forget the results of line-ups that come out otherwise",
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
