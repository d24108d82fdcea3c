"""C compilers, and what they are told.

`ziglang`, a package on the Python index, is a whole C compiler for every system; where it is not installed
the system's own will do. What is told to them keeps arithmetic the same everywhere: no fused multiply-add,
no reordering of floats, signed integers that wrap around.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from lampion.core.native.variants import CHECKED, processor

_ALWAYS = ("-std=gnu11", "-w", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden")
_FAST = ("-O2", "-fwrapv", "-fno-sanitize=undefined", "-s")
_CHECKED = ("-O1", "-g", "-DLAMPION_CHECKED")
_SANITIZER = ("-fsanitize=undefined", "-fno-sanitize-recover=undefined")


@dataclass(frozen=True)
class Compiler:
    """A C compiler, by the words that start it."""

    command: tuple[str, ...]
    is_zig: bool

    def shared_library(self, source: Path, made: Path, variant: str) -> Path:
        """Compile an extension of Python."""
        flags = [*_ALWAYS, "-shared", "-fPIC", *self._flags(variant), *self._linking()]
        self._run(*flags, "-o", str(made), str(source))
        return made

    def web_assembly(self, source: Path, made: Path) -> Path:
        """Compile a module for browsers; only zig has the means for it everywhere."""
        assert self.is_zig, "WebAssembly is made with ziglang"
        target = (
            "-target",
            "wasm32-freestanding",
            "-mcpu=generic+bulk_memory+bulk_memory_opt+simd128",
            "-nostdlib",
            "-Wl,--no-entry",
        )
        flags = [*_ALWAYS, *_FAST, *target, "-Wl,--export=__heap_base", "-Wl,-z,stack-size=1048576"]
        self._run(*flags, "-o", str(made), str(source))
        return made

    def _flags(self, variant: str) -> list[str]:
        if variant == CHECKED:
            sanitizer = (*_SANITIZER, "-fsanitize-trap=undefined") if self.is_zig else _SANITIZER
            return [*_CHECKED, *sanitizer]
        if not variant.startswith("x86_64"):
            return [*_FAST]
        return [
            *_FAST,
            f"-mcpu={variant}" if self.is_zig else f"-march={variant.replace('_', '-')}",
        ]

    def _linking(self) -> list[str]:
        """How the functions of Python are found: they are already in the process that loads the module."""
        if sys.platform == "darwin":
            return ["-undefined", "dynamic_lookup"]
        if sys.platform == "win32":
            return [f"-L{Path(sys.base_prefix) / 'libs'}", "-lpython3"]
        if self.is_zig:
            # An old glibc, so that a wheel runs everywhere; nothing of it is needed but memset and memcpy.
            return ["-target", f"{processor()}-linux-gnu.2.17", "-nostdlib", "-Wl,-z,undefs"]
        return []

    def _run(self, *words: str) -> None:
        environment = {**os.environ, "LC_ALL": "C"}
        subprocess.run(
            [*self.command, *words], check=True, capture_output=True, text=True, env=environment
        )


def find() -> Compiler | None:
    """A C compiler of this machine: ziglang if it is installed, otherwise the system's own. `LAMPION_CC` names another."""
    if wanted := os.environ.get("LAMPION_CC"):
        path = shutil.which(wanted)
        return Compiler((path,), is_zig=False) if path else None
    if importlib.util.find_spec("ziglang"):
        return Compiler((sys.executable, "-m", "ziglang", "cc"), is_zig=True)
    for name in ("clang", "cc", "gcc"):
        if path := shutil.which(name):
            return Compiler((path,), is_zig=False)
    return None
