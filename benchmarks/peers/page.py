"""The page docs/benchmarks.md, made from the figures of one run."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from benchmarks.peers.worker import BATCH, FROM_PYTHON, ROLLOUTS, SEARCH

SAME_GAMES = {"connect_four": "Connect Four", "hex": "Hex, 11 x 11"}
LAMPION = "lampion"

HEAD = """# Benchmarks

Lampion beside other engines, all measured in one run on one machine ({cores} cores, {machine}, Python {python}). This page is
written by `make bench-peers`; do not edit it. Absolute figures differ from machine to machine, ratios much less.

- Play is random: at every decision the engine says what is legal, and one of it is chosen with equal probability. Only players'
  decisions are counted, not those of chance.
- *One core*: one process bound to a core, per second of processor time. *All cores*: a process bound to each core at the same time,
  the rates of all added up.
- Peers run in environments of their own with pinned versions, through the loops that their documentation shows; the workers are in
  `benchmarks/peers`. Pgx is made for accelerators and is measured on the CPU, with the best of several batch sizes.
"""


class Figure(NamedTuple):
    engine: str
    is_ours: bool
    game: str
    how: str
    note: str
    one_core: float
    games: float
    all_cores: float


class Requirement(NamedTuple):
    what: str
    asked: float
    ratio: float | None

    @property
    def holds(self) -> bool:
        return self.ratio is None or self.ratio >= self.asked


def figures(found: list[dict[str, Any]]) -> list[Figure]:
    """All figures; of several batch sizes only the best."""
    listed = [
        Figure(
            engine["engine"], engine["name"] == LAMPION, one["game"], one["how"], one["note"],
            one["decisions_per_second"], one["games_per_second"], one["all_cores"],
        )
        for engine in found if "figures" in engine for one in engine["figures"]
    ]  # fmt: skip
    return [
        max(group, key=lambda figure: figure.one_core) for _, group in groupby(listed, _same_batch)
    ]


def _same_batch(figure: Figure) -> tuple[str, ...]:
    return (figure.engine, figure.game, figure.how) if figure.how == BATCH else figure[:5]  # type: ignore[return-value]


def find(listed: Iterable[Figure], game: str, how: str, engine: str = "Lampion") -> Figure | None:
    return next(
        (
            figure
            for figure in listed
            if (figure.game, figure.how) == (game, how) and figure.engine.startswith(engine)
        ),
        None,
    )


def ratio(
    listed: list[Figure], game: str, how: str, engine: str, ours: str = ROLLOUTS
) -> float | None:
    own, other = find(listed, game, ours), find(listed, game, how, engine)
    return own.one_core / other.one_core if own and other else None


def requirements(found: list[dict[str, Any]]) -> list[Requirement]:
    """What must hold; a peer that could not be measured decides nothing."""
    listed = figures(found)
    return [
        Requirement("playouts against OpenSpiel's native roll-outs, Connect Four", 5, ratio(listed, "connect_four", ROLLOUTS, "OpenSpiel")),
        Requirement("playouts against OpenSpiel's native roll-outs, Hex", 5, ratio(listed, "hex", ROLLOUTS, "OpenSpiel")),
        Requirement("playouts against Pgx on the CPU, Hex", 20, ratio(listed, "hex", BATCH, "Pgx")),
    ]  # fmt: skip


# --- the page ---------------------------------------------------------------------------------------------------------------------


def page(found: list[dict[str, Any]]) -> str:
    listed = figures(found)
    head = HEAD.format(
        cores=os.cpu_count(), machine=platform.machine(), python=platform.python_version()
    )
    sections = [
        head,
        *_requirements(found),
        *_same_games(listed),
        *_steps(listed),
        *_search(listed),
        *_other(listed),
        *_missing(found),
    ]
    return "\n".join(sections)


def table(heads: list[str], rows: Iterable[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _number(value: float) -> str:
    """Three figures that mean something."""
    if value < 100:
        return f"{value:.1f}"
    magnitude = 10 ** max(0, len(str(round(value))) - 3)
    return f"{round(value / magnitude) * magnitude:,}"


def _times(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}" if value < 10 else f"{value:,.0f}"


def _described(figure: Figure) -> str:
    return f"{figure.how} ({figure.note})" if figure.note else figure.how


def _requirements(found: list[dict[str, Any]]) -> Iterator[str]:
    yield "## What must hold\n"
    rows = [
        [one.what, f"at least {one.asked:.0f} times", f"{_times(one.ratio)} times"]
        for one in requirements(found)
    ]
    yield table(["", "asked", "measured"], rows)


def _same_games(listed: list[Figure]) -> Iterator[str]:
    """Steps from Python are compared with steps from Python, everything else with playouts."""
    yield "## The same game on both sides\n"
    yield "Lampion's two games are those of [Add a game in an hour](add_a_game.md); OpenSpiel's are their oracles in the tests.\n"
    for game, title in SAME_GAMES.items():
        rows = []
        for figure in (one for one in listed if one.game == game and one.how != SEARCH):
            own = find(listed, game, FROM_PYTHON if figure.how == FROM_PYTHON else ROLLOUTS)
            times = (
                ""
                if figure.is_ours or not own
                else f"{_times(own.one_core / figure.one_core)} times"
            )
            rows.append([figure.engine, _described(figure), *_speeds(figure), times])
        yield f"### {title}\n"
        yield table(
            [
                "engine",
                "random play",
                "decisions/s, one core",
                "games/s",
                "decisions/s, all cores",
                "Lampion is faster by",
            ],
            rows,
        )


def _speeds(figure: Figure) -> list[str]:
    return [_number(figure.one_core), _number(figure.games), _number(figure.all_cores)]


def _steps(listed: list[Figure]) -> Iterator[str]:
    yield "## One step from Python\n"
    yield "What a decision costs in a loop in Python: see what is legal, choose at random, act. Microseconds on one core.\n"
    rows = [
        [one.engine, SAME_GAMES.get(one.game, one.game), one.note, f"{1e6 / one.one_core:.1f}"]
        for one in listed
        if one.how == FROM_PYTHON
    ]
    yield table(["engine", "game", "through", "us per step"], rows)


def _search(listed: list[Figure]) -> Iterator[str]:
    yield "## Search\n"
    yield "Simulations a second of Monte Carlo tree search with random playouts to the end of the game, from the opening.\n"
    rows = []
    for figure in (one for one in listed if one.how == SEARCH):
        own = find(listed, figure.game, SEARCH)
        times = (
            "" if figure.is_ours or not own else f"{_times(own.one_core / figure.one_core)} times"
        )
        rows.append(
            [
                figure.engine,
                SAME_GAMES.get(figure.game, figure.game),
                _number(figure.one_core),
                _number(figure.all_cores),
                times,
            ]
        )
    yield table(
        ["engine", "game", "simulations/s, one core", "all cores", "Lampion is faster by"], rows
    )


def _other(listed: list[Figure]) -> Iterator[str]:
    if all(one.game in SAME_GAMES for one in listed):
        return
    yield "## Other games\n"
    yield "Each engine's own games differ in length and branching: this says what to expect, not who is faster.\n"
    rows = [
        [one.engine, one.game, _described(one), *_speeds(one)]
        for one in listed
        if one.game not in SAME_GAMES and one.how != SEARCH
    ]
    yield table(
        [
            "engine",
            "game",
            "random play",
            "decisions/s, one core",
            "games/s",
            "decisions/s, all cores",
        ],
        rows,
    )


def _missing(found: list[dict[str, Any]]) -> Iterator[str]:
    missing = [
        [engine["name"], engine["problem"].replace("|", "/")]
        for engine in found
        if "problem" in engine
    ]
    if missing:
        yield "## Not measured\n"
        yield table(["peer", "reason"], missing)
