"""What is made by a command and committed is up to date."""

from __future__ import annotations

from pathlib import Path

from scripts import web_art
from scripts.schemas import FOLDER, schemas

ROOT = Path(__file__).parent.parent


def test_published_schemas_are_those_of_the_code() -> None:
    """`make schemas` writes them."""
    for name, content in schemas().items():
        assert (FOLDER / name).read_text() == content, name


def test_the_art_of_the_client_is_that_of_the_drawings() -> None:
    """`python -m scripts.web_art` writes it."""
    for path, content in web_art.files().items():
        assert path.read_text() == content, path.name


def test_the_notice_names_the_designers() -> None:
    notice = (ROOT / "NOTICE").read_text()
    for designer in ("Christopher Chung", "Chris Bryan", "Jakob Andrusch"):
        assert designer in notice
    assert "not affiliated" in notice
