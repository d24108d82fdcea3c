"""Names that people can see and tell apart."""

from __future__ import annotations

import unicodedata

from lampion.core.gamelog import MAX_NAME
from lampion.server.errors import TableError

INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # fillers and joiners that count as letters, marks or symbols
)
VARIATION_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
MOST_MARKS = 2
"""Combining marks on one letter; more of them climb over the lines above and below."""


def checked_name(name: str) -> str:
    """The name as it is kept: composed, with single spaces. `TableError` if it cannot be seen or
    read."""
    composed = unicodedata.normalize("NFC", name)
    plain = " ".join("".join(sign for sign in composed if sign not in VARIATION_SELECTORS).split())
    if not 0 < len(plain) <= MAX_NAME or not _is_readable(plain):
        message = f"a name has 1 to {MAX_NAME} characters that can be seen"
        raise TableError(message, code="invalid-name", where="name")
    return plain


def visible(text: str) -> str:
    """The text without what cannot be seen; empty if nothing of it can."""
    shown = (
        sign if sign.isprintable() else " " for sign in text if unicodedata.category(sign) != "Cf"
    )
    plain = "".join(sign for sign in shown if sign not in INVISIBLE).strip()
    return plain if any(unicodedata.category(sign)[0] in "LNPS" for sign in plain) else ""


def _is_readable(name: str) -> bool:
    """`isprintable` rules out control, format (zero-width, bidirectional) and unassigned
    characters."""
    if not name.isprintable() or INVISIBLE & set(name):
        return False
    marks = 0
    for sign in name:
        marks = marks + 1 if unicodedata.category(sign).startswith("M") else 0
        if marks > MOST_MARKS:
            return False
    return any(unicodedata.category(sign)[0] in "LNPS" for sign in name)
