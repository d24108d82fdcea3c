"""Lanterns as people with the common forms of color blindness see them."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "web" / "src"
Rgb = tuple[float, float, float]

MATRICES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "achromatopsia": ((0.2126, 0.7152, 0.0722),) * 3,
}
"""On linear light; Machado, Oliveira and Fernandes 2009 at full severity, and luminance alone."""

APART = 12.0
"""Distance in CIE Lab at which two lanterns are told apart at a glance, glow and all."""


def palette() -> dict[str, str]:
    return dict(
        re.findall(
            r"--lantern-([A-Z]): (#[0-9a-f]{6});",
            (ROOT / "styles" / "palette.css").read_text("utf-8"),
        )
    )


def linear(code: str) -> Rgb:
    shares = [int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return red, green, blue


def seen(light: Rgb, form: str) -> Rgb:
    red, green, blue = (
        min(1.0, max(0.0, sum(m * c for m, c in zip(row, light, strict=True))))
        for row in MATRICES[form]
    )
    return red, green, blue


def lab(light: Rgb) -> Rgb:
    red, green, blue = light
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (
        value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: str, other: str, form: str) -> float:
    here, there = (lab(seen(linear(code), form)) for code in (one, other))
    return float(sum((a - b) ** 2 for a, b in zip(here, there, strict=True)) ** 0.5)


def shapes() -> dict[str, str]:
    return dict(
        re.findall(
            r'^  ([A-Z]): \{ name: "\w+", outline: "([^"]+)"',
            (ROOT / "art" / "shapes.ts").read_text("utf-8"),
            re.M,
        )
    )


def patterns() -> dict[str, str]:
    """The lines that fill each lantern."""
    text = (ROOT / "art" / "definitions.svg").read_text("utf-8")
    return dict(
        re.findall(r'<pattern id="lampion-pattern-([A-Z])"[^>]*>(.*?)</pattern>', text, re.S)
    )


@pytest.mark.parametrize("form", MATRICES)
def test_lanterns_stay_apart(form: str) -> None:
    """Two colors that come close to the eye differ in shape and in pattern as in letter; while there is any hue, few come close."""
    colors, outlines, drawings = palette(), shapes(), patterns()
    assert set(colors) == set("ROGBPWK") == set(outlines) == set(drawings)
    pairs = list(itertools.combinations(colors, 2))
    close = [(a, b) for a, b in pairs if distance(colors[a], colors[b], form) < APART]
    for a, b in close:
        assert outlines[a] != outlines[b]
        assert drawings[a] != drawings[b]
    assert form == "achromatopsia" or len(close) <= len(pairs) // 10, close


def test_every_lantern_has_its_own_shape_and_pattern() -> None:
    assert len(set(shapes().values())) == len(set(patterns().values())) == 7


def test_white_stays_the_lightest_and_black_the_darkest_for_everybody() -> None:
    colors = palette()
    for form in MATRICES:
        lightness = {color: lab(seen(linear(code), form))[0] for color, code in colors.items()}
        assert max(lightness, key=lightness.__getitem__) == "W"
        assert min(lightness, key=lightness.__getitem__) == "K"
