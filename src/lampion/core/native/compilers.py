"""C compilers, and what they are told.

`ziglang`, a package on the Python index, is a whole C compiler for every system; where it is not installed
the system's own will do. What is told to them keeps arithmetic the same everywhere: no fused multiply-add,
no reordering of floats, signed integers that wrap around.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lampion.core.native.targets import Target
from lampion.core.native.variants import CHECKED

_ALWAYS = ("-std=gnu11", "-w", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden")
_FAST = ("-O2", "-fwrapv", "-fno-sanitize=undefined", "-s")
_CHECKED = ("-O1", "-g", "-DLAMPION_CHECKED")
_WINDOWS = {"vcruntime140": ("memcpy", "memmove", "memset"), "ntdll": ("__chkstk",)}
"""All that compiled rules need of a C library, by the DLL that has it in every Python process."""
_SANITIZER = ("-fsanitize=undefined", "-fno-sanitize-recover=undefined")


@dataclass(frozen=True)
class Compiler:
    """A C compiler, by the words that start it."""

    command: tuple[str, ...]
    is_zig: bool

    def shared_library(self, source: Path, made: Path, variant: str, target: Target) -> Path:
        """Compile an extension of Python."""
        if not (self.is_zig or target.is_here):
            sys.exit(f"modules for {target} are made with ziglang")
        flags = [*_ALWAYS, "-shared", "-fPIC", *self._flags(variant)]
        linking = self._linking(target, source.parent)
        self._run(*flags, *linking, "-o", str(made), str(source))
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

    def _linking(self, target: Target, folder: Path) -> list[str]:
        """How the functions of Python are found: they are already in the process that loads the
        module. Windows wants to be told in which library they are."""
        words = ["-target", target.zig_name] if self.is_zig else []
        if target.system == "macos":
            return [*words, "-undefined", "dynamic_lookup"]
        if target.system == "windows" and self.is_zig:
            wanted = {"python3": _imported_names(), **_WINDOWS}
            return [
                *words,
                "-nostdlib",
                *(str(self._import_library(*each, target, folder)) for each in wanted.items()),
            ]
        if target.system == "windows":
            return [f"-L{Path(sys.base_prefix) / 'libs'}", "-lpython3"]
        return [*words, "-nostdlib", "-Wl,-z,undefs"] if self.is_zig else []

    def _import_library(
        self, library: str, exports: Iterable[str], target: Target, folder: Path
    ) -> Path:
        """What a linker for Windows must know about a DLL that every Python there has loaded."""
        names, made = folder / f"{library}.def", folder / f"{library}.lib"
        names.write_text("\n".join([f"LIBRARY {library}.dll", "EXPORTS", *exports, ""]))
        machine = {"x86_64": "i386:x86-64", "aarch64": "arm64"}[target.processor]
        zig = [*self.command[:-1], "dlltool"]
        words = ["-m", machine, "-d", str(names), "-l", str(made)]
        subprocess.run([*zig, *words], check=True, capture_output=True, text=True)
        return made

    def _run(self, *words: str) -> None:
        environment = {**os.environ, "LC_ALL": "C"}
        subprocess.run(
            [*self.command, *words], check=True, capture_output=True, text=True, env=environment
        )


def _imported_names() -> list[str]:
    """The functions and objects of Python in `python.h`; objects are marked as such."""
    header = (Path(__file__).parent / "python.h").read_text(encoding="utf-8")
    found = []
    for line in re.findall(r"^IMPORTED (.*);$", header, re.MULTILINE):
        if "(" in line:
            found += re.findall(r"(\w+)\(", line)[:1]
        else:
            found += [f"{name} DATA" for name in re.findall(r"(\w+)(?=,|$)", line)]
    return found


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
