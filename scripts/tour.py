"""Run the notebooks in docs and keep what they show, without a Jupyter: what is printed, and the value of a cell's last line.

python -m scripts.tour [tour] [train]
"""

from __future__ import annotations

import ast
import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
NOTEBOOKS = ("tour", "train")


def run(notebook: dict[str, Any], **settings: object) -> dict[str, Any]:
    """The notebook with the outputs of all its cells, run one after the other. `settings` change
    names that the first cell of code has set."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = []
    for cell in notebook["cells"]:
        is_code = cell["cell_type"] == "code"
        cells.append(_with_outputs(cell, names) if is_code else cell)
        if is_code:
            names.update(settings)
    return {**notebook, "cells": cells}


def _with_outputs(cell: dict[str, Any], names: dict[str, Any]) -> dict[str, Any]:
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, "tour", "exec"), names)
        value = (
            eval(compile(ast.Expression(last.value), "tour", "eval"), names)
            if isinstance(last, ast.Expr)
            else None
        )
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append(
            {
                "name": "stdout",
                "output_type": "stream",
                "text": printed.getvalue().splitlines(keepends=True),
            }
        )
    if value is not None:
        outputs.append({"data": _shown(value), "metadata": {}, "output_type": "display_data"})
    return {**cell, "outputs": outputs}


def _shown(value: Any) -> dict[str, list[str]]:
    shown = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_svg_"):
        shown["image/svg+xml"] = value._repr_svg_().splitlines(keepends=True)
    return shown


def read(name: str = "tour") -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads((DOCS / f"{name}.ipynb").read_text("utf-8"))
    return notebook


def write(name: str) -> None:
    text = json.dumps(run(read(name)), indent=1, ensure_ascii=False)
    (DOCS / f"{name}.ipynb").write_text(text + "\n", "utf-8")
    print(name)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or NOTEBOOKS:
        write(wanted)
