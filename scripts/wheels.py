"""Build the source archive and a wheel for every kind of machine: `python -m scripts.wheels`.

The rules are compiled for each target by zig (`lampion.core.native.targets`), so one machine makes
all wheels. They are built from the source archive, not from this tree: the modules that this
machine plays with stay where they are.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

from lampion.core.native.targets import WHEELS, Target
from lampion.terminal import note

ROOT = Path(__file__).parent.parent
UV = str(ROOT / "scripts" / "uv")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder to write to")
    parser.add_argument(
        "--targets",
        nargs="*",
        default=[str(target) for target in WHEELS],
        help="such as aarch64-macos; all by default",
    )
    given = parser.parse_args()
    source = build_source(given.out)
    for target in WHEELS:
        if str(target) in given.targets:
            note(f"building the wheel for {target} ...")
            build_wheel(source, target, given.out)


def build_source(out: Path) -> Path:
    note("building the source archive ...")
    run("build", "--sdist", "--out-dir", str(out), str(ROOT))
    return max(out.glob("lampion-*.tar.gz"), key=lambda path: path.stat().st_mtime)


def build_wheel(source: Path, target: Target, out: Path) -> None:
    run("build", "--wheel", "--out-dir", str(out), str(source), LAMPION_TARGET=str(target))


def run(*words: str, **environment: str) -> None:
    subprocess.run([UV, *words, "--quiet"], check=True, env=os.environ | environment)


if __name__ == "__main__":
    main()
