"""The picture of a table that goes with a link to it (Open Graph), and the words beside it.

Everyone who gets a link may see it, and others keep it for ever: so there are no names in it, at no
table, and of the game only what a spectator sees. An open table has nothing to show yet; it gets a
game of the same kind that nobody has played.

    the facts of a table ──> a drawing of 1200 by 630 ──> PNG, in another process, kept in memory
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec

from lampion.core.errors import LampionError
from lampion.core.game import find_game
from lampion.core.messages import text
from lampion.core.types import SPECTATOR
from lampion.games import art
from lampion.matches import new
from lampion.server import wire
from lampion.server.play.scheduler import Scheduler
from lampion.server.play.workers import Workers
from lampion.server.store.base import SeatKind
from lampion.server.tables.rooms import Rooms
from lampion.server.tables.table import Table

WIDTH, HEIGHT = 1200, 630
"""What the sites that show link previews ask for."""
DRAWING = (600.0, 35.0, 560.0, 560.0)
"""Where the game is: left, top, width, height."""
MARGIN = 60.0
SAMPLE_PLIES = 30
SAMPLE_SEED = 1
MOST_KEPT = 40
EXPECTED_SECONDS = 0.8
SECTION = "invite"


class PictureFacts(msgspec.Struct, frozen=True):
    """All that a picture depends on. Nothing in it is anybody's secret."""

    game: str = ""
    """Empty for the picture of the site itself."""
    players: int = 0
    free: int = 0
    status: str = ""
    pace: wire.Pace = msgspec.field(default_factory=wire.NoClock)
    table: str = ""
    """Empty as long as nothing has happened there."""
    ply: int = 0

    def name(self, language: str) -> str:
        """The same for the same picture."""
        key = msgspec.json.encode((language, self))
        return hashlib.sha256(key).hexdigest()[:20]


SITE = PictureFacts()


def facts_of(table: Table) -> PictureFacts:
    seats = [seat.kind for seat in table.seats]
    return PictureFacts(
        table.row.game,
        table.row.players,
        seats.count(SeatKind.OPEN),
        table.status,
        table.pace,
        table.row.id if table.match else "",
        table.ply,
    )


class Pictures:
    def __init__(self, rooms: Rooms, scheduler: Scheduler, workers: Workers) -> None:
        self._rooms = rooms
        self._scheduler = scheduler
        self._workers = workers
        self._kept: OrderedDict[str, asyncio.Task[bytes]] = OrderedDict()
        """By the name of the picture; one that is being drawn is waited for, not drawn twice."""

    async def facts(self, table: str) -> PictureFacts:
        """Those of the site for a table that nobody knows or that cannot be read."""
        try:
            return facts_of((await self._rooms.room(table)).table)
        except LampionError:
            return SITE

    async def png(self, facts: PictureFacts, language: str, owner: str) -> bytes:
        name = facts.name(language)
        task = self._kept.get(name)
        if task is None:
            draw = partial(self._drawn, facts, language)
            task = asyncio.ensure_future(self._scheduler.do(owner, EXPECTED_SECONDS, draw))
            task.add_done_callback(partial(self._finished, name))
            self._kept[name] = task
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(name)
        return await asyncio.shield(task)

    def _finished(self, name: str, task: asyncio.Task[bytes]) -> None:
        """What was refused is not kept."""
        if (task.cancelled() or task.exception()) and self._kept.get(name) is task:
            del self._kept[name]

    async def _drawn(self, facts: PictureFacts, language: str) -> bytes:
        """In another process: the renderer holds the lock of the interpreter for half a second."""
        return await self._workers.do(png, facts, language, await self._view(facts))

    async def _view(self, facts: PictureFacts) -> dict[str, Any] | None:
        """None if nobody plays there yet."""
        if not facts.game:
            return None
        await self._rooms.readiness.wait(facts.game)
        if not facts.table:
            return None
        match = (await self._rooms.room(facts.table)).table.match
        return match.view(SPECTATOR) if match else None


def _sample(game: str, players: int) -> dict[str, Any]:
    """A position of a game that nobody plays, always the same."""
    match, chosen = new(game, players, seed=SAMPLE_SEED), random.Random(SAMPLE_SEED)
    while match.ply < SAMPLE_PLIES and not match.is_over:
        match.submit(chosen.choice(match.legal_actions()))
    return match.view(SPECTATOR)


