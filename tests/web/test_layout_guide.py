"""The guide on every screen, in every language: what a page asks for can be seen and pressed."""

from __future__ import annotations

import pytest

from tests.web.reach import FAULTS, SCROLLS, SMALLEST, resize
from tests.web.support import GAMES, Come
from tests.web.test_guide import LIT, Learner

LOCALES = {"en": "en-US", "fr": "fr-FR", "it": "it-IT"}
TIGHT = ((320, 568), (844, 390))
"""Where longer words could push something away."""
SIZES = (*TIGHT, (390, 664), (768, 1024), (1366, 768))
NEEDED, TASK = ".coach .row button", ".coach .ask"
CONFIRM = ".learn .board .main:enabled"
OUTGROWN = """() => {
  const [frame, words] = [".coach", ".coach .words"].map((each) => document.querySelector(each).getBoundingClientRect());
  return words.height > 0 && (words.top < frame.top || words.bottom > frame.bottom);
}"""
"""Whether the text of the guide leaves its frame."""
CUT_OFF = """() => {
  const words = document.querySelector(".coach .words");
  return innerWidth > 640 && words.scrollHeight > words.clientHeight + 1;
}"""
"""Whether the text must be scrolled: only the narrowest phones have no room for all of it."""
SCORES = ".own .total dd"
"""What is told beside the decision and was covered once."""
SEEN = f"""([buttons, words, scores]) => ({{
  buttons: ({FAULTS})(buttons), words: ({FAULTS})(words), scores: ({FAULTS})(scores),
  scrolls: ({SCROLLS})(), isOutgrown: ({OUTGROWN})(), isLit: ({LIT})(), isCutOff: ({CUT_OFF})()
}})"""
LINE = 15
"""Pixels of a line of text, at least."""
FINE = {
    "buttons": [],
    "words": [],
    "scores": [],
    "scrolls": [],
    "isOutgrown": False,
    "isLit": True,
    "isCutOff": False,
}


class Reader(Learner):
    """A reader who looks at each page of the guide on screens of several sizes."""

    sizes: tuple[tuple[int, int], ...] = SIZES

    def look(self, selector: str, stage: str) -> None:
        for size in self.sizes:
            resize(self.page, size)
            seen = self.page.evaluate(SEEN, [[selector, SMALLEST], [TASK, LINE], [SCORES, LINE]])
            if not seen["isLit"]:  # the light follows what it is on a little later
                self.visitor.wait_until(lambda: self.page.evaluate(LIT), f"light: {stage} {size}")
                seen["isLit"] = True
            assert seen == FINE, f"{stage} {size}"

    def turn(self) -> None:
        before = self.at
        if self.coach.locator(".row .main").count():
            if self.sizes == SIZES:
                self.look(NEEDED, before)
            self.coach.locator(".row .main").evaluate("(button) => button.click()")
        else:
            self.look(NEEDED, before)
            self.choose(before)
        self.visitor.wait_until(lambda: self.at != before, f"beyond {before}")

    def choose(self, before: str) -> None:
        """Has an action shown, chooses it on the board, looks again and confirms it."""
        self.coach.locator(".row button").evaluate("(button) => button.click()")
        marked = self.page.locator(".learn .board .hint, .learn .board .hinted")
        marked.locator("visible=true").first.wait_for()
        self.look(f".learn .board .hint, {NEEDED}", f"{before}, shown")
        confirm = self.page.locator(CONFIRM).first
        self.take(marked.locator("visible=true"))
        self.visitor.wait_until(lambda: self.at != before or confirm.is_visible(), "a choice")
        if self.at == before:
            self.look(f"{CONFIRM}, {NEEDED}", f"{before}, chosen")
            confirm.evaluate("(button) => button.click()")


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_the_guide_leaves_room_for_its_task(
    come: Come, game: str, language: str
) -> None:
    visitor = come(locale=LOCALES[language])
    visitor.close_eyes()
    reader = Reader(visitor, game)
    reader.sizes = SIZES if language == "en" else TIGHT
    while reader.coach.locator(".row button").count() < 2:
        reader.turn()
    reader.look(NEEDED, "the last page")
