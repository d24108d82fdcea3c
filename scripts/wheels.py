"""Build the source archive, a wheel for each platform, and one for all others:
`python -m scripts.wheels`.

The rules are compiled for each target by zig (`lampion.core.native.targets`), so one machine makes
all wheels. They are built from the source archive, not from this tree, so the modules that this
machine plays with stay where they are. The wheel for all other platforms has the same files without
compiled rules.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import subprocess
import zipfile
from collections.abc import Iterable
from pathlib import Path

from lampion.core.native.targets import WHEELS, Target
from lampion.terminal import note

ROOT = Path(__file__).parent.parent
UV = str(ROOT / "scripts" / "uv")
COMPILED = "lampion/compiled/"
FOR_ALL = "py3-none-any"


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
    make(given.out, [target for target in WHEELS if str(target) in given.targets])


def make(out: Path, targets: Iterable[Target]) -> list[Path]:
    """The wheels, the one for all platforms last."""
    source = build_source(out)
    made = []
    for target in targets:
        note(f"building the wheel for {target} ...")
        made.append(build_wheel(source, target, out))
    return [*made, without_compiled(made[0])] if made else []


def build_source(out: Path) -> Path:
    note("building the source archive ...")
    run("build", "--sdist", "--out-dir", str(out), str(ROOT))
    return newest(out, "lampion-*.tar.gz")


def build_wheel(source: Path, target: Target, out: Path) -> Path:
    run("build", "--wheel", "--out-dir", str(out), str(source), LAMPION_TARGET=str(target))
    return newest(out, "lampion-*.whl")


def newest(folder: Path, pattern: str) -> Path:
    return max(folder.glob(pattern), key=lambda path: path.stat().st_mtime)


def without_compiled(wheel: Path) -> Path:
    """The same wheel for any platform: rules are compiled where it is installed, on first use."""
    name, version, *_ = wheel.name.split("-")
    made = wheel.with_name(f"{name}-{version}-{FOR_ALL}.whl")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        rows = []
        for info in old.infolist():
            if info.filename.startswith(COMPILED) or info.filename.endswith("/RECORD"):
                continue
            content = old.read(info)
            if info.filename.endswith(".dist-info/WHEEL"):
                content = _for_all(content.decode()).encode()
            new.writestr(info, content, zipfile.ZIP_DEFLATED)
            rows.append(_row(info.filename, content))
        record = f"{name}-{version}.dist-info/RECORD"
        new.writestr(record, "\n".join([*rows, f"{record},,", ""]))
    return made


def _for_all(text: str) -> str:
    kept = [line for line in text.splitlines() if not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    return "\n".join([*filter(None, kept), "Root-Is-Purelib: true", f"Tag: {FOR_ALL}", ""])


def _row(path: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(content)}"


def run(*words: str, **environment: str) -> None:
    subprocess.run([UV, *words, "--quiet"], check=True, env=os.environ | environment)


if __name__ == "__main__":
    main()
