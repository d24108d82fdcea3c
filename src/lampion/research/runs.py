"""What a training run leaves behind: a curve as CSV, and its settings, versions and strength as JSON."""

from __future__ import annotations

import csv
import json
import platform
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click

import lampion
from lampion.arena.ratings import Rating

CURVE, RESULT = "curve.csv", "result.json"
LIBRARIES = ("numpy", "gymnasium", "torch", "stable_baselines3", "sb3_contrib")

Row = Mapping[str, float]


class TrainingRun:
    """A training run that is going on. Every row gets the time that passed since the beginning:
    processor time of this process, and time on the wall."""

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self.folder, self.rows = folder, list[dict[str, float]]()
        self._settings = {name: _plain(value) for name, value in settings.items() if name != "out"}
        self._began = time.process_time(), time.perf_counter()
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, row: Row) -> None:
        """The same columns every time; an interrupted run leaves the rows so far."""
        spent = time.process_time() - self._began[0], time.perf_counter() - self._began[1]
        times = {"processor_seconds": round(spent[0], 1), "seconds": round(spent[1], 1)}
        self.rows.append({**row, **times})
        click.echo(self.rows[-1], err=True)
        with (self.folder / CURVE).open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, list(self.rows[0]), lineterminator="\n")
            table.writeheader()
            table.writerows(self.rows)

    def finish(self, strength: Sequence[Rating] = ()) -> None:
        """Write the result; `strength` is what `arena.meeting.meet` returns."""
        ratings = [
            {name: value if name == "bot" else round(value, 3) for name, value in found.items()}
            for found in (one._asdict() for one in strength)
        ]
        result = {
            "settings": self._settings,
            "versions": versions(),
            "last": self.rows[-1],
            "strength": ratings,
        }
        (self.folder / RESULT).write_text(json.dumps(result, indent=2) + "\n", "utf-8")


def read_curve(folder: Path) -> list[dict[str, float]]:
    with (folder / CURVE).open(newline="", encoding="utf-8") as file:
        return [{name: float(text) for name, text in row.items()} for row in csv.DictReader(file)]


def read_result(folder: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((folder / RESULT).read_text("utf-8"))
    return result


def versions() -> dict[str, str]:
    """Of Python, Lampion and the libraries that are installed."""
    found = {"python": platform.python_version(), "lampion": lampion.__version__}
    return found | {name: number for name in LIBRARIES if (number := _version(name))}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float | str | list | None) else str(value)
