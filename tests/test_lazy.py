"""What a start may not cost: names of the package are imported when they are used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import lampion

STARTS = {
    "import": "import lampion",
    "version": "from lampion.cli.main import main; main(['--version'], standalone_mode=False)",
    "help": "from lampion.cli.main import main; main(['--help'], standalone_mode=False)",
}
SLOW = ("numpy", "msgspec", "asyncio", "lampion.core.game")


@pytest.mark.parametrize("code", STARTS.values(), ids=STARTS)
def test_a_start_imports_neither_numpy_nor_rules(code: str) -> None:
    asked = f"import sys; {code}; print([name for name in {SLOW} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_name_comes_from_where_type_checkers_look() -> None:
    tree = ast.parse(Path(lampion.__file__).read_text("utf-8"))
    typed = {
        (node.module.removeprefix("lampion."), alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("lampion.")
        for alias in node.names
    }
    assert typed == {(home, name) for home, names in lampion._HOMES.items() for name in names}
    assert sorted(name for _, name in typed) == sorted(lampion.__all__)
    assert all(getattr(lampion, name) is not None for name in lampion.__all__)
    assert set(lampion.__all__) <= set(dir(lampion))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'nothing'"):
        _ = lampion.nothing  # type: ignore[attr-defined]
