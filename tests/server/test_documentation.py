"""The documentation under /docs, asked of a real server on a port of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.docs.built import serving

PAGE = "<!doctype html><title>Lampion</title><a href='rules/index.html'>Rules</a>"


@pytest.fixture(params=["", "/games/lampion"], ids=["alone", "under-a-prefix"])
def prefix(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small site; what a real one looks like is checked by tests/docs."""
    site = tmp_path / "site"
    (site / "rules").mkdir(parents=True)
    (site / "index.html").write_text(PAGE)
    (site / "rules" / "index.html").write_text("<!doctype html><title>Rules</title>")
    (site / "search.js").write_text("let found = [];" * 100)
    return site


@pytest.fixture
def web(tmp_path: Path, folder: Path, prefix: str) -> Iterator[httpx.Client]:
    with (
        serving(folder, tmp_path / "lampion.db", prefix) as base,
        httpx.Client(base_url=base) as client,
    ):
        yield client


def test_the_server_shows_the_site_under_docs(web: httpx.Client, prefix: str) -> None:
    moved = web.get("/docs")
    assert (moved.status_code, moved.headers["location"]) == (308, f"{prefix}/docs/")
    page = web.get("/docs/")
    assert (page.status_code, page.text) == (200, PAGE)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    assert web.get("/docs/rules/").text == web.get("/docs/rules/index.html").text
    script = web.get("/docs/search.js")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert script.headers["content-encoding"] == "gzip"
    again = web.get("/docs/search.js", headers={"If-None-Match": script.headers["etag"]})
    assert again.status_code == 304

    for path in ("/docs/nothing", "/docs/rules", "/docs/..%2f..%2fconfig.py", "/docs//etc/passwd"):
        assert web.get(path).status_code == 404, path


def test_a_server_without_the_site_says_how_to_build_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from starlette.testclient import TestClient

    from lampion.server.config import Config
    from lampion.server.web import documentation
    from lampion.server.web.app import make_app

    monkeypatch.setattr(documentation, "FOLDER", tmp_path / "none")
    with TestClient(make_app(Config(database=str(tmp_path / "lampion.db")))) as web:
        answer = web.get("/docs/")
    assert answer.status_code == 404
    assert "make docs" in answer.text
