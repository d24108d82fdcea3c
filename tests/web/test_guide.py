"""The guide: every lesson on a phone and on a desk, by touch and by keys, in other languages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.web.support import GAMES, Come, Visitor, expect_no_overflow

PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1366, "height": 768}}
HINTED = ".learn .board .hint, .learn .board .hinted"
"""What a board marks once the guide was asked to show an action: a button that takes it, or the
thing itself."""
MOST_KEYS = 200
CONFIRM = ".learn .board .main:enabled"
WAYS = """(marks) => {
  const from = document.activeElement;
  const mark = [...document.querySelectorAll(marks)].find((each) => each.matches("[tabindex='-1']"));
  if (from.matches(marks)) return null;
  if (!mark || from.parentElement !== mark.parentElement) return { keys: ["Tab"] };
  const [here, there] = [from, mark].map((each) => each.getBoundingClientRect());
  const [x, y] = [there.x - here.x, there.y - here.y];
  const ahead = { ArrowRight: x, ArrowLeft: -x, ArrowDown: y, ArrowUp: -y };
  return { at: from.dataset.action, keys: Object.keys(ahead).sort((a, b) => ahead[b] - ahead[a]) };
}"""
"""To a mark: Tab, or the arrows where it shares its place in the order of tabs, the best first."""
LIT = """() => {
  const inside = ({ x, y, width, height }) =>
    width > 0 && height > 0 && x > -1 && y > -1 && x + width < innerWidth + 1 && y + height < innerHeight + 1;
  const rings = [...document.querySelectorAll(".spotlight .ring")].map((each) => each.getBoundingClientRect());
  const guide = document.querySelector(".coach").getBoundingClientRect();
  const isApart = (ring) => ring.right <= guide.left || ring.bottom <= guide.top || ring.left >= guide.right || ring.top >= guide.bottom;
  return rings.length > 0 && rings.every((ring) => inside(ring) && isApart(ring));
}"""


class Learner:
    """A player who follows the guide."""

    def __init__(self, visitor: Visitor, game: str, *, by_keys: bool = False) -> None:
        self.visitor, self.page, self.by_keys = visitor, visitor.page, by_keys
        visitor.open(f"/learn/{game}")
        self.coach = self.page.locator(".coach")
        self.coach.wait_for()

    @property
    def at(self) -> str:
        return self.coach.get_attribute("data-page") or ""

    def press(self, button: Locator, selector: str) -> None:
        if self.by_keys:
            self.visitor.tab_to(selector)
            self.visitor.press("Enter")
        else:
            self.visitor.hit(button)

    def read_on(self) -> None:
        """By keys the button already has the focus, if the player came here by keys."""
        self.press(self.coach.locator(".row .main"), ".coach .row .main")

    def do(self) -> None:
        """Has the action shown, and does it on the board."""
        self.press(self.coach.locator(".row button"), ".coach .row button")
        marked = self.page.locator(HINTED).locator("visible=true")
        marked.first.wait_for()
        before, confirm = self.at, self.page.locator(CONFIRM).first
        self.take(marked)
        self.visitor.wait_until(lambda: self.at != before or confirm.is_visible(), "a choice")
        if self.at == before:  # keys may have confirmed it already
            self.press(confirm, CONFIRM)

    def take(self, marked: Locator) -> None:
        button = self.page.locator(".learn .board .hint")
        if button.count():
            self.press(button, ".learn .board .hint")
        elif self.by_keys:
            self.reach_mark()
            self.visitor.press("Enter")
        else:
            marked.first.dispatch_event("click")

    def reach_mark(self) -> None:
        """Tab leads to a mark, or into the group that has it; there arrows lead on, sooner or later
        each from everything."""
        tried: set[tuple[str, str]] = set()
        for _ in range(MOST_KEYS):
            if not (ways := self.page.evaluate(WAYS, HINTED)):
                return
            keys = ways["keys"]
            fresh = [key for key in keys if (ways.get("at"), key) not in tried]
            key = fresh[0] if fresh else self.visitor.chance.choice(keys)
            if key != "Tab":
                tried.add((ways["at"], key))
            self.visitor.press(key)
        raise AssertionError(f"neither Tab nor arrows reach what {self.at} marks")

    def turn_page(self) -> None:
        before = self.at
        self.visitor.wait_until(lambda: self.page.evaluate(LIT), f"light on {before}")
        if self.coach.locator(".row .main").count():
            self.read_on()
        else:
            self.do()
        self.visitor.wait_until(lambda: self.at != before, f"beyond {before}")

    def follow(self) -> int:
        """To the last page; how many there were."""
        pages = 1
        while self.coach.locator(".row button").count() < 2:
            self.turn_page()
            expect_no_overflow(self.visitor)
            pages += 1
        return pages


@pytest.mark.parametrize(
    ("game", "options", "language", "by_keys"),
    [
        *((game, PHONE, "fr-FR", False) for game in GAMES),
        # Its board marks many kinds of things; tests/web/test_blind.py takes keys to all three games.
        ("lanterns_dice", DESK, "it-IT", True),
    ],
    ids=[*(f"{game}-phone" for game in GAMES), "lanterns_dice-keys"],
)
def test_the_guide_can_be_followed_to_its_end(
    come: Come, game: str, options: dict[str, object], language: str, by_keys: bool
) -> None:
    """Everything that a page points at is lit and inside the screen; then a real game begins."""
    visitor = come(**options, locale=language)
    learner = Learner(visitor, game, by_keys=by_keys)
    assert learner.follow() > 15
    learner.press(learner.coach.locator(".row .main"), ".coach .row .main")
    visitor.page.wait_for_url("**/t/*")
    assert visitor.wait_for_turn()


def test_another_move_is_answered_and_the_guide_waits(visitor: Visitor) -> None:
    learner = Learner(visitor, "lanterns")
    visitor.page.get_by_role("combobox", name="Lesson").select_option("1")
    visitor.wait_until(lambda: learner.at == "match.match", "the lesson")
    hand = visitor.page.get_by_role("button", name=re.compile("^Tile 1 of your hand"))
    hand.click()
    visitor.page.get_by_role("button", name=re.compile("^Free place")).first.click()
    visitor.button("Place it").first.click()
    expect(learner.coach).to_contain_text("This step asks for something else: Place a tile so that")
    expect(learner.coach).to_contain_text("You place a tile")
    assert learner.at == "match.match"
    learner.do()
    visitor.wait_until(lambda: learner.at == "match.extra", "the match")
    expect(learner.coach).to_contain_text("for the match")


def test_the_guide_speaks_and_leads_the_focus(visitor: Visitor) -> None:
    learner = Learner(visitor, "lanterns", by_keys=True)
    said = visitor.page.locator("[aria-live]")
    for _ in range(2):
        learner.turn_page()
    expect(said.first).to_contain_text("Choose a tile, then a place beside the lake")
    assert visitor.page.evaluate("document.activeElement.matches('.hand button')")
    learner.turn_page()
    expect(said.first).to_contain_text("Here are your cards")
    expect(learner.coach.locator(".row .main")).to_be_focused()


def test_a_guide_is_taken_up_where_it_was_left(visitor: Visitor) -> None:
    learner = Learner(visitor, "lumens")
    for _ in range(2):
        learner.turn_page()
    visitor.open("/")
    visitor.open("/learn/lumens")
    expect(learner.coach).to_have_attribute("data-page", "start.hand")
    visitor.button("Start this lesson again").click()
    expect(learner.coach).to_have_attribute("data-page", "start.house")
    home = visitor.open("/")
    expect(home.get_by_text("Your games appear here once you have played one")).to_be_visible()
    expect(home.get_by_role("region", name="Your games")).to_have_count(0)  # no table was made
