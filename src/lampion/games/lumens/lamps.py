"""The light tokens of Lumens drawn as lamps: a silhouette and a color per player, flames for pips.
Shared by screen and print."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from lampion.games import art
from lampion.games.art import INK, Svg
from lampion.games.lumens.components import MAX_FACE

HALF: Final = 50
"""Lamps are drawn on a square from -50 to 50."""


@dataclass(frozen=True)
class Lamp:
    """How the tokens of a player look: hue, lit middle, and a silhouette that tells
    them apart without any hue."""

    color: str
    lit: str
    outline: str


def _ring(corners: int, radius: float) -> list[str]:
    """Points on a circle, the first at the top."""
    angles = [math.tau * corner / corners for corner in range(corners)]
    return [
        f"{art.number(radius * math.sin(angle))} {art.number(-radius * math.cos(angle))}"
        for angle in angles
    ]


def _blossom(petals: int, radius: float, bulge: float) -> str:
    first, *others = _ring(petals, radius)
    return (
        f"M{first}" + "".join(f"A{bulge} {bulge} 0 0 1 {point}" for point in [*others, first]) + "Z"
    )


LAMPS: Final = (
    Lamp("#e9ab12", "#fff6cf", "M0-45A45 45 0 1 1 0 45A45 45 0 1 1 0-45Z"),
    Lamp(
        "#2f8f52",
        "#e3f8d3",
        "M-30-42H30Q42-42 42-30V30Q42 42 30 42H-30Q-42 42-42 30V-30Q-42-42-30-42Z",
    ),
    Lamp("#cf3a33", "#ffe3d3", "M" + "L".join(_ring(6, 50)) + "Z"),
    Lamp("#8148b8", "#f4e3ff", _blossom(8, 42, 17)),
)
"""Of player 0, 1, 2, 3: a round, a square, a six-sided and a blossom-shaped lamp."""

FLAME: Final = "M0-13C5-6 8-2 8 4A8 8 0 1 1-8 4C-8-1-4-3 0-13Z"
_LEFT, _MIDDLE, _RIGHT = -19, 0, 19
_PIPS: Final = {
    1: [(_MIDDLE, 0)],
    2: [(_LEFT, -12), (_RIGHT, 12)],
    3: [(_LEFT, -20), (_MIDDLE, 0), (_RIGHT, 20)],
    4: [(_LEFT, -16), (_RIGHT, -16), (_LEFT, 16), (_RIGHT, 16)],
    5: [(_LEFT, -20), (_RIGHT, -20), (_MIDDLE, 0), (_LEFT, 20), (_RIGHT, 20)],
    6: [
        (_LEFT + 3, -25),
        (_RIGHT - 3, -25),
        (_LEFT + 3, 0),
        (_RIGHT - 3, 0),
        (_LEFT + 3, 25),
        (_RIGHT - 3, 25),
    ],
}
"""Where the flames of each face burn, as on a die."""


def flames(face: int, **attributes: art.Value) -> Svg:
    """The pips of a face."""
    spots = [f"translate({x} {y})" for x, y in _PIPS[face]]
    return art.group(*(art.path(FLAME, transform=spot) for spot in spots), **attributes)


def lamp(player: int, face: int, x: float, y: float, size: float, **attributes: art.Value) -> Svg:
    """A token showing a face, about `size` wide; face 0 is a lamp that shows nothing."""
    return art.stamp(f"lumens-lamp-{player}-{face}", x, y, size, **attributes)


def dead_lamp(player: int, x: float, y: float, size: float) -> Svg:
    """A covered token: of its light only a dim rim is left."""
    return art.stamp(f"lumens-dead-{player}", x, y, size)


def lamp_definitions() -> list[Svg]:
    """The stamps of all faces of all players."""
    return [part for player in range(len(LAMPS)) for part in _of_player(player)]


def _of_player(player: int) -> list[Svg]:
    look = LAMPS[player]
    fill = art.radial(f"lumens-light-{player}", (0.35, look.lit, 1), (0.85, look.color, 1))
    body = art.path(
        look.outline,
        fill=art.url(f"lumens-light-{player}"),
        stroke=INK,
        stroke_width=4,
        stroke_linejoin="round",
    )
    dead = art.path(
        look.outline, fill="#3c3450", stroke=look.color, stroke_width=9, stroke_linejoin="round"
    )
    burning = {face: flames(face, fill="#e4571c", stroke=INK, stroke_width=3) for face in _PIPS}
    faces = [
        art.symbol(f"lumens-lamp-{player}-{face}", HALF + 2, body, burning.get(face, ""))
        for face in range(MAX_FACE + 1)
    ]
    return [fill, *faces, art.symbol(f"lumens-dead-{player}", HALF + 2, dead)]
