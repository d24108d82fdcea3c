"""Writes the tables of settings into docs/hosting.md, from the declaration in the code."""

from __future__ import annotations

from pathlib import Path

from lampion.server import settings

PAGE = Path(__file__).parents[1] / "docs" / "hosting.md"
BEGIN, END = (
    "<!-- settings: made by python -m scripts.settings_docs -->\n",
    "<!-- end of settings -->\n",
)


def main() -> None:
    head, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, tail = rest.partition(END)
    PAGE.write_text(head + BEGIN + "\n" + settings.table() + "\n" + END + tail)


if __name__ == "__main__":
    main()
