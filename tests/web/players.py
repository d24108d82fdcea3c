"""How people move in the three games: by clicking what they read, and by keys alone."""

from __future__ import annotations

import re

from playwright.sync_api import Locator

from tests.web.support import Move, Progress, Visitor

LANTERN = """(area) => {
  const [whole, lantern] = [area, area.querySelector("use")].map((each) => each.getBoundingClientRect());
  return { x: lantern.x + lantern.width / 2 - whole.x, y: lantern.y + lantern.height / 2 - whole.y };
}"""
AREA = re.compile(r"^(the (upper|lower) half of [a-i][1-6]|the whole pool)")


def any_of(visitor: Visitor, found: Locator) -> Locator:
    """One of those on the page, by the dice of this visitor."""
    found.first.wait_for()
    return found.nth(visitor.chance.randrange(found.count()))


# --- Lanterns ---------------------------------------------------------------------------------------------------------------------


def click_lanterns(visitor: Visitor) -> None:
    """Dedicates what can be dedicated, otherwise lays some tile somewhere."""
    page, legal = visitor.page, visitor.latest["legal"]
    steps = page.get_by_role("list", name="Steps of your turn")
    if any(action.startswith("d") for action in legal):
        visitor.hit(steps.get_by_role("button", name="Dedicate"))
        visitor.hit(
            any_of(
                visitor,
                page.get_by_role("radiogroup", name="Sets you can dedicate").get_by_role("radio"),
            )
        )
        visitor.hit(visitor.button("Dedicate").nth(1))
    elif any("@" in action for action in legal):
        visitor.hit(steps.get_by_role("button", name="Place a tile"))
        visitor.hit(
            any_of(visitor, page.get_by_role("button", name=re.compile(r"^Tile \d of your hand")))
        )
        visitor.hit(any_of(visitor, page.get_by_role("button", name=re.compile("^Free place"))))
        visitor.hit(visitor.button("Place it").first)
    elif any(action.startswith("-") for action in legal):
        visitor.hit(
            any_of(visitor, page.get_by_role("radiogroup", name="Discard").get_by_role("radio"))
        )
        visitor.hit(visitor.button("Discard").nth(1))
    else:
        visitor.hit(steps.get_by_role("button", name="End turn"))
        visitor.hit(visitor.button("End my last turn"))


def key_lanterns(visitor: Visitor) -> None:
    """Lays a tile by keys; what must be discarded first is the first card."""
    legal = visitor.latest["legal"]
    if any("@" in action for action in legal):
        visitor.tab_to(".hand button")
        visitor.press("2", "r")
        visitor.tab_to("button[data-cell]")
        visitor.press("ArrowUp", "Enter", "Enter")
    elif any(action.startswith("-") for action in legal):
        visitor.tab_to("[role=radio]")
        visitor.press("Space", "Enter")
    else:
        visitor.tab_to("button.main:enabled")
        visitor.press("Enter")


# --- Lanterns Dice ----------------------------------------------------------------------------------------------------------------


def click_dice(visitor: Visitor) -> None:
    """Takes what is offered: shades, pays, launches; declines only when nothing else is left."""
    page, legal = visitor.page, visitor.latest["legal"]
    decision = page.get_by_role("region", name="Your decision")
    if "t0" in legal:
        visitor.hit(any_of(visitor, decision.get_by_role("group").get_by_role("button")))
        visitor.hit(decision.get_by_role("button", name="Take these dice"))
    elif any("@" in action for action in legal):
        visitor.hit(any_of(visitor, page.get_by_role("button", name=re.compile("^Launch over"))))
        visitor.hit(decision.get_by_role("button", name="Launch", exact=True))
    elif any(
        re.match("[a-i]", action[:1]) and action[1:2].isdigit()
        for action in legal
        if not re.match(r"e\d$", action)
    ):
        click_area(visitor, any_of(visitor, page.get_by_role("button", name=AREA)))
        visitor.hit(decision.get_by_role("button", name=re.compile("^Shade ")))
    elif any(re.match(r"e\d$", action) for action in legal):
        cards = page.get_by_role("list", name="The emperor’s actions").get_by_role("button")
        visitor.hit(any_of(visitor, cards.locator("visible=true")))
        visitor.hit(decision.get_by_role("button", name=re.compile("^Pay ")))
    else:
        visitor.hit(decision.get_by_role("button", name=re.compile("^(Skip|No )")))
        visitor.hit(decision.get_by_role("button", name="Yes, skip"))


def click_area(visitor: Visitor, area: Locator) -> None:
    """People click the lantern in the middle of an area: the middle of a triangle's box lies on its edge."""
    visitor.hit(area, at=area.evaluate(LANTERN))


def key_dice(visitor: Visitor) -> None:
    legal = visitor.latest["legal"]
    if "t0" in legal:
        visitor.tab_to("svg.tray")
        visitor.press("ArrowLeft", "Enter")
    elif any(re.match(r"[a-i]\d(u|l|ul)$", action) for action in legal):
        visitor.tab_to(".target")
        visitor.press("Enter", "Enter")
    else:
        visitor.tab_to(".choice .buttons button")
        visitor.press("Enter")
        visitor.tab_to(".choice .buttons button.main")
        visitor.press("Enter")


# --- Lumens -----------------------------------------------------------------------------------------------------------------------


def click_lumens(visitor: Visitor) -> None:
    page = visitor.page
    faces = page.get_by_role("radiogroup", name="Your token").get_by_role("radio")
    if visitor.latest["view"]["turn"]["phase"] == "start_face":
        visitor.hit(any_of(visitor, faces))
        visitor.hit(visitor.button("Choose it"))
        return
    visitor.hit(any_of(visitor, faces))
    square = any_of(
        visitor, page.get_by_role("button", name=re.compile(r"^[A-Za-z]\d+( in room|, a passage)"))
    )
    if square.get_attribute("aria-pressed") != "true":
        visitor.hit(square)
    visitor.hit(visitor.button("Place it"))


def key_lumens(visitor: Visitor) -> None:
    if visitor.latest["view"]["turn"]["phase"] == "start_face":
        visitor.tab_to("[role=radio]")
        visitor.press("ArrowRight", "Enter")
        return
    visitor.tab_to("button[data-square]")
    visitor.press("ArrowDown", "Enter", "f", "Enter")


CLICKS: dict[str, Move] = {
    "lanterns": click_lanterns,
    "lanterns_dice": click_dice,
    "lumens": click_lumens,
}
PROGRESS: dict[str, Progress] = {
    "lanterns": lambda view: 1 - view["left_to_draw"] / 16,  # with two players
    "lanterns_dice": lambda view: (view["turn"]["number"] - 1) / view["turn"]["of"],
    "lumens": lambda view: 1 - view["seats"][0]["num_unshown"] / 24,
}
KEYS: dict[str, Move] = {"lanterns": key_lanterns, "lanterns_dice": key_dice, "lumens": key_lumens}
