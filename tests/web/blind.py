"""A player who sees nothing: hears the accessibility tree as a screen reader does, and presses keys.

No selector, no click and no request: what is not in the tree is not known here.
"""

from __future__ import annotations

import random
import re
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.web.support import PATIENCE, Visitor

ARROWS = ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight")
LOG = "What happened"
YOUR_TURN = "Your turn"
COACH = ("region", "Guide")
ANSWER_MS = 100
LAST_PAGE = "Play your first real game"


@dataclass(frozen=True)
class Node:
    """One thing in the tree, with the roles and names of what it lies in."""

    id: str
    role: str
    name: str
    states: dict[str, Any]
    inside: tuple[tuple[str, str], ...]

    @property
    def is_open(self) -> bool:
        return not self.states.get("disabled")

    @property
    def is_chosen(self) -> bool:
        return "true" in (self.states.get("pressed"), self.states.get("checked"))

    def lies_in(self, role: str, name: str = "") -> bool:
        return any(each == role and name in called for each, called in self.inside)


class Heard:
    """All that a screen reader could say at one moment."""

    def __init__(self, nodes: list[dict[str, Any]]) -> None:
        self._by_id = {node["nodeId"]: node for node in nodes}
        self.nodes = list(self._walk(nodes[0], ()))

    def _walk(self, raw: dict[str, Any], inside: tuple[tuple[str, str], ...]) -> Iterator[Node]:
        if not raw.get("ignored"):
            role, name = raw["role"]["value"], raw.get("name", {}).get("value", "")
            states = {each["name"]: each["value"].get("value") for each in raw["properties"]}
            yield Node(raw["nodeId"], role, name, states, inside)
            inside = (*inside, (role, name))
        for child in raw.get("childIds", []):
            if child in self._by_id:
                yield from self._walk(self._by_id[child], inside)

    def all(self, role: str, name: str = "", inside: tuple[str, str] = ("", "")) -> list[Node]:
        return [node for node in self.nodes if self.fits(node, role, name, inside)]

    @staticmethod
    def fits(node: Node, role: str, name: str, inside: tuple[str, str]) -> bool:
        return bool(
            node.role == role
            and re.search(name, node.name)
            and (not inside[0] or node.lies_in(*inside))
        )

    def has(self, role: str, name: str = "") -> bool:
        return bool(self.all(role, name))

    @property
    def focus(self) -> Node | None:
        """What has the focus; None if that is the bare page, where no key means anything."""
        focused = [node for node in self.nodes if node.states.get("focused")]
        return next((node for node in reversed(focused) if node.role != "RootWebArea"), None)

    @property
    def told(self) -> list[Node]:
        """The lines of the live region, each of which is read out when it comes."""
        return self.all("StaticText", inside=("log", LOG))

    @property
    def is_my_turn(self) -> bool:
        """The line at the lower edge says so; the log may still tell of an earlier turn."""
        said = self.all("StaticText", f"^{YOUR_TURN}$")
        return any(not line.lies_in("log", LOG) for line in said)

    @property
    def asks_me(self) -> bool:
        """It is my turn, and keys reach the board: that is where the focus waits."""
        return self.is_my_turn and self.focus is not None and self.focus.role == "region"

    def rows(self, table: str) -> list[list[str]]:
        """The cells of a table, row by row, without the names of rows and columns."""
        rows: list[list[str]] = []
        for node in self.nodes:
            if not node.lies_in("table", table):
                continue
            if node.role == "row":
                rows.append([])
            elif node.role in ("cell", "gridcell"):
                rows[-1].append(node.name)
        return [cells for cells in rows if any(cells)]

    @property
    def coach_buttons(self) -> list[str]:
        """What leads on in the guide comes last."""
        return [node.name for node in self.all("button", inside=COACH) if node.is_open]

    @property
    def is_over(self) -> bool:
        return self.has("dialog", "^The game is over$")


