"""Draw the curves of docs/baselines and write the tables of docs/baselines.md from the runs there.

python -m scripts.baselines

A run is a folder METHOD-GAME-SEED that `examples/baselines` wrote, without its network. One that
ended before it was rated has a curve and no result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from lampion.research.curves import curves
from lampion.research.runs import CURVE, RESULT, read_curve, read_result

FOLDER = Path(__file__).parent.parent / "docs" / "baselines"
PAGE = FOLDER.with_suffix(".md")
METHODS = {"alphazero": "AlphaZero", "ppo": "PPO"}
_PLACE = re.compile(r"(<!-- runs: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


class Trained(NamedTuple):
    """A run as it was written down."""

    method: str
    seed: int
    curve: list[dict[str, float]]
    result: dict[str, Any] | None

    @property
    def title(self) -> str:
        return f"{METHODS[self.method]}, seed {self.seed}"


def runs(game: str) -> list[Trained]:
    found = []
    for path in sorted(FOLDER.glob(f"*-{game}-*/{CURVE}")):
        method, _, seed = path.parent.name.split("-")
        result = read_result(path.parent) if (path.parent / RESULT).exists() else None
        found.append(Trained(method, int(seed), read_curve(path.parent), result))
    return found


def games() -> list[str]:
    return sorted({path.parent.name.split("-")[1] for path in FOLDER.glob(f"*/{CURVE}")})


def drawing(game: str) -> str:
    """How often the policy alone wins, against the processor time."""
    lines = {
        f"{one.title}, {rival}": [
            (row["processor_seconds"], row[f"won_{rival}"]) for row in one.curve
        ]
        for rival in ("random", "greedy")
        for one in runs(game)
    }
    title = "Share of games that the policy alone wins"
    return curves(lines, title, x="processor seconds", y=(0.0, 1.0)) + "\n"


def table(game: str) -> str:
    """The final strength of every run."""
    return "\n".join(_rows(game))


def _rows(game: str) -> Iterator[str]:
    yield "| run | player | Elo | 95 % | won | processor time | time |"
    yield "|---|---|---|---|---|---|---|"
    for one in runs(game):
        last = one.curve[-1]
        times = f"{last['processor_seconds']:.0f} s", f"{last['seconds'] / 60:.0f} min"
        if one.result is None:
            yield f"| {one.title} | not rated | | | | {times[0]} | {times[1]} |"
            continue
        for rating in one.result["strength"]:
            is_own = rating["bot"] in ("policy", *METHODS)
            name = rating["bot"] if is_own else f"`{rating['bot']}`"
            elo, span = f"{rating['elo']:+.0f}", f"{rating['low']:+.0f} … {rating['high']:+.0f}"
            won = f"{rating['won']:.0%}"
            spent = times if is_own else ("", "")
            yield f"| {' | '.join((one.title, name, elo, span, won, *spent))} |"


def with_tables(page: str) -> str:
    """The page with its tables made again."""
    return _PLACE.sub(lambda found: f"{found[1]}\n{table(found[2])}\n\n{found[3]}", page)


if __name__ == "__main__":
    for name in games():
        (FOLDER / f"{name}.svg").write_text(drawing(name), "utf-8")
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), "utf-8")
    print(PAGE.name)
