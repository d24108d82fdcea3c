"""The notebook as a page: its texts, its code, and what the code showed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any


def page(path: Path, folder: str, pointed: Callable[[str], str]) -> tuple[str, dict[str, str]]:
    """The page, with the links of its texts `pointed` at the site, and its pictures by their paths
    in `folder`."""
    pictures: dict[str, str] = {}
    parts = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(pointed(source))
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [_output(each, folder, pictures) for each in cell.get("outputs", ())]
    return "\n\n".join(parts) + "\n", pictures


def _output(output: dict[str, Any], folder: str, pictures: dict[str, str]) -> str:
    if output["output_type"] == "stream":
        return f"```text\n{''.join(output['text']).rstrip()}\n```"
    if drawn := "".join(output["data"].get("image/svg+xml", ())):
        name = f"{folder}/{len(pictures) + 1}.svg"
        pictures[name] = drawn
        return f"![{_title(drawn)}]({name})"
    return f"```text\n{''.join(output['data']['text/plain'])}\n```"


def _title(drawing: str) -> str:
    found = re.search(r"<title>(.*?)</title>", drawing)
    return found[1] if found else "Drawing"