@dataclass
class Listener:
    """A person at the keyboard, and what they have counted."""

    visitor: Visitor
    chance: random.Random
    presses: int = 0
    moves: list[int] = field(default_factory=list)
    """Presses of each move, from the question to its answer."""
    _told: set[str] = field(default_factory=set)
    _last: Heard | None = None
    _changed: bool = True
    """Whether the browser has told of a change of the tree since the reader last listened."""

    def __post_init__(self) -> None:
        self.visitor.close_eyes()
        self._line = self.visitor.context.new_cdp_session(self.visitor.page)
        # Playwright looks for objects of its own in every corner of what comes, which takes longer
        # than all else where that is a tree: below its surface it does not.
        self._below: Any = self._line._impl_obj
        for event in ("nodesUpdated", "loadComplete"):
            self._below.on(f"Accessibility.{event}", self._hear_change)
        self._ask("Accessibility.enable")

    def _ask(self, method: str, **options: object) -> dict[str, Any]:
        answer: dict[str, Any] = self._line._sync(self._below.send(method, options, 0.0))
        return answer

    def _hear_change(self, _: object) -> None:
        self._changed = True

    # --- ears and fingers ---

    def listen(self) -> Heard:
        self._changed = False
        self._last = Heard(self._ask("Accessibility.getFullAXTree")["nodes"])
        return self._last

    def press(self, *keys: str) -> None:
        for key in keys:
            self.visitor.page.keyboard.press(key)
        self.presses += len(keys)

    def wait(self, what: str, holds: Callable[[Heard], Any]) -> Heard:
        end = time.monotonic() + PATIENCE
        while not holds(heard := self.listen()):
            assert time.monotonic() < end, f"waited in vain: {what}\n{transcript(heard)}"
            self._wait_for_change()
        return heard

    def _wait_for_change(self) -> None:
        """A tree costs a tenth of a second of processor time: it is read when it has changed, or
        after a second in case nobody said so."""
        later = time.monotonic() + 1
        self.visitor.page.wait_for_timeout(40)
        while not self._changed and time.monotonic() < later:
            self.visitor.page.wait_for_timeout(20)

    def focus(self, heard: Heard | None = None) -> Node:
        heard = heard or self.listen()
        assert heard.focus, f"the focus is nowhere\n{transcript(heard)}"
        return heard.focus

    def focused(self) -> Node | None:
        """As `listen().focus`, from its branch of the tree alone."""
        found = self._ask("Runtime.evaluate", expression="document.activeElement")["result"]
        branch = self._ask("Accessibility.getAXNodeAndAncestors", objectId=found["objectId"])
        return Heard(branch["nodes"][::-1]).focus

    def news(self, heard: Heard) -> list[str]:
        """The lines that have been read out since the reader last asked."""
        fresh = [line for line in heard.told if line.id not in self._told]
        self._told |= {line.id for line in fresh}
        return [line.name for line in fresh]

    def wait_for_news(self, what: str) -> list[str]:
        self.visitor.page.wait_for_timeout(ANSWER_MS)  # a tree that is read too early is read twice
        return self.news(self.wait(what, lambda heard: self._is_told(heard)))

    def _is_told(self, heard: Heard) -> bool:
        return any(line.id not in self._told for line in heard.told)

    def tab_to(self, role: str, name: str, inside: tuple[str, str] = ("", "")) -> Node:
        for _ in range(150):
            node = self.focused()
            if node and Heard.fits(node, role, name, inside):
                return node
            self.press("Tab")
        raise AssertionError(f"Tab never reaches {role} {name}\n{transcript(self.listen())}")

    @property
    def _last_heard(self) -> Heard:
        assert self._last
        return self._last

    def explore(self, most: int = 3) -> None:
        self.press(*self.chance.choices(ARROWS, k=self.chance.randrange(most)))

    # --- a game ---

    def start(self, title: str) -> None:
        """From the first page, against the weakest of the bots."""
        self.visitor.open()
        self.wait("the first page", lambda heard: heard.has("button", f"^Play {title}"))
        self.tab_to("combobox", "", ("article", title))
        for _ in range(10):
            if any(
                option.states.get("selected") and option.name == "Novice"
                for option in self.listen().all("option", inside=("article", title))
            ):
                break
            self.press("ArrowUp")
        self.tab_to("button", f"^Play {title}", ("article", title))
        self.press("Enter")

    def answer(self, decide: Callable[[Listener, Heard], None], heard: Heard) -> None:
        """One decision: a few keys, after which the page has said in words what happened."""
        self.focus(heard)
        self.news(heard)
        self.presses = 0
        decide(self, heard)
        self.moves.append(self.presses)
        told = self.wait_for_news(f"words about a move after {self.presses} keys")
        assert any(re.search(r"\w+ \w+", line) for line in told), told

    def my_turn(self) -> bool:
        """Until there is something to decide, with the focus at the board; False at the end."""
        return not self.wait("a turn", lambda heard: heard.is_over or heard.asks_me).is_over

    def play_to_the_end(self, decide: Callable[[Listener, Heard], None]) -> None:
        while self.my_turn():
            self.answer(decide, self._last_heard)

    # --- the guide ---

    def learn(self, title: str) -> None:
        """From the first page to the guide of a game."""
        self.visitor.open()
        self.tab_to("link", f"^Learn to play : {title}$", ("article", title))
        self.press("Enter")

    def turn_page(self) -> str:
        """Reads a page of the guide, does what it asks for, and gives the button that led on."""
        heard = self.wait("a page", lambda heard: heard.coach_buttons)
        button = heard.coach_buttons[-1]
        self.news(heard)
        if button == "Show me":
            self.do_as_shown()
        else:
            self.tab_to("button", f"^{button}$", COACH)
            self.press("Enter")
        return button

    def do_as_shown(self) -> None:
        """The guide says what it marks on the board, and which keys do it there."""
        self.tab_to("button", "^Show me$", COACH)
        self.press("Enter")
        (shown,) = self.wait_for_news("what the board marks")
        assert re.search(r"marks an action: \w.* H chooses it and Enter confirms it\.$", shown), (
            shown
        )
        self.press("Tab", "h")
        self.focus()
        self.press("Enter")

    @property
    def median(self) -> float:
        return statistics.median(self.moves)


