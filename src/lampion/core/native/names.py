"""What C calls the names of a rule: the same, unless the name means something else there."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from pathlib import Path

_KEYWORDS = """asm auto bool break case char const continue default do double else enum extern
    false float for goto if inline int long register restrict return short signed sizeof static
    struct switch true typedef typeof union unsigned void volatile while"""
_MACROS = "errno i386 linux offsetof unix"
"""What compilers and the headers of C replace, apart from words in capitals."""
_LIBRARY = "memset memcpy memmove index exp log tanh sqrt pow floor y0 y1 yn j0 j1 jn"
_FILE = "array_type dtypes methods module problem problem_place way_out"
"""What else there is outside all functions, in the headers and from `doors.py`."""
_WORDS = frozenset(f"{_KEYWORDS} {_MACROS}".split())
_MADE = re.compile(
    r"(door|export)_\w*|\w+_t|\w*_n\d+|\w*_end_|(k|was|several|to|from|item)_\d+|__\w*"
)
"""Names that the translator makes up, and types such as `int64_t`."""
HEADERS = ("prelude.h", "python.h")
_NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"", re.DOTALL)
_WORD, _CALLED = r"[A-Za-z_]\w*", r"\b([a-z]\w*)\("


@functools.cache
def _in_headers(pattern: str) -> frozenset[str]:
    """The words of the headers that match, without comments and texts."""
    found = set[str]()
    for name in HEADERS:
        text = (Path(__file__).parent / name).read_text(encoding="utf-8")
        found |= set(re.findall(pattern, re.sub(_NOT_CODE, "", text)))
    return frozenset(found)


def field_name(name: str) -> str:
    """What C calls a field of a record: only words that the compiler itself knows are in its way."""
    return f"{name}_" if name in _WORDS or (name.isupper() and name in _in_headers(_WORD)) else name


def local_name(name: str, taken: Collection[str]) -> str:
    """What C calls a parameter or a variable, other than the names that are taken."""
    # Constants, types and macros are in capitals, and none of them ends like this.
    if (
        name in _WORDS
        or name in _in_headers(_CALLED)
        or name != name.lower()
        or _MADE.fullmatch(name)
    ):
        name = f"of_{name}_"
    while name in taken:
        name += "_"
    return name


def is_free_outside(name: str) -> bool:
    """Whether a rule or a constant can have that name in C."""
    return not (
        name in _WORDS
        or name in _in_headers(_CALLED)
        or (name != name.lower() and (name in _in_headers(_WORD) or not name.isupper()))
        or (name.startswith("of_") and name.endswith("_"))
        or name in f"{_LIBRARY} {_FILE}".split()
        or _MADE.fullmatch(name) is not None
    )
