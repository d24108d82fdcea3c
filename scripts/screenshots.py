"""Take the pictures of the main pages into docs/pictures/screens, on a desk and on a phone, from a server of its own."""

from __future__ import annotations

import base64
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.server.support import Json, Person, Server
from tests.web.support import DESKTOP, GAMES, PHONE, welcome

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures" / "screens"
QUALITY = 78
STILL = """() => Promise.allSettled(
  document.getAnimations().filter((each) => each.effect.getTiming().iterations < 9).map((each) => each.finished)
)"""
SIZES: dict[str, dict[str, Any]] = {"desk": {"viewport": DESKTOP}, "phone": PHONE}
MOVES = {"lanterns": 14, "lanterns_dice": 30, "lumens": 12}
"""After this many moves of the player, a game looks played."""


def play_some(person: Person, game: str) -> Json:
    """A table of three in mid-game; the player's moves are those of the hints."""
    table = person.table("me", "novice", "novice", game=game)
    for _ in range(MOVES[game]):
        update = turn_of(person, table)
        hint = person.call(
            "POST", f"/api/tables/{table['id']}/hint", {"seat": update["seat"], "language": "en"}
        )
        person.act(table, update, hint["moves"][0]["action"])
    turn_of(person, table)
    return table


def turn_of(person: Person, table: Json) -> Json:
    while not (update := person.update(table))["legal"]:
        pass
    return update


def shoot(page: Page, name: str) -> None:
    """WebP by the browser itself: a third of the size of PNG."""
    page.wait_for_load_state("networkidle")
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.evaluate(STILL)
    wanted = {"format": "webp", "quality": QUALITY}
    picture = page.context.new_cdp_session(page).send("Page.captureScreenshot", wanted)["data"]
    file = FOLDER / f"{name}.webp"
    file.write_bytes(base64.b64decode(picture))
    print(f"{file.relative_to(ROOT)}  {file.stat().st_size // 1000} kB")


def take_all(browser: Browser, server: Server) -> None:
    person = Person(server, "Ada")
    tables = {game: play_some(person, game)["id"] for game in GAMES}
    pages = {
        "home": "/",
        **{game: f"/t/{table}" for game, table in tables.items()},
        "rules": "/rules/lumens",
        "guide": "/learn/lanterns",
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
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(f"{folder}/lampion.db") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        take_all(browser, server)
        browser.close()


if __name__ == "__main__":
    main()
