"""Run the notebook docs/tour.ipynb and keep what it shows, without a Jupyter: what is printed, and the value of a cell's last line."""

from __future__ import annotations

import ast
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parent.parent / "docs" / "tour.ipynb"


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of all its cells, run one after the other."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [
        _with_outputs(cell, names) if cell["cell_type"] == "code" else cell
        for cell in notebook["cells"]
    ]
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


def read() -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(NOTEBOOK.read_text("utf-8"))
    return notebook


if __name__ == "__main__":
    NOTEBOOK.write_text(json.dumps(run(read()), indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(NOTEBOOK.name)
