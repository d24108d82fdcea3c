"""The pages for players, hosts, bot authors, researchers and contributors: their commands print what
the pages show. Their Python examples are doctests."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from scripts.site.links import ROOT

PAGES = ("players", "hosts", "bot_authors")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^# (\w+\.\w+)\n")
TYPED = re.compile(r"your move > (.+)\n")
MISTAKE, CORRECTION = "public_ulr", "public_url"
"""The mistake in the page for hosts, which the page corrects after its first command."""
LOOSELY = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Command(NamedTuple):
    words: list[str]
    shown: str


def read(page: str, folder: Path) -> list[Command]:
    """The commands of a page; the files that it shows are written into the folder."""
    found = []
    for kind, text in FENCE.findall((ROOT / "docs" / f"{page}.md").read_text("utf-8")):
        if name := FILE.match(text):
            (folder / name[1]).write_text(text, "utf-8")
        elif kind == "console":
            line, _, shown = text.partition("\n")
            found.append(Command(shlex.split(line.removeprefix("$ ")), shown))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_door_print_what_it_shows(page: str, tmp_path: Path) -> None:
    commands = read(page, tmp_path)
    assert commands
    for words, shown in commands:
        assert words[0] == "lampion"
        typed = "".join(f"{each}\n" for each in TYPED.findall(shown))
        shown = TYPED.sub("your move > ", shown)  # a terminal shows what is typed, a pipe does not
        # In a process of its own: a server that is told to check its settings sets up logs.
        command = [str(Path(sys.executable).with_name("lampion")), *words[1:]]
        output = subprocess.run(
            command, input=typed, cwd=tmp_path, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env={**os.environ, "COLUMNS": "80"}, timeout=300,
        ).stdout  # fmt: skip
        assert doctest.OutputChecker().check_output(shown, output, LOOSELY), (
            f"{shlex.join(words)} prints\n{output}"
        )
        if MISTAKE in output:
            settings = tmp_path / "club.toml"
            settings.write_text(settings.read_text().replace(MISTAKE, CORRECTION))
