"""Ratings as a table and as a picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias
from xml.sax.saxutils import escape

from lampion.arena.ratings import Rating
from lampion.arena.run import JobResult
from lampion.terminal import table

_ROW, _LEFT, _WIDTH = 30, 220, 720
Height: TypeAlias = Callable[[float], float]
"""Where a number stands in a picture."""


def ratings_table(found: list[Rating], results: list[JobResult], names: list[str]) -> str:
    """Strongest first."""
    heads = "bot", "Elo", "95 %", "won", "mean place", "mean score", "slowest move"
    rows = []
    for rating in sorted(found, key=lambda one: -one.elo):
        bot = names.index(rating.bot)
        places, scores = _of_bot(results, bot)
        slowest = max(result.slowest.get(rating.bot, 0.0) for result in results)
        interval = f"{rating.low:+.0f} ... {rating.high:+.0f}"
        mean = sum(places) / len(places), sum(scores) / len(scores)
        of_rating = rating.bot, f"{rating.elo:+.0f}", interval, f"{100 * rating.won:.0f} %"
        rows.append((*of_rating, f"{mean[0]:.2f}", f"{mean[1]:.1f}", f"{slowest:.3f} s"))
    return table(heads, rows)


def _of_bot(results: list[JobResult], bot: int) -> tuple[list[int], list[int]]:
    """All places and scores of a bot."""
    places, scores = [], []
    for result in results:
        for game, points in zip(result.games, result.scores, strict=True):
            for seat, who in enumerate(game.bots):
                if who == bot:
                    places.append(game.places[seat])
                    scores.append(points[seat])
    return places, scores


def plot(found: list[Rating], title: str) -> str:
    """The ratings with their intervals as an SVG picture, strongest on top."""
    ordered = sorted(found, key=lambda one: -one.elo)
    low, high = min(one.low for one in ordered) - 20, max(one.high for one in ordered) + 20

    def x(elo: float) -> float:
        return _LEFT + (elo - low) / (high - low) * (_WIDTH - _LEFT - 60)

    height = 60 + _ROW * len(ordered)
    rows = [_row(rating, 60 + _ROW * index, x) for index, rating in enumerate(ordered)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" font-family="system-ui, sans-serif" '
        f'font-size="14"><title>{escape(title)}</title><rect width="100%" height="100%" fill="#f7efe0"/>'
        f'<text x="16" y="28" font-size="17" fill="#2a2238">{escape(title)}</text>{"".join(rows)}</svg>\n'
    )


def _row(rating: Rating, y: float, x: Height) -> str:
    line = f'<path d="M{x(rating.low):.1f} {y}H{x(rating.high):.1f}" stroke="#3a7bd5" stroke-width="4" stroke-linecap="round"/>'
    dot = f'<circle cx="{x(rating.elo):.1f}" cy="{y}" r="6" fill="#d6453d"/>'
    name = f'<text x="16" y="{y + 5}" fill="#2a2238">{escape(rating.bot)}</text>'
    number = (
        f'<text x="{x(rating.high) + 12:.1f}" y="{y + 5}" fill="#2a2238">{rating.elo:+.0f}</text>'
    )
    return name + line + dot + number


# --- a ladder ---------------------------------------------------------------------------------------------------------------------

_COLORS = {2: "#d6453d", 3: "#3a7bd5", 4: "#3b9c5a"}
_TOP, _STEP, _HIGH = 60, 110, 300


def ladder_plot(title: str, found: dict[int, list[Rating]]) -> str:
    """Elo by level with intervals, a line for each number of players, as an SVG picture."""
    every = [rating for ratings in found.values() for rating in ratings]
    low, high = min(one.low for one in every), max(one.high for one in every)
    names = [rating.bot for rating in next(iter(found.values()))]
    width = 140 + _STEP * len(names)

    def y(elo: float) -> float:
        return _TOP + (high - elo) / (high - low) * _HIGH

    lines = "".join(_ladder_line(players, ratings, y) for players, ratings in found.items())
    words = "".join(
        _text(70 + _STEP * k, _TOP + _HIGH + 40, name, "middle") for k, name in enumerate(names)
    )
    marks = "".join(
        _grid(elo, y(elo), width) for elo in range(200 * round(low / 200), int(high) + 1, 200)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_TOP + _HIGH + 60}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="14"><title>{escape(title)}: Elo by level</title>'
        f'<rect width="100%" height="100%" fill="#f7efe0"/>'
        f'<text x="16" y="28" font-size="17" fill="#2a2238">{escape(title)}</text>{marks}{lines}{words}</svg>\n'
    )


def _ladder_line(players: int, ratings: list[Rating], y: Height) -> str:
    color, shift = _COLORS[players], 8 * (players - 3)
    xs = [70 + _STEP * k + shift for k in range(len(ratings))]
    points = " ".join(f"{x},{y(one.elo):.1f}" for x, one in zip(xs, ratings, strict=True))
    bars = "".join(
        f"M{x} {y(one.low):.1f}V{y(one.high):.1f}" for x, one in zip(xs, ratings, strict=True)
    )
    label = _text(
        xs[-1] + 14,
        y(ratings[-1].elo) + 5 - 12 * (players - 3),
        f"{players} players",
        "start",
        color,
    )
    line = f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5"/>'
    return (
        f'{line}<path d="{bars}" stroke="{color}" stroke-width="4" stroke-linecap="round"/>{label}'
    )


def _grid(elo: int, y: float, width: int) -> str:
    return f'<path d="M40 {y:.1f}H{width - 20}" stroke="#d8ccb4"/>' + _text(
        36, y + 5, f"{elo:+d}" if elo else "0", "end"
    )


def _text(x: float, y: float, words: str, anchor: str, color: str = "#2a2238") -> str:
    return f'<text x="{x}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">{escape(words)}</text>'
