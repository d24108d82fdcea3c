"""How much there is to write for a game: `python -m scripts.lines` counts the examples, beside the
same games as others have them.

A line of code is one that is neither blank nor a comment nor part of a docstring. The figures of
OpenSpiel and Pgx were counted the same way, licenses left out, in their published packages;
`python -m scripts.lines FILE ...` counts any files, C++ among them.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import NamedTuple

EXAMPLES = Path(__file__).parent.parent / "examples"


class Count(NamedTuple):
    files: int
    lines: int


class Peer(NamedTuple):
    """The same game elsewhere."""

    package: str
    files: tuple[str, ...]
    lines: int


def _spiel(lines: int, *files: str) -> Peer:
    return Peer("open-spiel 2.0.2", tuple(f"open_spiel/games/{file}" for file in files), lines)


def _pgx(lines: int, *files: str) -> Peer:
    return Peer("pgx 2.6.0", tuple(f"pgx/{file}.py" for file in files), lines)


PEERS = {
    "connect_four": (
        _spiel(636, "connect_four/connect_four.h", "connect_four/connect_four.cc"),
        _pgx(202, "connect_four", "_src/games/connect_four", "_src/dwg/connect_four"),
    ),
    "hex": (
        _spiel(457, "hex/hex.h", "hex/hex.cc"),
        _pgx(246, "hex", "_src/games/hex", "_src/dwg/hex"),
    ),
    "kuhn": (
        _spiel(444, "kuhn_poker/kuhn_poker.h", "kuhn_poker/kuhn_poker.cc"),
        _pgx(181, "kuhn_poker", "_src/dwg/kuhn_poker"),
        Peer("open-spiel 2.0.2, Python", ("open_spiel/python/games/kuhn_poker.py",), 141),
    ),
    "leduc": (
        _spiel(802, "leduc_poker/leduc_poker.h", "leduc_poker/leduc_poker.cc"),
        _pgx(247, "leduc_holdem", "_src/dwg/leduc_holdem"),
    ),
}


def lines_of_code(source: str, is_python: bool = True) -> int:
    """Lines that are neither blank nor a comment nor part of a docstring."""
    if not is_python:
        source = re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL)
        return sum(not line.strip().startswith(("//", "#!")) for line in _filled(source))
    told: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    kept = [line for number, line in enumerate(source.splitlines(), 1) if number not in told]
    return sum(not line.strip().startswith("#") for line in _filled("\n".join(kept)))


def _filled(source: str) -> list[str]:
    return [line for line in source.splitlines() if line.strip()]


def code_of(game: str) -> Count:
    """The Python of an example."""
    files = sorted((EXAMPLES / game).rglob("*.py"))
    return Count(len(files), sum(lines_of_code(file.read_text("utf-8")) for file in files))


def texts_of(game: str) -> Count:
    """Its catalogs and rulebooks, in all languages it has."""
    folder = EXAMPLES / game
    files = sorted([*folder.glob("messages/*.toml"), *folder.glob("rulebook/*.md")])
    lines = [
        line
        for file in files
        for line in _filled(file.read_text("utf-8"))
        if not (file.suffix == ".toml" and line.startswith("#"))
    ]
    return Count(len(files), len(lines))


def games() -> list[str]:
    return sorted(file.parent.name for file in EXAMPLES.glob("*/__init__.py"))


def main() -> None:
    if len(sys.argv) > 1:
        for file in map(Path, sys.argv[1:]):
            print(f"{lines_of_code(file.read_text('utf-8'), file.suffix == '.py'):6}  {file}")
        return
    print(f"{'':34}{'files':>6}{'lines':>7}   texts")
    for game in games():
        code, texts = code_of(game), texts_of(game)
        what = f"{texts.lines} lines in {texts.files} files"
        print(f"{f'{game}, here':34}{code.files:6}{code.lines:7}   {what}")
        for peer in PEERS.get(game, ()):
            print(f"{f'{game}, {peer.package}':34}{len(peer.files):6}{peer.lines:7}   none")


if __name__ == "__main__":
    main()
