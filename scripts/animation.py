"""Write docs/pictures/lanterns.webp, the moving picture of the README: `python -m scripts.animation`.

A game of Lanterns as its first seat sees it, one frame for every third tile, drawn by the game's
own drawing and played as in `scripts.pictures`.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

import lampion
from scripts.pictures import FOLDER, choose

NAME = "lanterns.webp"
NAMES = ("Ada", "Milo", "Iris", "Noor")
SEED = 1
WIDTH = 560
EVERY = 3
"""A frame for every so many tiles."""
FRAME_MS, LAST_MS = 700, 3000
QUALITY = 38
MOST_BYTES = 300_000


def drawings() -> list[str]:
    """The table after every third tile, and at the end."""
    match = lampion.new("lanterns", len(NAMES), seed=SEED, names=NAMES)
    shown, placed = [match.svg(0)], 0
    while not match.is_over:
        action = choose(match)
        match.submit(action)
        placed += "@" in action
        if "@" in action and placed % EVERY == 0:
            shown.append(match.svg(0))
    return [*shown, match.svg(0)]


def behind(image: Image.Image) -> tuple[int, ...]:
    """The color of a drawing's background."""
    found = image.getpixel((WIDTH // 2, 4))
    assert isinstance(found, tuple)
    return found


def frame(drawing: str) -> Image.Image:
    png = resvg_py.svg_to_bytes(svg_string=drawing, width=WIDTH)
    drawn = Image.open(BytesIO(bytes(png))).convert("RGBA")
    page = Image.new("RGBA", drawn.size, behind(drawn))  # behind round corners
    return Image.alpha_composite(page, drawn).convert("RGB")


def on_one_size(frames: list[Image.Image]) -> list[Image.Image]:
    """A lake grows, and drawings with it; the frames of a picture do not."""
    height = max(each.height for each in frames)
    found = []
    for each in frames:
        page = Image.new("RGB", (WIDTH, height), behind(each))
        page.paste(each, (0, (height - each.height) // 2))
        found.append(page)
    return found


def animation() -> bytes:
    first, *others = on_one_size([frame(drawing) for drawing in drawings()])
    content = BytesIO()
    durations = [FRAME_MS] * len(others) + [LAST_MS]
    first.save(
        content, "WEBP", save_all=True, append_images=others, duration=durations, loop=0,
        quality=QUALITY, method=4,
    )  # fmt: skip
    return content.getvalue()


def main() -> None:
    path: Path = FOLDER / NAME
    path.write_bytes(animation())
    print(f"docs/pictures/{NAME}: {path.stat().st_size} bytes, at most {MOST_BYTES}")


if __name__ == "__main__":
    main()
