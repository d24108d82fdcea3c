"""The diagram of the packages, drawn from the imports in the sources."""

from __future__ import annotations

import functools
from collections import Counter
from html import escape

from lampion.core.compile import PACKAGE
from tests.test_layers import LEVELS, imports, part_of

WIDTH, ROW, BOX, HEIGHT = 760, 120, 104, 44
PLACE = "<!-- diagram: levels -->"
"""Where a page wants it."""


@functools.cache
def edges() -> Counter[tuple[str, str]]:
    """(package, package that it imports) -> how many of its modules do."""
    found: Counter[tuple[str, str]] = Counter()
    for path in PACKAGE.rglob("*.py"):
        own = path.relative_to(PACKAGE).parts[0]
        if own in LEVELS:
            parts = {part_of(module) for module in imports(path)} - {None, own}
            found.update((own, str(part)) for part in parts)
    return found


def without_detours(drawn: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The imports that do not follow from others: a reader sees the rest along two arrows."""
    return {
        (upper, lower)
        for upper, lower in drawn
        if not any(
            (upper, between) in drawn and (between, lower) in drawn
            for between in LEVELS
            if between not in (upper, lower)
        )
    }


def drawing() -> str:
    """The diagram as SVG, in the colors of the page around it."""
    spots = _spots()
    height = ROW * max(LEVELS.values())
    arrows = [_arrow(spots[upper], spots[lower]) for upper, lower in sorted(_drawn())]
    boxes = [_box(name, *spot) for name, spot in spots.items()]
    rows = [
        f'<text x="8" y="{y + HEIGHT / 2 + 5:.0f}" class="level">level {level}</text>'
        for level in sorted(set(LEVELS.values()))
        for y in [_top(level)]
    ]
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" class="levels" '
        f'aria-label="{escape(_said())}">{"".join([*arrows, *boxes, *rows])}</svg>'
    )


def _drawn() -> set[tuple[str, str]]:
    return without_detours({edge for edge in edges() if LEVELS[edge[0]] > LEVELS[edge[1]]})


def _said() -> str:
    lines = [f"{upper} imports {lower}" for upper, lower in sorted(_drawn())]
    return f"Packages by level, from the top. {'; '.join(lines)}."


def _top(level: int) -> int:
    return 20 + ROW * (max(LEVELS.values()) - level)


def _spots() -> dict[str, tuple[float, float]]:
    """The upper left corner of each box."""
    spots = {}
    for level in sorted(set(LEVELS.values())):
        names = [name for name, own in LEVELS.items() if own == level]
        room = (WIDTH - 80) / len(names)
        for number, name in enumerate(names):
            spots[name] = (80 + room * (number + 0.5) - BOX / 2, float(_top(level)))
    return spots


def _box(name: str, x: float, y: float) -> str:
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{BOX}" height="{HEIGHT}" rx="8"/>'
        f'<text x="{x + BOX / 2:.0f}" y="{y + HEIGHT / 2 + 5:.0f}" class="name">{name}</text>'
    )


def _arrow(upper: tuple[float, float], lower: tuple[float, float]) -> str:
    (x, y), (to_x, to_y) = upper, lower
    start, end = (x + BOX / 2, y + HEIGHT), (to_x + BOX / 2, to_y - 2)
    bend = (start[1] + end[1]) / 2
    return (
        f'<path d="M{start[0]:.0f} {start[1]:.0f}C{start[0]:.0f} {bend:.0f} '
        f'{end[0]:.0f} {bend:.0f} {end[0]:.0f} {end[1]:.0f}"/>'
    )


def table() -> str:
    """How many modules of each package import which others."""
    found = edges()
    lines = ["| package | imports |", "|---|---|"]
    for name in LEVELS:
        named = [f"{lower} ({found[name, lower]})" for lower in LEVELS if found[name, lower]]
        lines.append(f"| `{name}` | {', '.join(named) or 'nothing of Lampion'} |")
    return "\n".join(lines)


def with_diagram(text: str) -> str:
    """A page with the diagram and its table at their place."""
    if PLACE not in text:
        return text
    words = (
        "Drawn from the imports in the sources. An arrow that follows from two others is left out;"
        " the table counts the modules of each package that import another."
    )
    return text.replace(PLACE, f"{drawing()}\n\n{words}\n\n{table()}\n")
