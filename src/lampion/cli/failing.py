"""How a command ends that cannot do what it was asked to."""

from __future__ import annotations

import re
import sys
from typing import NoReturn

import click

_NEEDED = re.compile(r"[A-Za-z0-9._-]+")
_OF_EXTRA = re.compile(r"extra == ['\"]([a-z]+)['\"]")


def fail(message: str) -> NoReturn:
    """End the command with one line."""
    click.echo(f"lampion: {' '.join(message.split())}", err=True)
    sys.exit(1)


def extra_with(module: str) -> str:
    """The smallest extra of Lampion that installs this module, by what the installed package says
    of itself; an empty text if there is none."""
    from importlib.metadata import requires  # slow to import, and needed when a command fails

    packages: dict[str, set[str]] = {}
    for needed in requires("lampion") or []:
        name, extra = _NEEDED.match(needed), _OF_EXTRA.search(needed)
        if name and extra:
            packages.setdefault(extra[1], set()).add(name[0].replace("-", "_").lower())
    top = module.partition(".")[0]
    found = [extra for extra, names in packages.items() if top in names]
    return min(found, key=lambda extra: len(packages[extra]), default="")
