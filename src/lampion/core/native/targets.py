"""The kinds of machine that compiled rules are made for.

A wheel carries modules for one target. `LAMPION_TARGET=aarch64-macos` at build time makes them for
another machine than this one; zig has what every system links against, so nothing else is needed.
"""

from __future__ import annotations

import os
import platform
import sys
from typing import NamedTuple

_PROCESSORS = {"amd64": "x86_64", "arm64": "aarch64"}
_SYSTEMS = {"darwin": "macos", "win32": "windows"}
_ZIG_SYSTEMS = {
    # An old glibc, so that a wheel runs everywhere; it needs only memset and memcpy from it.
    "linux": "linux-gnu.2.17",
    "macos": "macos.11.0",
    "windows": "windows-msvc",
}


class Target(NamedTuple):
    processor: str
    system: str

    def __str__(self) -> str:
        return f"{self.processor}-{self.system}"

    @property
    def is_here(self) -> bool:
        return self == here()

    @property
    def suffix(self) -> str:
        """How Python finds an extension module there."""
        return ".pyd" if self.system == "windows" else ".so"

    @property
    def zig_name(self) -> str:
        return f"{self.processor}-{_ZIG_SYSTEMS.get(self.system, self.system)}"

    @property
    def variants(self) -> list[str]:
        """The variants that a wheel for this target carries, the slowest first."""
        return ["x86_64", "x86_64_v3"] if self.processor == "x86_64" else [self.processor]


WHEELS = tuple(
    Target(processor, system)
    for system, processors in {
        "linux": ("x86_64", "aarch64"),
        "macos": ("x86_64", "aarch64"),
        "windows": ("x86_64",),
    }.items()
    for processor in processors
)
"""What a release has a wheel for."""


def here() -> Target:
    name = platform.machine().lower()
    return Target(_PROCESSORS.get(name, name), _SYSTEMS.get(sys.platform, sys.platform))


def wanted() -> Target:
    """The target that a build was asked for: this machine unless `LAMPION_TARGET` names another."""
    name = os.environ.get("LAMPION_TARGET")
    if not name:
        return here()
    known = {str(target): target for target in {*WHEELS, here()}}
    if name not in known:
        sys.exit(f"LAMPION_TARGET={name} is not known; choose one of {', '.join(sorted(known))}")
    return known[name]
