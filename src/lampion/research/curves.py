"""Curves as a picture, for notebooks and pages: what was learned, over time.

curves({"against random": [(0, 0.5), (10, 0.8)]}, "Share of games won")    a notebook shows it
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

COLORS = ("#c2410c", "#1d4ed8", "#15803d", "#7e22ce", "#a16207", "#0e7490", "#be185d", "#4b5563")
"""Each stands out from white by at least 4.5 to 1."""
DASHES = ("", "8 4", "2 4", "10 4 2 4", "4 2", "12 6", "1 3", "6 2 1 2")
"""Lines are told apart without color, too."""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 320, 56, 200, 44, 48
TICKS = 5

Points = Sequence[tuple[float, float]]
Span = tuple[float, float]


class Picture(str):
    """SVG that a notebook shows."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<Picture>"

    def _repr_svg_(self) -> str:
        return str.__str__(self)


def curves(
    lines: Mapping[str, Points], title: str, *, x: str = "", y: Span | None = None
) -> Picture:
    """A line for each name. `x` says what goes to the right; `y` is the span that is shown, by
    default that of the numbers."""
    points = [point for line in lines.values() for point in line]
    assert points, "there is nothing to draw"
    across = _span([point[0] for point in points])
    upward = y or _span([point[1] for point in points])
    drawn = "".join(
        _line(number, name, line, across, upward)
        for number, (name, line) in enumerate(lines.items())
    )
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' font-family="sans-serif" font-size="13"><title>{escape(title)}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f'<text x="{LEFT}" y="26" font-size="16">{escape(title)}</text>'
        f"{''.join(_grid(across, upward))}{drawn}"
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:g}" y="{HEIGHT - 10}" text-anchor="middle"'
        f' fill="#555">{escape(x)}</text></svg>'
    )


def _span(numbers: Sequence[float]) -> Span:
    low, high = min(numbers), max(numbers)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _x(number: float, across: Span) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (number - across[0]) / (across[1] - across[0])


def _y(number: float, upward: Span) -> float:
    share = (number - upward[0]) / (upward[1] - upward[0])
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(max(share, 0.0), 1.0)


def _grid(across: Span, upward: Span) -> Iterator[str]:
    for number in _ticks(upward):
        y = _y(number, upward)
        yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{number:g}</text>'
    for number in _ticks(across):
        x, y = _x(number, across), HEIGHT - BOTTOM + 18
        yield f'<text x="{x:.1f}" y="{y}" text-anchor="middle" fill="#555">{number:g}</text>'


def _ticks(span: Span) -> list[float]:
    """Round numbers within a span."""
    rough = (span[1] - span[0]) / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough)
    first = math.ceil(span[0] / step - 1e-9)
    last = math.floor(span[1] / step + 1e-9)
    return [round(step * number, 10) for number in range(first, last + 1)]


def _line(number: int, name: str, line: Points, across: Span, upward: Span) -> str:
    color, dash = COLORS[number % len(COLORS)], DASHES[number % len(DASHES)]
    points = " ".join(f"{_x(x, across):.1f},{_y(y, upward):.1f}" for x, y in line)
    stroke = f'stroke="{color}" stroke-width="2.5" stroke-dasharray="{dash}"'
    left, y = WIDTH - RIGHT + 16, TOP + 8 + 22 * number
    return (
        f'<polyline points="{points}" fill="none" {stroke}/>'
        f'<line x1="{left}" x2="{left + 24}" y1="{y - 4}" y2="{y - 4}" {stroke}/>'
        f'<text x="{left + 30}" y="{y}">{escape(name)}</text>'
    )
