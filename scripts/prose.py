"""Check the prose of the repository: `python -m scripts.prose` prints what to change, and where.

Prose is what a person reads: the pages, docstrings, comments, the names of tests, the English
catalogs, the help of the command line. Code in backticks and fences is not. The phrases to avoid
are in `scripts/prose.toml`, and are found where a line breaks inside them, too; spelling is checked
by codespell, which also knows the British forms.
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
_CLIENT_COMMENT = re.compile(r"(?<![:\"'`])//[^\n]*|/\*.*?\*/|<!--.*?-->", re.DOTALL)
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


def of_test(text: str) -> Lines:
    """The same and the names of tests, which are sentences."""
    lines = of_python(text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            lines[node.lineno] = node.name.removeprefix("test_").replace("_", " ")
    return lines


def of_client(text: str) -> Lines:
    """Comments of TypeScript, Svelte and style sheets."""
    lines: Lines = {}
    for comment in _CLIENT_COMMENT.finditer(text):
        first = text.count("\n", 0, comment.start()) + 1
        for offset, line in enumerate(comment[0].split("\n")):
            lines[first + offset] = line.strip(" /*<!->")
    return lines


def of_catalog(text: str) -> Lines:
    """The values of a catalog of the client, a text a line."""
    return {number: line.partition(": ")[2] for number, line in enumerate(text.splitlines(), 1)}


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
    ".ts": of_client,
    ".svelte": of_client,
    ".css": of_client,
    ".json": of_catalog,
    "": of_comments,
}
PATTERNS = (
    "*.md", "docs/**/*.md", "deploy/*.md", "web/*.md", "src/**/rulebook/en.md",
    "src/**/*.py", "scripts/**/*.py", "benchmarks/**/*.py", "examples/**/*.py", "hatch_build.py",
    "src/**/messages/en.toml", "examples/**/messages/en.toml", "src/**/lessons.toml",
    "tests/**/*.py", "web/src/**/*.ts", "web/src/**/*.svelte", "web/src/**/*.css",
    "web/src/messages/en/*.json", "Makefile", "scripts/uv", "scripts/browser", "scripts/proxies",
)  # fmt: skip


def files() -> Iterator[Path]:
    for pattern in PATTERNS:
        for path in sorted(ROOT.glob(pattern)):
            if path.name != "test_prose.py":  # its examples are wrong on purpose
                yield path


def prose_of(path: Path) -> Lines:
    text = path.read_text("utf-8")
    reader = of_test if path.name.startswith("test_") else READERS[path.suffix]
    return {number: _CODE.sub(" ", line) for number, line in reader(text).items()}


def paragraphs(lines: Lines) -> Iterator[tuple[int, str]]:
    """Lines that follow each other, as one text, and the number of the first."""
    first, text = 0, ""
    for number, line in sorted(lines.items()):
        if not line.strip() or number != first + text.count("\n") + 1:
            yield first, text
            first, text = number, line
        else:
            text += f"\n{line}"
    yield first, text


def phrases(path: Path, lines: Lines) -> Iterator[Finding]:
    for first, text in paragraphs(lines):
        for pattern, better in _PHRASES.items():
            for found in pattern.finditer(text):
                number = first + text.count("\n", 0, found.start())
                yield Finding(path, number, " ".join(found[0].split()), better)


def _across_lines(phrase: str) -> str:
    """The phrase, with any white space between its words; what it must not follow stays as it is."""
    return re.sub(r"(\(\?<[^)]*\))| ", lambda part: part[1] or r"\s+", phrase)


_PHRASES = {
    re.compile(rf"\b(?:{_across_lines(phrase)})\b", re.IGNORECASE): better
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
