"""The decisions have one form, and the list of them is complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.site.links import ROOT

PAGES = sorted((ROOT / "docs" / "decisions").glob("*.md"))
FORM = re.compile(r"Context Decision (Alternatives )?Consequences")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem[:4])
def test_a_decision_has_context_decision_alternatives_and_consequences_in_this_order(
    page: Path,
) -> None:
    text = page.read_text("utf-8")
    assert re.match(r"# \d{4} .+\n\nStatus: ", text)
    assert FORM.fullmatch(" ".join(re.findall(r"^## (.+)$", text, re.MULTILINE)))


def test_the_first_page_lists_all_others_by_their_titles() -> None:
    rows = re.findall(r"^\| \[(\d{4})\]\((.+?\.md)\) \| .+ \|$", PAGES[0].read_text("utf-8"), re.M)
    assert [name for _, name in rows] == [page.name for page in PAGES[1:]]
    assert all(name.startswith(number) for number, name in rows)
