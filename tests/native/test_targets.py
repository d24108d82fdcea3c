"""Modules for other machines than this one: each is of the right kind and asks Python for no more
than its stable interface."""

from __future__ import annotations

import importlib.util
import struct
from pathlib import Path

import pytest

from lampion.core.compile import game_of
from lampion.core.game import find_game
from lampion.core.native import compilers
from lampion.core.native.build import MADE_FOR, make, make_all
from lampion.core.native.library import DOORS, Library
from lampion.core.native.targets import WHEELS, Target, here, wanted

ELF_MACHINES = {"x86_64": 62, "aarch64": 183}
MACH_PROCESSORS = {"x86_64": 0x01000007, "aarch64": 0x0100000C}
PE_MACHINES = {"x86_64": 0x8664, "aarch64": 0xAA64}

needs_zig = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="other machines are reached with ziglang"
)


def library(doors: tuple[str, ...] = DOORS) -> Library:
    game = game_of(find_game("lumens").State.dtype)
    assert game is not None
    return Library(game, doors)


def compiler() -> compilers.Compiler:
    found = compilers.find()
    assert found is not None
    return found


def machine_of(module: bytes) -> tuple[str, int]:
    """The system and the processor that a file says it is for."""
    if module.startswith(b"\x7fELF"):
        return "linux", struct.unpack_from("<H", module, 18)[0]
    if module.startswith(b"MZ"):
        header = struct.unpack_from("<I", module, 0x3C)[0]
        return "windows", struct.unpack_from("<H", module, header + 4)[0]
    magic, processor = struct.unpack_from("<II", module)
    assert magic == 0xFEEDFACF, "neither ELF nor PE nor Mach-O"
    return "macos", processor


@needs_zig
@pytest.mark.parametrize("target", WHEELS, ids=str)
def test_a_module_for_every_wheel(target: Target, tmp_path: Path) -> None:
    made = make(library(), target.variants[-1], tmp_path, compiler(), target)
    system, processor = machine_of(made.read_bytes())
    numbers = {"linux": ELF_MACHINES, "macos": MACH_PROCESSORS, "windows": PE_MACHINES}
    assert system == target.system
    assert processor == numbers[system][target.processor]
    assert made.suffix == target.suffix


@needs_zig
def test_modules_for_another_machine_replace_those_of_the_last(tmp_path: Path) -> None:
    """Linux and macOS name their modules alike, so the folder must not keep what it has."""
    linux, macos = Target("aarch64", "linux"), Target("aarch64", "macos")
    rules_alone = library(DOORS[:1])
    for target in (linux, macos, macos):
        make_all([rules_alone], tmp_path, compiler(), target)
        (module,) = tmp_path.glob("*.so")
        assert machine_of(module.read_bytes())[0] == target.system
        assert (tmp_path / MADE_FOR).read_text() == str(target)


def test_a_build_is_for_this_machine_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAMPION_TARGET", raising=False)
    assert wanted() == here()
    monkeypatch.setenv("LAMPION_TARGET", "aarch64-macos")
    assert wanted() == Target("aarch64", "macos")
    monkeypatch.setenv("LAMPION_TARGET", "pdp11-unix")
    with pytest.raises(SystemExit, match="x86_64-windows"):
        wanted()
