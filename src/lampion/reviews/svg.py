"""A review as a picture: the chances to win over the game, a bar for every seat, and the costliest
decisions with their reasons."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from textwrap import wrap

from lampion.core.messages import DEFAULT, text
from lampion.reviews.reviewing import Review, Row
from lampion.reviews.texts import costliest_lines

COLORS = (
    "#c2410c", "#1d4ed8", "#15803d", "#7e22ce", "#a16207", "#0e7490", "#be185d", "#4b5563",
)  # fmt: skip
"""By seat; each stands out from white by at least 4.5 to 1."""
DASHES = ("", "8 4", "2 4", "10 4 2 4", "4 2", "12 6", "1 3", "6 2 1 2")
"""Lines are told apart without color, too."""
PARTS = ("deal", "draws", "own", "others", "remainder")
WIDTH, CHART, ROW, MARGIN = 720, 240, 54, 48
MOST_SCALE, HALF_BAR = 220.0, 240.0
LINE, LETTERS = 20, 92
"""The height of a line of text, and how many letters fit on it."""


def review_svg(review: Review, language: str = DEFAULT) -> str:
    """A whole picture, readable without color."""
    top = MARGIN + CHART + 40 + ROW * len(review.rows)
    lines, scale = _lines(review, language), _scale(review)
    height = top + 20 + LINE * len(lines)
    title = escape(text("review", "curve", language))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
        f' font-family="sans-serif" font-size="13"><title>{title}</title>'
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
        f'<text x="{MARGIN}" y="28" font-size="16">{title}</text>'
        + _chart(review)
        + "".join(
            _bar(row, language, MARGIN + CHART + 40 + ROW * k, scale) for k, row in _rows(review)
        )
        + "".join(_line(line, top + LINE * k) for k, line in enumerate(lines))
        + "</svg>"
    )


def _lines(review: Review, language: str) -> list[str]:
    """The costliest decisions, no line wider than the picture."""
    told = costliest_lines(review, language) if review.decisions else []
    indents = [" " * (len(line) - len(line.lstrip())) for line in told]
    return [
        part
        for line, indent in zip(told, indents, strict=True)
        for part in wrap(line, LETTERS, subsequent_indent=indent)
    ]


def _line(line: str, y: float) -> str:
    indent = 12 * (len(line) - len(line.lstrip())) // 2
    return f'<text x="{MARGIN + indent}" y="{y}">{escape(line.strip())}</text>'


def _rows(review: Review) -> list[tuple[int, Row]]:
    return list(enumerate(review.rows))


def _chart(review: Review) -> str:
    lines = [_grid(share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    last = max(1, len(review.curve) - 1)
    for seat in range(len(review.rows)):
        points = " ".join(
            f"{MARGIN + (WIDTH - 2 * MARGIN) * k / last:.1f},{_y(moment.win[seat]):.1f}"
            for k, moment in enumerate(review.curve)
        )
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{_color(seat)}" stroke-width="2.5"'
            f' stroke-dasharray="{DASHES[seat % len(DASHES)]}"/>'
        )
    return "".join(lines)


def _grid(share: float) -> str:
    y = _y(share)
    return (
        f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y}" y2="{y}" stroke="#ddd"/>'
        f'<text x="{MARGIN - 6}" y="{y + 4}" text-anchor="end" fill="#555">{share:.0%}</text>'
    )


def _y(share: float) -> float:
    return MARGIN + CHART * (1 - share)


def _color(seat: int) -> str:
    return COLORS[seat % len(COLORS)]


def _scale(review: Review) -> float:
    """Points of the picture for a whole place, so that the longest bar leaves room for the name."""
    gains: list[list[float]] = [[getattr(row.place, part) for part in PARTS] for row in review.rows]
    halves = [abs(sum(max(0, sign * gain) for gain in row)) for row in gains for sign in (1, -1)]
    return min(MOST_SCALE, HALF_BAR / max(*halves, 1e-9))


def _bar(row: Row, language: str, y: float, scale: float) -> str:
    """The parts of a seat's result, gains to the right of the middle and losses to the left."""
    middle, opacity = WIDTH / 2 + 60, (1.0, 0.75, 0.55, 0.4, 0.2)
    pieces, right, left = [_name(row, y)], middle, middle
    parts: Sequence[float] = [getattr(row.place, part) for part in PARTS]
    for part, amount, shade in zip(PARTS, parts, opacity, strict=True):
        width = abs(amount) * scale
        x = right if amount >= 0 else left - width
        right, left = (right + width, left) if amount >= 0 else (right, left - width)
        words = f"{text('review', part, language)}: {100 * amount:+.0f}"
        pieces.append(
            f'<rect x="{x:.1f}" y="{y - 14}" width="{width:.1f}" height="18" stroke="#fff"'
            f' fill="{_color(row.seat)}" fill-opacity="{shade}"><title>{escape(words)}</title></rect>'
        )
    told = " · ".join(
        f"{text('review', part, language)} {100 * amount:+.0f}"
        for part, amount in zip(PARTS, parts, strict=True)
    )
    pieces.append(
        f'<text x="{MARGIN}" y="{y + 22}" font-size="12" fill="#555">{escape(told)}</text>'
    )
    return "".join(pieces)


def _name(row: Row, y: float) -> str:
    dash = DASHES[row.seat % len(DASHES)]
    return (
        f'<line x1="{MARGIN}" x2="{MARGIN + 26}" y1="{y - 5}" y2="{y - 5}" stroke-width="2.5"'
        f' stroke="{_color(row.seat)}" stroke-dasharray="{dash}"/>'
        f'<text x="{MARGIN + 34}" y="{y}">{escape(row.name)}</text>'
    )
