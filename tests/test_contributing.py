"""What CONTRIBUTING.md says about the tests is what they do."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
READ = re.compile(r'environ\.get\(\s*"(LAMPION_\w+)", "(\w+)"\)')
ROW = re.compile(r"^\| `(LAMPION_\w+)` \|.*\|([^|]+)\|$", re.MULTILINE)


def test_every_size_of_a_test_is_in_the_table_with_its_default() -> None:
    rows = dict(ROW.findall((ROOT / "CONTRIBUTING.md").read_text()))
    found = [
        pair
        for folder in ("tests", "src/lampion/testing")
        for file in sorted((ROOT / folder).rglob("*.py"))
        for pair in READ.findall(file.read_text())
    ]
    assert len(found) > 10
    for name, default in found:
        assert default in re.findall(r"\w+", rows.get(name, "")), f"{name} is {default} by default"