# --- words ---


def title(facts: PictureFacts, language: str) -> str:
    if not facts.game:
        return text(SECTION, "title", language)
    return text(SECTION, f"title.{facts.status}", language, game=_game(facts))


def description(facts: PictureFacts, language: str) -> str:
    return " · ".join(_lines(facts, language))


def _lines(facts: PictureFacts, language: str) -> list[str]:
    if not facts.game:
        return [text(SECTION, "more", language)]
    lines = [_pace(facts.pace, language)]
    if facts.free:
        lines.insert(0, _counted("free", facts.free, language))
    return lines


def _pace(pace: wire.Pace, language: str) -> str:
    match pace:
        case wire.Days(days):
            return _counted("days", days, language)
        case wire.Clock(seconds, increment):
            minutes = f"{seconds / 60:g}"
            key = "clock.more" if increment else "clock"
            return text(SECTION, key, language, minutes=minutes, seconds=increment)
    return text(SECTION, "no-clock", language)


def _counted(key: str, count: int, language: str) -> str:
    return text(SECTION, f"{key}.one" if count == 1 else key, language, count=count)


def _game(facts: PictureFacts) -> str:
    return find_game(facts.game).TITLE.partition(":")[0]


# --- the drawing ---


def svg(facts: PictureFacts, language: str, view: Mapping[str, Any] | None) -> art.Svg:
    parts = [
        art.element("rect", width=WIDTH, height=HEIGHT, fill=art.GROUND),
        art.element("rect", y=HEIGHT - 12, width=WIDTH, height=12, fill=art.GOLD),
        *_words(facts, language),
        *_seats(facts),
    ]
    if view is not None:
        parts.append(_drawing(facts.game, view))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' font-family="{art.safe(art.TEXT_FONTS)}">{"".join(parts)}</svg>'
    )


def _words(facts: PictureFacts, language: str) -> list[art.Svg]:
    name = _game(facts) if facts.game else "Lampion"
    lines = [art.label("Lampion", MARGIN, 80, 30, fill=art.NIGHT_TEXT_QUIET, text_anchor="start")]
    lines += [
        art.label(
            art.shortened(name, 18), MARGIN, 190, 64, fill=art.GOLD, text_anchor="start",
            font_family=art.TITLE_FONTS,
        )
    ]  # fmt: skip
    for number, line in enumerate(_lines(facts, language)):
        shown = art.shortened(line, 40)
        lines.append(art.label(shown, MARGIN, 280 + 50 * number, 32, text_anchor="start"))
    return lines


def _seats(facts: PictureFacts) -> list[art.Svg]:
    """A light for everybody who has come; a ring for every seat that waits. They need no font."""
    seats = []
    for number in range(facts.players):
        x = MARGIN + 36 + 92 * number
        is_free = number >= facts.players - facts.free
        look: dict[str, art.Value] = (
            {"fill": "none", "stroke": art.GOLD, "stroke_width": 4, "stroke_dasharray": "8 8"}
            if is_free
            else {"fill": art.GOLD}
        )
        seats.append(art.circle(x, 480, 34, **look))
    return seats


def _drawing(game: str, view: Mapping[str, Any]) -> art.Svg:
    """The game's own drawing. Names are left out whatever they are."""
    names = [f"Player {number}" for number in range(1, len(view["names"]) + 1)]
    drawn = find_game(game).draw_svg({**view, "names": names})
    left, top, width, height = DRAWING
    address = f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
    return art.element("image", x=left, y=top, width=width, height=height, href=address)


def png(facts: PictureFacts, language: str, view: Mapping[str, Any] | None) -> bytes:
    """The picture; of a game that nobody plays yet, with a sample of it."""
    from resvg_py import svg_to_bytes  # when the first picture is asked for

    if facts.game and view is None:
        view = _sample(facts.game, facts.players)
    drawn = svg(facts, language, view)
    return bytes(svg_to_bytes(svg_string=drawn, width=WIDTH, height=HEIGHT))


def language_for(accepted: str, known: list[str], default: str) -> str:
    """The first language of an Accept-Language header that there are catalogs for."""
    wanted = (each.partition(";")[0].strip().lower()[:2] for each in accepted.split(","))
    return next((language for language in wanted if language in known), default)
