"""Drawings follow from the view alone: the same in every process, so that they can be cached and
compared."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.support import OWN

DRAW = """
import sys, lampion
for name in sys.argv[1:]:
    match = lampion.new(name, 2, seed=1)
    for _ in range(12):
        match.submit(match.legal_actions()[-1])
    print(match.game.draw_svg(match.view(0)), match.game.draw_text(match.view(0)))
"""


def test_drawings_are_the_same_in_every_process() -> None:
    """Python orders sets of texts by chance, differently in each process."""
    drawn = {
        subprocess.run(
            [sys.executable, "-c", DRAW, *OWN],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(drawn) == 1
