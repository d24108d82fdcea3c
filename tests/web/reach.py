"""Whether what a step needs can be seen and pressed on a screen."""

from __future__ import annotations

from playwright.sync_api import Page, TimeoutError

SMALLEST = 40
SETTLING_MS = 20_000
FAULTS = """([selector, least]) => [...document.querySelectorAll(selector)].flatMap((button) => {
  const box = button.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const name = button.getAttribute("aria-label") ?? button.textContent.trim();
  const said = `${name} (${Math.round(box.x)},${Math.round(box.y)} ${Math.round(box.width)}x${Math.round(box.height)})`;
  if (box.width < least - 0.5 || box.height < least - 0.5) return [`too small: ${said}`];
  if (box.x < 0 || box.y < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5)
    return [`outside: ${said}`];
  const top = document.elementFromPoint(x, y);
  return button.contains(top) ? [] : [`covered by ${top?.outerHTML.slice(0, 90)}: ${said}`];
})"""
SCROLLS = """() => [...document.querySelectorAll('[data-ply], [data-ply] > .board, [data-ply] .side, [data-ply] [role=radiogroup]')]
  .filter((each) => getComputedStyle(each).display !== 'contents')
  .filter((each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
  .map((each) => `${each.className} ${each.scrollWidth}x${each.scrollHeight}`)"""
WORDS = "section.choice :is(.ready, .chance, .effect, p, .button)"
CUT_OFF = f"""() => [...document.querySelectorAll({WORDS!r})]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
  .map((each) => `${{each.textContent.trim()}}: ${{each.scrollWidth}}x${{each.scrollHeight}}`)"""
"""Words of a decision that are longer than their place; what a reader of the page is told, a person
may not see."""
SCREEN = f"""(wanted) => [
  ...wanted.flatMap(([selector, least]) => document.querySelector(selector)
    ? ({FAULTS})([selector, least]) : [`there is no ${{selector}}`]),
  ...({SCROLLS})().map((each) => `${{each}} scrolls`),
  ...({CUT_OFF})().map((each) => `cut off: ${{each}}`),
]"""
LOOKS = 30
"""A board that has just changed measures itself, and on a busy machine that takes more than a frame."""
SETTLED = """() => new Promise((done) => {
  let frames = 4; // sizes are bound a frame after the window has changed
  const next = () => (frames-- ? requestAnimationFrame(next) : done());
  next();
})"""


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(SETTLED)


def check_buttons(page: Page, selector: str, screen: str, least: int = SMALLEST) -> None:
    """Everything of that kind, and there is some, is inside the window, large enough and uncovered."""
    assert page.locator(selector).count(), f"{screen}: there is no {selector}"
    found = page.evaluate(FAULTS, [selector, least])
    assert found == [], f"{screen}: {found}"


def check_still(page: Page, screen: str) -> None:
    """Nothing scrolls once the board has found its place: it measures itself, and on a busy machine
    that takes more than a frame."""
    try:
        page.wait_for_function(f"() => ({SCROLLS})().length === 0", timeout=SETTLING_MS)
    except TimeoutError:
        found = page.evaluate(SCROLLS)
        assert found == [], f"{screen}: {found} scrolls"


def faults_of(page: Page, wanted: dict[str, int], screen: str) -> list[str]:
    """What is wrong with a screen. Everything that is wanted, by selector, must be there, inside the
    window, uncovered and at least so many pixels large; nothing may scroll, and no words of the
    decision may be cut off."""
    for _ in range(LOOKS):
        if not (found := page.evaluate(SCREEN, [*wanted.items()])):
            break
        page.evaluate(SETTLED)
    return [f"{screen}: {fault}" for fault in found]
