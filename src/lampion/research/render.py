"""A position as text, as SVG or as an array of pixels, as a seat sees it."""

from __future__ import annotations

from io import BytesIO
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lampion.core.match import Match
from lampion.core.types import SPECTATOR, Player
from lampion.research.extras import extra

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
Frame: TypeAlias = str | npt.NDArray[np.uint8] | None

WIDTH = 800
"""Of pictures, in pixels."""


def render(match: Match, mode: str, seat: Player = SPECTATOR) -> Frame:
    """`human` prints the text, the other modes give their picture back."""
    if mode == "svg":
        return match.svg(seat)
    if mode == "rgb_array":
        return pixels(match.svg(seat))
    if mode == "ansi":
        return match.draw(seat)
    print(match.draw(seat))
    return None


def pixels(svg: str) -> npt.NDArray[np.uint8]:
    """A picture as rows of pixels in red, green and blue."""
    with extra("research"):
        from PIL import Image
        from resvg_py import svg_to_bytes
    with Image.open(BytesIO(svg_to_bytes(svg_string=svg, width=WIDTH))) as picture:
        return np.array(picture.convert("RGB"))
