"""What a release is made of, as far as it takes no minutes (`make release` does all of it)."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

import lampion
from scripts import release, wheels

ROOT = Path(__file__).parent.parent
CHANGELOG = """# Changelog

## Unreleased (will be 1.10.0)

- New

## 1.1.0

- Old
"""


def test_the_notes_are_the_section_of_the_version() -> None:
    assert release.notes(CHANGELOG, "1.10.0") == "# Lampion 1.10.0\n\n- New\n"
    assert release.notes(CHANGELOG, "1.1.0") == "# Lampion 1.1.0\n\n- Old\n"
    with pytest.raises(SystemExit, match=r"no section for 1\.1\b"):
        release.notes(CHANGELOG, "1.1")


def test_the_changelog_has_notes_for_this_version() -> None:
    notes = release.notes(release.CHANGELOG.read_text("utf-8"), lampion.__version__)
    assert "### Added" in notes and "\n## " not in notes


def test_the_version_stands_in_one_place() -> None:
    """CITATION.cff cannot compute it, so it is held to it here."""
    assert re.search(r'^version\s*=\s*"', (ROOT / "pyproject.toml").read_text(), re.M) is None
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.M)
    assert cited and cited[1] == lampion.__version__


def test_the_bill_of_materials_lists_what_a_server_needs() -> None:
    bill = release.materials("1.2.3")
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", "1.2.3")
    names = {component["name"] for component in bill["components"]}
    assert {"numpy", "starlette", "psycopg"} <= names
    assert not {"pytest", "mypy"} & names


def test_the_wheel_for_all_platforms_has_no_compiled_rules(tmp_path: Path) -> None:
    wheel = tmp_path / "lampion-1.0-cp311-abi3-manylinux_2_17_x86_64.whl"
    info = "lampion-1.0.dist-info"
    tags = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-abi3-manylinux_2_17_x86_64\n"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("lampion/__init__.py", "x = 1\n")
        made.writestr("lampion/compiled/lumens.so", b"\x7fELF")
        made.writestr(f"{info}/WHEEL", tags)
        made.writestr(f"{info}/RECORD", "lampion/compiled/lumens.so,sha256=x,4\n")
    found = wheels.without_compiled(wheel)
    assert found.name == "lampion-1.0-py3-none-any.whl"
    with zipfile.ZipFile(found) as made:
        assert set(made.namelist()) == {"lampion/__init__.py", f"{info}/WHEEL", f"{info}/RECORD"}
        assert b"Tag: py3-none-any\n" in made.read(f"{info}/WHEEL")
        assert b"Root-Is-Purelib: true\n" in made.read(f"{info}/WHEEL")
        record = made.read(f"{info}/RECORD").decode()
    assert "compiled" not in record
    assert "lampion/__init__.py,sha256=" in record and record.endswith(f"{info}/RECORD,,\n")
