"""The page about changing a rule is true: its diff applies to the tree as it is, changes four files
of one game, and with it every event still keeps its promise."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "changing_a_rule.md"
MOST_PLACES = 4

PLAY = """
import itertools, random
from lampion.testing.folding import play_and_check
from tests.support import Case

for number in itertools.count():
    match = Case("lanterns", 4, {}).without_chance()
    play_and_check(match, random.Random(number), longest=8)
    told = [event for ply in range(match.ply) for event in match.events(ply)]
    given = [event for event in told if event.get("cause") == "comfort"]
    if given:
        break
assert {(event["what"], event["from"], event["count"]) for event in given} == {("favor", "bank", 1)}
none = [event for event in told if event.get("reason") == "pile-is-empty"]
assert len(none) == len(given), "a favor for every card that was not there"
"""
"""Random games with the new rule, until one has an empty pile."""


def test_the_diff_of_the_page_changes_the_rule_in_four_places(tmp_path: Path) -> None:
    found = re.search(r"^```diff\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found
    places = re.findall(r"^\+\+\+ b/(.+)$", found[1], re.MULTILINE)
    assert len(places) <= MOST_PLACES
    assert {Path(place).parent.as_posix() for place in places} == {"src/lampion/games/lanterns"}

    made = shutil.ignore_patterns("static", "compiled", "__pycache__")
    shutil.copytree(ROOT / "src" / "lampion", tmp_path / "src" / "lampion", ignore=made)
    alone = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}
    subprocess.run(
        ["git", "apply", "-"], input=found[1], text=True, cwd=tmp_path, check=True, env=alone
    )
    path = os.pathsep.join([str(tmp_path / "src"), str(ROOT)])
    plain = {**os.environ, "PYTHONPATH": path, "LAMPION_COMPILE": "0"}
    subprocess.run([sys.executable, "-c", PLAY], check=True, env=plain)
