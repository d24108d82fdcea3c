"""English, French and Italian, complete: no text of another language is left, and no key of a catalog."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.server.support import Person, Server
from tests.web.support import GAMES, Come, Visitor

LANGUAGES = {"fr": "Français", "it": "Italiano"}
RAW_KEY = re.compile(r"^[a-z_-]+(\.[a-z0-9_#-]+)+$")
SAME_IN_ALL = re.compile(
    r"Alegreya|Apache License|^(: )?(English|Français|Italiano|Lampion|Lanterns|Lanterns Dice|Lumens)\b"
)
"""Names and licenses are not translated; nor is what programs read, in `code`."""

TEXTS = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest("script, style, code")) found.push(walker.currentNode.textContent);
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    for (const name of ["aria-label", "title", "placeholder"]) found.push(element.getAttribute(name) ?? "");
  return [...new Set(found.map((text) => text.replace(/\\s+/g, " ").trim()).filter(Boolean))];
}"""


@pytest.fixture(scope="module")
def ada(site: Server) -> Person:
    return Person(site, "Ada")


@pytest.fixture(scope="module")
def pages(ada: Person) -> list[str]:
    """Every page, the same for all languages: three running tables, a lobby, and what stands for itself."""
    tables = [f"/t/{ada.table('me', 'novice', game=game)['id']}" for game in GAMES]
    lobby = f"/t/{ada.table('me', 'open')['id']}"
    rules = [f"/rules/{game}" for game in GAMES]
    return ["/", "/about", "/replay", "/claim#code", "/nowhere", *tables, lobby, *rules]


def texts_on(visitors: list[Visitor], path: str) -> list[set[str]]:
    """What each of them reads there. All pages load before the first is waited for: that a network
    is idle shows only after half a second."""
    for visitor in visitors:
        if path == "/":
            visitor.open("/about")  # the same address would not load again
        visitor.open(path)
    return [texts_of(visitor) for visitor in visitors]


def texts_of(visitor: Visitor) -> set[str]:
    visitor.page.wait_for_load_state("networkidle")
    expect(visitor.page.locator("[aria-busy=true]")).to_have_count(0)
    return set(visitor.page.evaluate(TEXTS))


def words_of(text: str) -> list[str]:
    return re.findall(r"(?<!\w)[^\W\d_]{3,}(?!\w)", text)


def test_nothing_is_left_in_english(come: Come, ada: Person, pages: list[str]) -> None:
    english, *others = come(), *(come(locale=language) for language in LANGUAGES)
    for visitor in (english, *others):
        visitor.sit_as(ada)
    left: dict[str, list[str]] = {}
    for path in pages:
        here_in = texts_on([english, *others], path)
        words = {text for text in here_in[0] if is_sentence(text)}
        for language, other, here in zip(LANGUAGES, others, here_in[1:], strict=True):
            assert other.page.evaluate("document.documentElement.lang") == language
            assert not [text for text in here if RAW_KEY.match(text)], path
            if same := here & words:
                left[f"{language} {path}"] = sorted(same)
    assert left == {}


def is_sentence(text: str) -> bool:
    """Whether it has to be translated."""
    return len(words_of(text)) > 1 and not SAME_IN_ALL.search(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_changes_in_the_settings_and_stays(visitor: Visitor, language: str) -> None:
    page = visitor.open()
    visitor.button("Settings").click()
    settings = page.get_by_role("dialog")
    english = set(
        settings.evaluate(TEXTS.replace("document.body", "document.querySelector('dialog')"))
    )
    settings.get_by_text(LANGUAGES[language], exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(settings.get_by_role("heading", name="Settings")).to_have_count(0)
    here = set(
        settings.evaluate(TEXTS.replace("document.body", "document.querySelector('dialog')"))
    )
    assert not {text for text in here & english if is_sentence(text)}
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(visitor.card("lumens")).to_be_visible()


def test_a_game_started_in_french_speaks_french(come: Come) -> None:
    visitor = come(locale="fr-FR")
    visitor.open()
    visitor.card("lumens").get_by_role("button", name=re.compile("^Jouer")).click()
    visitor.page.wait_for_url("**/t/*")
    assert visitor.wait_for_turn()
    expect(visitor.page.get_by_role("button", name="Conseil")).to_be_visible()
