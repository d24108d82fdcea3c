"""Links of a page of the repository, pointed at their places in the site.

In the repository a link is relative to its file, so that it works on a code host. In the site a
page may have another name, and what is not a page is a file to download.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
_LINK = re.compile(r"(!?\[(?:[^\]\[]|\[[^\]]*\])*\]\()([^)\s]+)(\))")
_FENCE = re.compile(r"^(`{3,}|~{3,})", re.MULTILINE)


class LostLink(Exception):
    """A link to something that is neither a page nor a file of the repository."""


def with_links(text: str, source: Path, page: str, pages: Mapping[Path, str]) -> str:
    """The text of `source` as the page of that name, given the pages by their sources."""
    pieces = _FENCE.split(text)
    # Outside of fences: pieces alternate between text and the sign of a fence.
    is_code, fence = False, ""
    shown = []
    for number, piece in enumerate(pieces):
        if number % 2:
            if not is_code:
                is_code, fence = True, piece
            elif piece == fence:
                is_code = False
            shown.append(piece)
        else:
            shown.append(piece if is_code else _pointed(piece, source, page, pages))
    return "".join(shown)


def _pointed(text: str, source: Path, page: str, pages: Mapping[Path, str]) -> str:
    def place(found: re.Match[str]) -> str:
        return found[1] + _address(found[2], source, page, pages) + found[3]

    return _LINK.sub(place, text)


def _address(address: str, source: Path, page: str, pages: Mapping[Path, str]) -> str:
    if re.match(r"[a-z]+:", address) or address.startswith("#"):
        return address
    path, _, anchor = address.partition("#")
    target = (source.parent / path).resolve()
    if not target.exists():
        raise LostLink(f"{source.relative_to(ROOT)}: {address}")
    here = Path(page).parent
    if target in pages:
        found = os.path.relpath(f"{pages[target]}.md", here)
        return f"{found}#{anchor}" if anchor else found
    if target.is_dir():
        raise LostLink(f"{source.relative_to(ROOT)}: {address} is a folder without a page")
    return os.path.relpath(file_in_site(target), here)


def file_in_site(path: Path) -> str:
    """Where a file that is no page is staged."""
    return f"files/{path.relative_to(ROOT).as_posix()}"


def files_linked(text: str, source: Path, pages: Mapping[Path, str]) -> set[Path]:
    """The files that a page shows or links to, and that are no pages."""
    targets = {
        (source.parent / found[2].partition("#")[0]).resolve()
        for found in _LINK.finditer(text)
        if not re.match(r"[a-z]+:|#", found[2])
    }
    return {target for target in targets if target.is_file() and target not in pages}
