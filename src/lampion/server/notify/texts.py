"""What notifications say, in the language of the person."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from lampion.core.errors import UnknownGame
from lampion.core.game import find_game
from lampion.core.messages import text
from lampion.server.store.base import NoticeKind, OutboxRow, SeatRow, TableRow
from lampion.server.tables.table import Question

SECTION, HOME = "notify", "/"
MOST_LINES = 6
MOST_NAMES = 3
"""A push message has room for about 4000 bytes, a message on Discord for 2000 letters."""
BREAKS = ("Cc", "Zl", "Zp")
"""Unicode's categories of control characters and line breaks."""


class Message(msgspec.Struct, frozen=True):
    """One notification, whichever way it goes out."""

    id: str
    """The same at every try: receivers can tell a message that they have already."""
    kind: str
    """A NoticeKind, or `several`, or `test`."""
    title: str
    body: str
    path: str
    """The page to open, below the base of the site."""
    tag: str
    """A newer message with the same tag replaces an older one."""
    language: str
    waiting: int
    """How many tables wait for the person."""
    until_ms: int | None = None
    """When the last move that it calls for is over; None if nothing runs out."""


Send = Callable[[Message], Awaitable[None]]
"""On a line that is open. Nothing has gone out before it is called; it may raise `NotDelivered`,
`InDoubt` or `Gone`."""


class About(msgspec.Struct, frozen=True):
    """A notice with what is to be said about its table."""

    notice: OutboxRow
    table: TableRow
    seats: list[SeatRow]
    question: Question | None = None
    """What the person is asked."""
    until_ms: int | None = None
    """When it is too late for the move that it calls for."""


def message(notices: Sequence[About], language: str, waiting: int) -> Message:
    """Several notices become one message."""
    untils = [about.until_ms for about in notices if about.until_ms is not None]
    until_ms = max(untils) if len(untils) == len(notices) else None
    return replace(_message(notices, language, waiting), until_ms=until_ms)


def _message(notices: Sequence[About], language: str, waiting: int) -> Message:
    name = _name(notices)
    latest = {about.table.id: about for about in notices}
    if len(latest) == 1:
        return _of_table(name, notices, language, waiting)
    title = say("several", language, count=len(latest))
    lines = [f"{_headline(about, language)}: {_game(about, language)}" for about in latest.values()]
    if len(lines) > MOST_LINES:
        more = len(lines) - MOST_LINES + 1
        lines[MOST_LINES - 1 :] = [say("more", language, count=more)]
    return Message(name, "several", title, "\n".join(lines), HOME, "tables", language, waiting)


def _name(notices: Sequence[About]) -> str:
    """The same for the same notices, and another as soon as one is added: a device that has shown
    the first must not take the second for it."""
    names = sorted(about.notice.id for about in notices)
    if len(names) == 1:
        return names[0]
    return f"several.{hashlib.sha256(' '.join(names).encode()).hexdigest()[:32]}"


def _of_table(name: str, notices: Sequence[About], language: str, waiting: int) -> Message:
    """What happened last is the title; what else is still to be known about the table follows."""
    last = notices[-1]
    row, title = last.notice, _headline(last, language)
    others = dict.fromkeys(_headline(about, language) for about in notices)
    lines = [_game(last, language), *(other for other in others if other != title)]
    if row.kind in (NoticeKind.TURN, NoticeKind.ASKED) and waiting > 1:
        lines.append(say("waiting", language, count=waiting))
    tag = "tables" if row.kind in (NoticeKind.TURN, NoticeKind.SOON) else f"table-{row.table_id}"
    return Message(name, row.kind, title, "\n".join(lines), _path(row), tag, language, waiting)


def test_message(way: str, now_ms: int, language: str, waiting: int) -> Message:
    title, body = say("test", language), say("test.more", language)
    return Message(f"test.{way}.{now_ms}", "test", title, body, HOME, "test", language, waiting)


def say(key: str, language: str, **values: object) -> str:
    return text(SECTION, key, language, **values)


def host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


def _headline(about: About, language: str) -> str:
    question = about.question
    if question is None:
        return say(about.notice.kind, language)
    name = _plain(about.seats[question.by].name or "") or say("somebody", language)
    return say(f"asked.{question.what}", language, name=name)


def _path(row: OutboxRow) -> str:
    """The page begins where the person was told to come: it can show what happened since."""
    return f"/t/{row.table_id}" + (f"?ply={row.ply}" if row.ply else "")


def _game(about: About, language: str) -> str:
    names = [
        _plain(seat.name)
        for seat in about.seats
        if seat.name and seat.person_id not in (None, about.notice.person_id)
    ]
    title = _title(about.table.game)
    if len(names) > MOST_NAMES:
        names[MOST_NAMES - 1 :] = ["…"]
    return say("with", language, game=title, names=", ".join(names)) if names else title


def _plain(name: str) -> str:
    """A name on one line: a title is a header of a letter, and a line break in it would be refused."""
    return "".join(" " if unicodedata.category(letter) in BREAKS else letter for letter in name)


def _title(game: str) -> str:
    try:
        return find_game(game).TITLE.partition(":")[0]
    except UnknownGame:
        return game
