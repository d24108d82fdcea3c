"""The documentation as a site: built strictly, complete, and closed in itself."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import lampion
from lampion.core.game import own_game_names
from lampion.server.web.endpoints import ENDPOINTS
from scripts.site import library
from scripts.site.commands import every_command
from scripts.site.games import rulebook
from scripts.site.links import ROOT, LostLink, with_links
from scripts.site.shelf import LANGUAGES

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""Elements that load what their attribute names, without a click."""
LINKS_TO_OTHERS = {"canonical", "index", "search", "next", "prev"}
CLICKS = 3


class Page(HTMLParser):
    """The links, the anchors and the loaded addresses of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = {"", "top"}
        self.loaded: list[str] = []
        self.scripts_inside = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "script" and "src" not in given:
            self.scripts_inside += given.get("type") != "application/ld+json"
        if (address := given.get(LOADED.get(tag, ""))) and given.get("rel") not in LINKS_TO_OTHERS:
            self.loaded.append(address)
        assert not any(name.startswith("on") for name in given), "a script in an attribute"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once for all processes that run these tests."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    out = folder / "documentation"
    with (folder / "documentation.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.exists():
            words = ["--out", str(out), "--pages", str(folder / "docs" / "pages")]
            done = subprocess.run(
                [sys.executable, "-m", "scripts.site", *words], capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr
    return out


@cache
def pages(site: Path) -> Mapping[str, Page]:
    return {
        path.relative_to(site).as_posix(): Page(path.read_text("utf-8"))
        for path in site.rglob("*.html")
    }


def target(page: str, address: str) -> tuple[str, str]:
    """The file and the anchor that a link means."""
    parts = urlsplit(address)
    base = Path("/", page)
    found = base if not parts.path else (base.parent / unquote(parts.path))
    return str(Path(*_normal(found).parts[1:])), unquote(parts.fragment)


def _normal(path: Path) -> Path:
    kept: list[str] = []
    for part in path.parts[1:]:
        if part == "..":
            kept.pop()
        elif part != ".":
            kept.append(part)
    return Path("/", *kept)


def own_links(page: str, links: list[str]) -> list[tuple[str, str]]:
    return [target(page, link) for link in links if not urlsplit(link).scheme]


def test_no_link_and_no_anchor_is_broken(site: Path) -> None:
    known = pages(site)
    for name, page in known.items():
        for file, anchor in own_links(name, page.links):
            assert (site / file).is_file(), f"{name} links to {file}"
            if file in known:
                assert anchor in known[file].anchors, f"{name} links to {file}#{anchor}"


def test_every_page_is_three_clicks_from_the_start(site: Path) -> None:
    known = pages(site)
    clicks = {"index.html": 0}
    waiting = deque(clicks)
    while waiting:
        name = waiting.popleft()
        for file, _ in own_links(name, known[name].links):
            if file in known and file not in clicks:
                clicks[file] = clicks[name] + 1
                waiting.append(file)
    assert set(known) - set(clicks) == set()
    assert max(clicks.values()) <= CLICKS


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    for name, page in pages(site).items():
        for address in page.loaded:
            assert not urlsplit(address).netloc, f"{name} loads {address}"
            if urlsplit(address).scheme != "data":
                file, _ = target(name, address)
                assert (site / file).is_file(), f"{name} loads {file}"
        assert page.scripts_inside == 0, f"{name} has a script that the server's policy refuses"
    for style in site.rglob("*.css"):
        for address in re.findall(
            r"(?:url\(|@import\s+)['\"]?([^'\")]*)", style.read_text("utf-8")
        ):
            is_inside = address.startswith("data:")
            assert is_inside or not urlsplit(address).netloc, f"{style.name} loads {address}"


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    reference = {
        anchor
        for name, page in pages(site).items()
        if name.startswith("reference/")
        for anchor in page.anchors
    }
    for module in library.modules():
        assert f"module-{module}" in reference, module
        for name in library.public_names(module):
            assert f"{module}.{name.name}" in reference, f"{module}.{name.name}"
    front = (site / "reference" / "lampion.html").read_text("utf-8")
    missing = [name for name in lampion.__all__ if f">{name}<" not in front]
    assert missing == []


def test_every_command_and_endpoint_is_in_the_reference(site: Path) -> None:
    commands = (site / "reference" / "commands.html").read_text("utf-8")
    for typed, _ in every_command():
        assert f">{typed}<" in commands, typed
    endpoints = pages(site)["reference/http.html"].anchors
    assert len([each for each in endpoints if each.startswith(("get-", "post-"))]) >= len(
        [each for each in ENDPOINTS if each.method in ("GET", "POST")]
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rulebooks_show_their_drawn_examples(site: Path, language: str) -> None:
    for game in own_game_names():
        examples = re.findall(r"\(example:[a-z-]+\)", rulebook(game, language).read_text("utf-8"))
        page = (site / "rules" / game / f"{language}.html").read_text("utf-8")
        figures = re.findall(r'<figure class="drawn-example">(.*?)</figure>', page, re.DOTALL)
        assert len(figures) == len(examples) > 0
        stamps = {stamp for figure in figures for stamp in re.findall(r'href="#([^"]+)"', figure)}
        assert stamps <= set(re.findall(r'id="([^"]+)"', page)), "a drawing stamps what is missing"
        assert all("<svg" in figure for figure in figures)


QUESTIONS = {
    "Where do I change a rule?": ("Change a rule", "changing_a_rule.html", "Four places"),
    "How do I host it for a club?": ("Host a server", "hosting.html", "lampion serve"),
    "How do I train an agent?": ("Train an agent", "research.html", "BatchEnv"),
    "What does this event mean?": ("What does this event mean?", "events.html", "cause"),
    "How do I write a bot?": ("Write a bot", "bots.html", "lines of JSON"),
    "What exactly is promised about fairness?": ("Is it fair?", "fairness.html", "commit"),
}
"""What a new reader asks: the words to click on the first page, where they lead, and what is read there."""


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_new_reader_finds_the_answer_with_one_click(site: Path, question: str) -> None:
    words, file, answer = QUESTIONS[question]
    front = (site / "index.html").read_text("utf-8")
    body = front[front.index('role="main"') :]
    links = re.findall(r'<a [^>]*href="([^"#]+)[^"]*"[^>]*>(.*?)</a>', body, re.DOTALL)
    assert (file, words) in [(link, plain(text)) for link, text in links]
    assert answer in plain((site / file).read_text("utf-8"))


def plain(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


def test_a_link_to_nothing_stops_the_build() -> None:
    with pytest.raises(LostLink, match=r"docs/library.md: nowhere.md"):
        with_links("[a](nowhere.md)", ROOT / "docs" / "library.md", "library", {})