def transcript(heard: Heard) -> str:
    """The tree as text, for a failed test."""
    lines = [
        f"{'  ' * len(node.inside)}{node.role} {node.name!r}{' <- focus' if node.states.get('focused') else ''}"
        for node in heard.nodes
        if node.role not in ("InlineTextBox", "generic", "ListMarker")
    ]
    return "\n".join(lines)


# --- how each game is played by ear ---------------------------------------------------------------


def lanterns(me: Listener, heard: Heard) -> None:
    open_steps = [
        step.name
        for step in heard.all("button", inside=("list", "Steps of your turn"))
        if step.is_open
    ]
    if "Dedicate" in open_steps:
        me.press("d", "Enter")
        confirm(me)
    elif "Exchange" in open_steps and me.chance.random() < 0.3:
        me.press("x", "Enter", "Tab", "Enter", "Enter")
    elif "Place a tile" in open_steps:
        hand = heard.all("button", "^Tile . of your hand")
        me.press(str(me.chance.randrange(len(hand)) + 1))
        me.explore()
        me.press("Enter", *["r"] * me.chance.randrange(3), "Enter")
    elif "Discard" in open_steps:
        me.press("ArrowDown", "Enter")
        confirm(me)
    else:
        me.press("p", "Enter")


def confirm(me: Listener) -> None:
    """Enter once more: what is chosen says so. A set that is the only one was chosen by itself."""
    focused = me.focused()
    if focused and focused.is_chosen:
        me.press("Enter")


def lanterns_dice(me: Listener, heard: Heard) -> None:
    question = heard.all("heading", inside=("region", "Your decision"))[0].name
    if question.startswith("Who faces"):
        me.press("ArrowLeft", *["ArrowLeft"] * me.chance.randrange(1, 4), "Enter")
    elif question.startswith("Pay for"):
        cards = heard.all("button", inside=("list", "The emperor’s actions"))
        me.press("1" if cards and me.chance.random() < 0.7 else "n", "Enter")
    elif question.startswith(("Launch", "One last")):
        me.press("ArrowUp", "Enter", "Enter")
    else:
        me.press("ArrowUp")
        me.explore()
        focused = me.focused()
        if focused and focused.name.startswith(("the upper", "the lower", "the whole")):
            me.press("Enter")
            confirm(me)
        else:
            me.press("n", "Enter")


def lumens(me: Listener, heard: Heard) -> None:
    me.press("ArrowDown")
    me.explore()
    me.press("Enter", *["f"] * me.chance.randrange(2), "Enter")


def any_game(me: Listener, heard: Heard) -> None:
    """The list of the generic table."""
    me.press("ArrowDown", *["ArrowDown"] * me.chance.randrange(1, 5), "Enter")


Decide = Callable[[Listener, Heard], None]
SKILLS: dict[str, Decide] = {
    "Lanterns": lanterns,
    "Lanterns Dice": lanterns_dice,
    "Lumens": lumens,
    "Connect Four": any_game,
}
