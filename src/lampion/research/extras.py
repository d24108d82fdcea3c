"""What the research kit needs beyond the core, and a clear word where it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Around imports: the error for a missing library names the extra of Lampion that provides it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        message = f"{missing.name} is not installed; `pip install 'lampion[{name}]'` brings it"
        raise ModuleNotFoundError(message, name=missing.name) from None
