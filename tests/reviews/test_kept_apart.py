"""The value function sees all hands. Nothing that plays or advises may know it."""

from __future__ import annotations

import subprocess
import sys

import pytest

ADVISERS = (
    "lampion.bots.analysis",
    "lampion.bots.external",
    "lampion.bots.levels",
    "lampion.bots.task",
    "lampion.server.play.duties",
    "lampion.server.play.thinking",
    "lampion.server.study.hints",
    "lampion.server.study.lessons",
    "lampion.server.study.suggestions",
    "lampion.server.study.tasks",
)
ASKED = """
import importlib, sys
import lampion
importlib.import_module({module!r})
for name in lampion.game_names():
    lampion.find_game(name)
    for part in ("knowledge", "knowledge_net"):
        try:
            importlib.import_module(f"lampion.games.{{name}}.{{part}}")
        except ModuleNotFoundError:
            pass
print([name for name in sys.modules if "lampion.reviews" in name or name.endswith("value_net")])
"""


@pytest.mark.parametrize("module", ADVISERS)
def test_what_plays_or_advises_never_loads_the_value_function(module: str) -> None:
    """Imports of imports count."""
    code = ASKED.format(module=module)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_check_would_find_it() -> None:
    code = ASKED.format(module="lampion.reviews.ledger")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "lampion.reviews.values" in done.stdout
