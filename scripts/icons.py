"""Write the icons of the installed app into web/public/icons, all from the lantern in
web/public/lantern.svg."""

from __future__ import annotations

import re
from pathlib import Path

from resvg_py import svg_to_bytes

PUBLIC = Path(__file__).parent.parent / "web" / "public"
GROUND = "#17245a"
SAFE = 0.94
"""What of the drawing's size keeps it inside the circle that a launcher may cut out: 40 % of the
width around the middle."""
_SHAPE = re.compile(r'<path d="(?P<outline>[^"]+)" fill="[^"]+"/>')


def files() -> dict[Path, bytes]:
    """Path -> content."""
    drawn = (PUBLIC / "lantern.svg").read_text()
    lantern = "".join(match[0] for match in _SHAPE.finditer(drawn))
    square = f'<rect x="-50" y="-50" width="100" height="100" fill="{GROUND}"/>'
    maskable = _svg(f'{square}<g transform="scale({SAFE})">{lantern}</g>')
    pictures = {
        "icon-192": (drawn, 192),
        "icon-512": (drawn, 512),
        "maskable-192": (maskable, 192),
        "maskable-512": (maskable, 512),
        "apple-touch": (_svg(square + lantern), 180),
        "monochrome-96": (_silhouette(drawn), 96),
        "monochrome-512": (_silhouette(drawn), 512),
    }
    return {
        PUBLIC / "icons" / f"{name}.png": _png(svg, size) for name, (svg, size) in pictures.items()
    }


def _silhouette(drawn: str) -> str:
    """One color, since systems use the shape alone: the flame is a hole in the paper."""
    paper, flame, rims = (match["outline"] for match in _SHAPE.finditer(drawn))
    return _svg(f'<path fill-rule="evenodd" d="{paper}{flame}" fill="#fff"/>'
                f'<path d="{rims}" fill="#fff"/>')  # fmt: skip


def _svg(content: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">{content}</svg>'


def _png(svg: str, size: int) -> bytes:
    return bytes(svg_to_bytes(svg_string=svg, width=size, height=size))


if __name__ == "__main__":
    for path, content in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
