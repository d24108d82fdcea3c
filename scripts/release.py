"""Make everything that a release consists of, in dist: `python -m scripts.release`, or
`make release`.

    lampion-VERSION.tar.gz        the source archive, with the client and the documentation built
    lampion-VERSION-cp311-*.whl   a wheel for each platform, with compiled rules
    lampion-VERSION-py3-*.whl     a wheel for every other platform: it compiles the rules on first
                                  use, or runs them as plain Python
    lampion-VERSION.cdx.json      the software bill of materials of a server (CycloneDX)
    NOTES.md                      the notes, from CHANGELOG.md

The wheels that this machine can run are installed into empty environments and play a game there.
docs/releasing.md says what to do before and after.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import lampion
from lampion.core.native.targets import WHEELS
from lampion.terminal import note
from scripts import wheels
from scripts.site.build import OUT, build

ROOT = Path(__file__).parent.parent
CHANGELOG = ROOT / "CHANGELOG.md"
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
PLAYS = """
import lampion
assert lampion.__version__ == "{version}", lampion.__version__
match = lampion.new("lumens", players=2, seed=1)
while not match.is_over:
    match.submit(match.legal_actions()[0])
assert lampion.verify(lampion.dump(match)) > 0
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder to write to")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    version = lampion.__version__
    (out / "NOTES.md").write_text(notes(CHANGELOG.read_text("utf-8"), version), "utf-8")
    note("building the documentation ...")
    if build(OUT):
        sys.exit("the documentation has warnings")
    made = wheels.make(out, WHEELS)
    bill = json.dumps(materials(version), indent=2) + "\n"
    (out / f"lampion-{version}.cdx.json").write_text(bill, "utf-8")
    for wheel, target in zip(made, [*WHEELS, None], strict=True):
        if target is None or target.is_here:
            note(f"checking {wheel.name} in an empty environment ...")
            check(wheel, version)


def notes(changelog: str, version: str) -> str:
    """The section of a version. The last one before a release may still be called Unreleased, if
    it names the version."""
    titles = [(found.start(), found[1]) for found in _SECTION.finditer(changelog)]
    ends = [start for start, _ in titles[1:]] + [len(changelog)]
    for (start, title), end in zip(titles, ends, strict=True):
        if re.search(rf"(?<![\d.]){re.escape(version)}(?![\d.])", title):
            body = changelog[start:end].partition("\n")[2].strip()
            return f"# Lampion {version}\n\n{body}\n"
    sys.exit(f"CHANGELOG.md has no section for {version}")


def materials(version: str) -> dict[str, Any]:
    """What a server with PostgreSQL consists of, from the lock file."""
    extras = ["--extra", "server", "--extra", "postgres"]
    words = ["export", "--quiet", "--frozen", "--no-dev", *extras, "--format", "cyclonedx1.5"]
    done = subprocess.run(
        [wheels.UV, *words, "--preview-features", "sbom-export"],
        check=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    found["metadata"]["component"]["version"] = version
    return found


def check(wheel: Path, version: str) -> None:
    """Install a wheel with nothing around it and play a game."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "env"
        subprocess.run([wheels.UV, "venv", "--quiet", str(environment)], check=True)
        python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        words = ["pip", "install", "--quiet", "--python", str(python), str(wheel)]
        subprocess.run([wheels.UV, *words], check=True)
        subprocess.run([str(python), "-c", PLAYS.format(version=version)], check=True, cwd=folder)


if __name__ == "__main__":
    main()
