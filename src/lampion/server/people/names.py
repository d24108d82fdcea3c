"""Names that people can see and tell apart."""

from __future__ import annotations

import unicodedata

from lampion.core.gamelog import MAX_NAME
from lampion.server.errors import TableError

DEFAULT_IGNORABLE = frozenset(
    chr(code)
    for first, last in (
        (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
        (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
        (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
    )
    for code in range(first, last + 1)
)  # fmt: skip
"""Unicode's property of this name, which Python's `unicodedata` lacks: characters that a font draws as
nothing unless it knows better. Whole blocks have it, so later versions hardly ever change it."""
BLANK = frozenset("\u2800\ufffc\U00016fe4\U0001d159\u2d7f\U0001107f\U0001bc9d")
"""Draw nothing either, though Unicode does not call them ignorable: a Braille pattern without dots, a
place for an object, a filler, a note without a head; and marks that only join or thicken others."""
INVISIBLE = DEFAULT_IGNORABLE | BLANK
VARIATION_SELECTORS = frozenset(
    map(chr, (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""They choose between two drawings of the sign before, and no name needs them."""
MOST_MARKS = 2
"""Combining marks on one letter; more of them climb over the lines above and below."""


def checked_name(name: str) -> str:
    """The name as it is kept: composed, with single spaces. `TableError` if it cannot be seen or
    read."""
    chosen = "".join(sign for sign in name if sign not in VARIATION_SELECTORS)
    plain = " ".join(unicodedata.normalize("NFC", chosen).split())
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
