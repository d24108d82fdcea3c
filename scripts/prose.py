"""Check the prose of the repository: `python -m scripts.prose` prints what to change, and where.

Prose is what a person reads: the pages, docstrings, comments, the English catalogs, the help of
the command line. Code in backticks and fences is not. The phrases to avoid are in
`scripts/prose.toml`; spelling is checked by codespell, which also knows the British forms.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tempfile
import tokenize
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
WORDS = tomllib.loads((ROOT / "scripts" / "prose.toml").read_text("utf-8"))
DICTIONARIES = "clear,rare,en-GB_to_en-US"
_CODE = re.compile(r"``[^`]*``|`[^`]*`|\]\([^)]*\)|<[^>]*>|https?://\S+")
_FENCE = re.compile(r"^\s*(```|~~~)")


class Finding(NamedTuple):
    path: Path
    line: int
    found: str
    better: str

    def __str__(self) -> str:
        shown = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        return f"{shown}:{self.line}: {self.found!r}; better: {self.better}"


Lines = dict[int, str]
"""The prose of a file by line numbers, counted from 1."""


def of_markdown(text: str) -> Lines:
    lines, is_code = {}, False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code:
            lines[number] = line
    return lines


def of_python(text: str) -> Lines:
    """Comments, docstrings, and every text that is written as a sentence."""
    lines: Lines = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            lines[token.start[0]] = token.string.lstrip("# ")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            for offset, line in enumerate(node.value.split("\n")):
                number = node.lineno + offset
                lines[number] = f"{lines.get(number, '')} {line}"
    return lines


def of_toml(text: str) -> Lines:
    """Comments and values; a key is code."""
    return {
        number: line.partition("=")[2] or line
        for number, line in enumerate(text.splitlines(), 1)
        if not line.startswith("[")
    }


def of_comments(text: str) -> Lines:
    """The comments of a Makefile or a shell script, and what it prints."""
    return {
        number: line[line.index("#") :] if "#" in line else line
        for number, line in enumerate(text.splitlines(), 1)
        if "#" in line or "echo" in line
    }


READERS: dict[str, Callable[[str], Lines]] = {
    ".md": of_markdown,
    ".py": of_python,
    ".toml": of_toml,
    "": of_comments,
}
PATTERNS = (
    "*.md", "docs/**/*.md", "deploy/*.md", "web/*.md", "src/**/rulebook/en.md",
    "src/**/*.py", "scripts/**/*.py", "benchmarks/**/*.py", "examples/**/*.py", "hatch_build.py",
    "src/**/messages/en.toml", "examples/**/messages/en.toml", "src/**/lessons.toml",
    "Makefile", "scripts/uv", "scripts/browser", "scripts/proxies",
)  # fmt: skip
NOT_PROSE = ("docs/ladder.md",)


def files() -> Iterator[Path]:
    for pattern in PATTERNS:
        for path in sorted(ROOT.glob(pattern)):
            if path.relative_to(ROOT).as_posix() not in NOT_PROSE:
                yield path


def prose_of(path: Path) -> Lines:
    text = path.read_text("utf-8")
    return {number: _CODE.sub(" ", line) for number, line in READERS[path.suffix](text).items()}


def phrases(path: Path, lines: Lines) -> Iterator[Finding]:
    for number, line in lines.items():
        for pattern, better in _PHRASES.items():
            for found in pattern.finditer(line):
                yield Finding(path, number, found[0], better)


_PHRASES = {
    re.compile(rf"\b(?:{phrase})\b", re.IGNORECASE): better
    for phrase, better in WORDS["phrases"].items()
}


def spelling(prose: dict[Path, Lines]) -> Iterator[Finding]:
    """What codespell says about all files at once: it reads copies that hold only their prose."""
    with tempfile.TemporaryDirectory() as folder:
        copies = {}
        for number, (path, lines) in enumerate(prose.items()):
            copy = Path(folder) / f"{number}.txt"
            last = max(lines, default=0)
            copy.write_text("\n".join(lines.get(each, "") for each in range(1, last + 1)), "utf-8")
            copies[str(copy)] = path
        ignored = ",".join(WORDS["spelling"]["ignore"])
        words = ["--builtin", DICTIONARIES, "--ignore-words-list", ignored, folder]
        command = [sys.executable, "-m", "codespell_lib", *words]
        told = subprocess.run(command, capture_output=True, text=True).stdout
    for line in told.splitlines():
        copy_path, number_text, said = line.split(":", 2)
        found, _, better = said.strip().partition(" ==> ")
        yield Finding(copies[copy_path], int(number_text), found, better)


def findings() -> list[Finding]:
    prose = {path: prose_of(path) for path in files()}
    found = [each for path, lines in prose.items() for each in phrases(path, lines)]
    return sorted([*found, *spelling(prose)])


def main() -> int:
    found = findings()
    print(*found, sep="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
