"""The games outside the package, as installing them leaves them behind."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.support import EXAMPLES

FOLDER = Path(__file__).parent.parent.parent / "examples"


def install(folder: Path) -> Path:
    """What installing `examples` leaves behind: the packages, and a note of their entry points."""
    folder.mkdir(exist_ok=True)
    for name in EXAMPLES:
        shutil.copytree(FOLDER / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    note = folder / "lampion_examples-0.1.0.dist-info"
    note.mkdir()
    (note / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: lampion-examples\nVersion: 0.1.0\n"
    )
    points = "".join(f"{name} = {name}\n" for name in EXAMPLES)
    (note / "entry_points.txt").write_text(f"[lampion.games]\n{points}")
    return folder
