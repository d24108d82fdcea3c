"""What is made by a command and committed is up to date."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from lampion.server.web.client import STATIC
from scripts import icons, options_docs, web_art
from scripts.schemas import FOLDER, schemas

ROOT = Path(__file__).parent.parent


def test_published_schemas_are_those_of_the_code() -> None:
    """`make schemas` writes them."""
    for name, content in schemas().items():
        assert (FOLDER / name).read_text() == content, name


def test_the_page_about_options_is_that_of_the_declarations() -> None:
    """`python -m scripts.options_docs` writes it."""
    page = options_docs.PAGE.read_text("utf-8")
    assert options_docs.with_tables(page) == page


def test_the_art_of_the_client_is_that_of_the_drawings() -> None:
    """`python -m scripts.web_art` writes it."""
    for path, content in web_art.files().items():
        assert path.read_text() == content, path.name


def test_the_icons_of_the_app_are_made_of_its_lantern() -> None:
    """`python -m scripts.icons` writes them."""
    for path, content in icons.files().items():
        assert path.read_bytes() == content, path.name


def test_the_notice_names_the_designers() -> None:
    notice = (ROOT / "NOTICE").read_text()
    for designer in ("Christopher Chung", "Chris Bryan", "Jakob Andrusch"):
        assert designer in notice
    assert "not affiliated" in notice


FIRST_LOAD_BUDGET = 60_000
"""Bytes of compressed JavaScript before the home page can be used."""


@pytest.mark.skipif(
    not (STATIC / "index.html").is_file(), reason="the web client has not been built"
)
def test_the_first_load_of_the_client_keeps_its_budget() -> None:
    page = (STATIC / "index.html").read_text()
    scripts = set(re.findall(r'(?:src|href)="/(assets/[^"]+\.js)"', page))
    texts = max(len(gzip.compress(file.read_bytes())) for file in STATIC.glob("assets/shell-*.js"))
    assert scripts
    assert (
        texts + sum(len(gzip.compress((STATIC / script).read_bytes())) for script in scripts)
        <= FIRST_LOAD_BUDGET
    )
