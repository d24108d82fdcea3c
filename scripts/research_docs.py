"""Write the tables of docs/research.md from the code; they stand between `<!-- table: NAME GAME -->` and `<!-- end -->`."""

from __future__ import annotations

import re
from pathlib import Path

from lampion.research.tables import action_table, compact_table, observation_table

PAGE = Path(__file__).parent.parent / "docs" / "research.md"
TABLES = {"observation": observation_table, "compact": compact_table, "actions": action_table}
_PLACE = re.compile(r"(<!-- table: (\w+) (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def with_tables(page: str) -> str:
    """The page with all its tables regenerated."""
    return _PLACE.sub(lambda found: f"{found[1]}\n{TABLES[found[2]](found[3])}\n\n{found[4]}", page)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), "utf-8")
    print(PAGE.name)
