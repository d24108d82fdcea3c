"""The documentation as a site: built strictly, complete, and closed in itself."""

from __future__ import annotations

import ast
import importlib
import re
from collections import deque
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click
import pytest
from starlette.routing import Route

import lampion
from lampion.cli.main import main
from lampion.core.game import own_game_names
from lampion.server.config import Config
from lampion.server.web.app import make_app
from lampion.server.web.client import client_file
from lampion.server.web.documentation import documentation, front_page
from scripts.site import library
from scripts.site.games import rulebook
from scripts.site.links import ROOT, LostLink, with_links
from scripts.site.shelf import LANGUAGES
from tests.docs.built import built_site

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
    return built_site(tmp_path_factory)


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


DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
PACKAGE = Path(lampion.__file__).parent
SAID = re.compile(r"\b(?:from|import) +(lampion[\w.]*)(?: +import +([\w, ]+))?")
"""An import in the code of a page or of an example."""
SPACED = re.compile(r"\s+")


def every_module() -> set[str]:
    """All modules of the package below `lampion`, from its files."""
    found = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in PACKAGE.rglob("*.py")
    }
    return {name for name in found if name.rpartition(".")[2] not in ("__init__", "__main__")}


def listed(names: Mapping[str, str]) -> list[str]:
    return [name for words in names.values() for name in words.split()]


def test_every_module_is_in_the_reference_or_internal_for_a_reason() -> None:
    public = [name.removeprefix("lampion.") for name in library.modules() if "." in name]
    internal = listed(library.INTERNAL)
    known = [*public, *internal]
    assert len(known) == len(set(known)), "a module is listed twice"
    elsewhere = {
        name
        for name in every_module()
        if any(name.startswith(f"{package}.") for package in library.ELSEWHERE)
    }
    assert set(known) & elsewhere == set()
    assert set(known) == every_module() - elsewhere


def names_used_outside() -> set[tuple[str, str]]:
    """(module, name) for every import in the pages and in the example games."""
    files = [*ROOT.glob("docs/*.md"), ROOT / "README.md", *ROOT.glob("examples/**/*.py")]
    found = set()
    for file in files:
        for module, names in SAID.findall(file.read_text("utf-8").replace("(\n", "")):
            found |= {(module, SPACED.split(name.strip())[0]) for name in names.split(",")}
    return found


def test_what_pages_and_examples_import_is_in_the_reference(site: Path) -> None:
    used = names_used_outside()
    assert len(used) > 30
    known, anchors = set(library.modules()), reference_anchors(site)
    for module, name in used:
        if f"{module}.{name}" in known or module.startswith("lampion.games"):
            continue
        if module == "lampion.research":  # its names are imported when they are asked for
            module = getattr(importlib.import_module(module), name).__module__
        assert module in known, f"a page or an example imports {module}"
        home = library.exported().get(name, module) if module == "lampion" else module
        assert not name or f"{home}.{name}" in anchors, f"{module}.{name} has no entry"


def reference_anchors(site: Path) -> set[str]:
    return {
        anchor
        for name, page in pages(site).items()
        if name.startswith("reference/")
        for anchor in page.anchors
    }


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    """What a module defines is read from its source here, not asked of the generator."""
    reference = reference_anchors(site)
    for module in library.modules():
        assert f"module-{module}" in reference, module
        for node in ast.parse(library.path_of(module).read_text("utf-8")).body:
            if isinstance(node, DEFINITIONS) and not node.name.startswith("_"):
                assert f"{module}.{node.name}" in reference, f"{module}.{node.name}"
    front = (site / "reference" / "lampion.html").read_text("utf-8")
    missing = [name for name in lampion.__all__ if f">{name}<" not in front]
    assert missing == []


def commands_below(typed: str, command: click.Command) -> set[str]:
    if not isinstance(command, click.Group):
        return {typed}
    context = click.Context(command, info_name=typed)
    parts = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
    return {typed}.union(*(commands_below(f"{typed} {name}", part) for name, part in parts if part))


def test_the_reference_of_commands_has_exactly_those_that_can_be_typed(site: Path) -> None:
    page = (site / "reference" / "commands.html").read_text("utf-8")
    heads = {plain(text) for text in re.findall(r"<h[2-4]>(.*?)<a class=\"headerlink", page)}
    assert heads == commands_below("lampion", main) - {"lampion"}


def test_the_reference_of_http_has_exactly_the_routes_of_the_server(
    site: Path, tmp_path: Path
) -> None:
    """Method by method and path by path, as the running application would answer them."""
    app = make_app(Config(str(tmp_path / "lampion.db")))
    routes = {
        (method, re.sub(r":\w+}", "}", route.path))
        for route in app.routes
        if isinstance(route, Route)
        and route.endpoint not in (documentation, front_page, client_file)
        for method in (route.methods or set()) - {"HEAD"}
    }
    page = (site / "reference" / "http.html").read_text("utf-8")
    heads = re.findall(r"<h3>([A-Z]+) (.*?)<a class=\"headerlink", page)
    assert len(heads) == len(set(heads))
    assert {(method, plain(path)) for method, path in heads} == routes - {("GET", "/openapi.json")}


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
    "Where do I change a rule?": ("contributors", "changing_a_rule", "four places"),
    "How do I host it for a club?": ("hosts", "hosting", "lampion serve"),
    "How do I train an agent?": ("researchers", "research", "BatchEnv"),
    "What does this event mean?": ("bot_authors", "events", "cause"),
    "How do I write a bot?": ("bot_authors", "bots", "lines of JSON"),
    "What exactly is promised about fairness?": ("players", "fairness", "commit"),
}
"""What a new reader asks: the door to open, the page behind it, and what is read there."""
ROW = re.compile(r"^\| (.+\?) \| ([\w ]+), \[.+\]\((\w+)\.md", re.MULTILINE)


def links_in(site: Path, page: str) -> set[str]:
    """The pages that the text of a page links to, without the bar beside it."""
    html = (site / f"{page}.html").read_text("utf-8")
    body = html[html.index('role="main"') :]
    return {each.removesuffix(".html") for each in re.findall(r'href="([^"#:]+\.html)', body)}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_new_reader_finds_the_answer_behind_a_door(site: Path, question: str) -> None:
    door, file, answer = QUESTIONS[question]
    assert door in links_in(site, "index")
    assert file in links_in(site, door)
    assert answer in plain((site / f"{file}.html").read_text("utf-8"))


def test_the_walk_on_the_first_page_is_the_one_that_is_tested() -> None:
    rows = ROW.findall((ROOT / "docs" / "index.md").read_text("utf-8"))
    assert {question: (door.lower().replace(" ", "_"), file) for question, door, file in rows} == {
        question: (door, file) for question, (door, file, _) in QUESTIONS.items()
    }


def plain(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


def test_a_link_to_nothing_stops_the_build() -> None:
    with pytest.raises(LostLink, match=r"docs/library.md: nowhere.md"):
        with_links("[a](nowhere.md)", ROOT / "docs" / "library.md", "library", {})
