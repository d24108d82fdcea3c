"""Take the pictures of the main pages into docs/pictures/screens, on a desk and on a phone, from a server of its own."""

from __future__ import annotations

import base64
import random
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from lampion.bots.base import Budget
from lampion.bots.search import Greedy
from lampion.core.rng import new_rng
from tests.server.support import Json, Person, Server, play_live
from tests.web.positions import Moment, Shelf, shelve
from tests.web.support import DESKTOP, PHONE, welcome

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures" / "screens"
QUALITY = 78
STILL = """() => Promise.allSettled(
  document.getAnimations().filter((each) => each.effect.getTiming().iterations < 9).map((each) => each.finished)
)"""
SIZES: dict[str, dict[str, Any]] = {"desk": {"viewport": DESKTOP}, "phone": PHONE}
NAMES = ("Ada", "Milo", "Iris")


def sensible(update: Json) -> list[str]:
    """What a simple bot would do."""
    match, seat = update["match"], update["seat"]
    legal = match.legal_ids(seat)
    action = Greedy().choose(match.seen_from(seat), seat, legal, Budget(), new_rng(match.ply))
    return [match.action_text(action, seat)]


PLAYED = (
    Moment(
        "played", "lanterns", 3, 1, lambda update: len(update["view"]["lake"]) > 20, sensible, NAMES
    ),
    Moment(
        "played", "lanterns_dice", 3, 1, lambda update: asks_in_turn(update, 4), sensible, NAMES
    ),
    Moment(
        "played",
        "lumens",
        3,
        1,
        lambda update: len(update["view"]["squares"]) > 20,
        sensible,
        NAMES,
    ),
)
"""Games that look played."""


def asks_in_turn(update: Json, number: int) -> bool:
    view = update["view"]
    return bool(view["turn"]["number"] >= number and view["seats"][0]["choice"] == "die")


def finished(person: Person) -> str:
    """The id of a game that is over."""
    table = person.table("me", "learner", "learner", game="lumens")
    play_live(person, table, random.Random(11))
    return str(table["id"])


def lobby(server: Server, host: Person) -> str:
    """The id of a table that still waits for a player; a guest has joined and asked something."""
    table = host.table(
        "me",
        "open",
        "open",
        game="lanterns",
        pace={"kind": "clock", "seconds": 900, "increment": 10},
    )
    guest = Person(server, "Milo")
    guest.join(table)
    guest.command(table, "say", text="Is Iris coming, too?")
    return str(table["id"])


def shoot(page: Page, name: str) -> None:
    """WebP by the browser itself: a third of the size of PNG."""
    page.wait_for_load_state("networkidle")
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.evaluate(STILL)
    wanted = {"format": "webp", "quality": QUALITY}
    picture = page.context.new_cdp_session(page).send("Page.captureScreenshot", wanted)["data"]
    file = FOLDER / f"{name}.webp"
    file.write_bytes(base64.b64decode(picture))
    print(f"{file.relative_to(ROOT)}  {file.stat().st_size // 1000} kB", flush=True)


def take_all(browser: Browser, server: Server) -> None:
    person = Shelf(server, {}).player
    person.call("PATCH", "/api/me", {"name": NAMES[0]})
    tables = {moment.game: moment.table for moment in PLAYED}
    pages = {
        "home": "/",
        **{game: f"/t/{table}" for game, table in tables.items()},
        "rules": "/rules/lumens",
        "guide": "/learn/lanterns",
        "lobby": f"/t/{lobby(server, person)}",
        "result": f"/result/{(over := finished(person))}",
        "replay": f"/replay/{over}?ply=40",
    }
    for size, options in SIZES.items():
        visitor = welcome(browser, server, color_scheme="dark", **options)
        visitor.sit_as(person)
        for name, path in pages.items():
            shoot(visitor.open(path), f"{name}-{size}")
        visitor.leave()
    light = welcome(browser, server, color_scheme="light")
    light.sit_as(person)
    light.prefer(theme="mist")
    shoot(light.open(pages["lumens"]), "mist-desk")
    light.leave()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = subprocess.run(
        [str(ROOT / "scripts" / "browser")], check=True, capture_output=True, text=True
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        shelve(database := Path(folder) / "lampion.db", PLAYED)
        with Server(str(database), env={}) as server, sync_playwright() as playwright:
            take(server, playwright, path)


def take(server: Server, playwright: Playwright, path: str) -> None:
    flags = ["--no-sandbox", "--disable-gpu"]
    browser = playwright.chromium.launch(executable_path=path, args=flags)
    take_all(browser, server)
    browser.close()


if __name__ == "__main__":
    main()
