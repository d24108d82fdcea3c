"""Whole games by ear: the accessibility tree is all that is known, keys are all that is used."""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Iterator

import pytest

from tests.examples.support import install
from tests.server.support import Server
from tests.web.blind import LAST_PAGE, SKILLS, Heard, Listener
from tests.web.finished import Finished, Ledger, summary, tree_of
from tests.web.support import TITLES, Come, Visitor

GAMES = int(os.environ.get("LAMPION_BLIND_GAMES", "3"))
MOST_PRESSES = 12
"""Of a median move."""
LEDGER = Ledger(os.environ.get("LAMPION_BLIND_FILE"))
OF_A_TITLE = max(1, GAMES // len(TITLES))
PORTION = 10
"""Games of a test: one that times out takes no more than these along."""
PORTIONS = [
    range(first, min(first + PORTION, OF_A_TITLE)) for first in range(0, OF_A_TITLE, PORTION)
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a game that has no board of its own."""
    folder = tmp_path_factory.mktemp("shop")
    games = install(tmp_path_factory.mktemp("games"))
    database = str(folder / "lampion.db")
    with Server(database, log=folder / "log", env={"PYTHONPATH": str(games)}) as server:
        yield server


def report(played: list[Finished]) -> None:
    print(*summary(played), sep="\n")
    presses = sorted(count for each in played for count in each.presses)
    assert presses[len(presses) // 2] <= MOST_PRESSES


@pytest.mark.parametrize("numbers", PORTIONS, ids=lambda numbers: f"from_{numbers[0]}")
@pytest.mark.parametrize("game", TITLES)
def test_whole_games_by_ear(come: Come, game: str, numbers: range) -> None:
    """The first of a portion tries everything else that there is at a table, too."""
    played = []
    for number in numbers:
        seed = f"{TITLES[game]} {number}"
        known = LEDGER.find(game, seed)
        if not known:
            known = whole_game(come(), game, seed, everything=number == numbers[0])
            LEDGER.add(known)
        played.append(known)
    report(played)


def whole_game(visitor: Visitor, game: str, seed: str, *, everything: bool) -> Finished:
    begun = time.monotonic()
    me, title = Listener(visitor, random.Random(seed)), TITLES[game]
    me.start(title)
    if everything:
        use_everything(me)
    me.play_to_the_end(SKILLS[title])
    if everything:
        hear_the_result(me)
    visitor.leave()
    assert visitor.errors == []
    return Finished(tree_of(game), game, seed, me.moves, everything, time.monotonic() - begun)


@pytest.mark.parametrize("title", TITLES.values())
def test_the_guide_by_ear(visitor: Visitor, title: str) -> None:
    """Every page is read out, every task is done by keys; then a real game begins."""
    me = Listener(visitor, random.Random(5))
    me.learn(title)
    pages = 1
    while me.turn_page() != LAST_PAGE:
        pages += 1
        assert any(" " in line for line in me.wait_for_news(f"page {pages}"))
    assert pages > 15
    assert me.my_turn()


def test_a_game_without_a_board_by_ear(come: Come, shop: Server) -> None:
    me = Listener(come(shop), random.Random(3))
    me.start("Connect Four")
    me.play_to_the_end(SKILLS["Connect Four"])
    assert me.median <= MOST_PRESSES


def use_everything(me: Listener) -> None:
    """The help for keys, a hint that is followed, a move taken back, the standing and the log."""
    assert me.my_turn()
    home = me.focus().name
    me.press("?")
    me.wait("all keys", lambda heard: heard.has("dialog", "^Keyboard$"))
    me.press("Escape")
    me.wait("back at the board", lambda heard: heard.focus and heard.focus.name == home)
    me.news(me.listen())
    me.press("s")
    assert any(re.search(r"\d", line) for line in me.wait_for_news("the standing"))
    me.press("h")
    assert any(" " in line for line in me.wait_for_news("a hint"))
    me.wait("the hint on the board", lambda heard: heard.all("button", "^Hint$")[0].is_open)
    me.press("h", "Enter")
    me.wait_for_news("the move of the hint")
    assert me.my_turn()
    me.press("u")
    me.wait("nothing left to undo", lambda heard: not heard.all("button", "^Undo$")[0].is_open)
    assert me.my_turn()
    me.press("l")
    me.wait("the log", lambda heard: heard.has("list", "^Log$"))
    me.press("l")
    me.wait("no log", lambda heard: not heard.has("list", "^Log$"))
    assert me.my_turn()


def hear_the_result(me: Listener) -> None:
    """Who won and how it came about, then the game once more, step by step."""
    heard = me.listen()
    assert heard.has("heading", " (won|wins|win|share)")
    assert heard.all("listitem", inside=("dialog", "The game is over"))
    me.tab_to("link", "^See how it ended$")
    me.press("Enter")
    hear_the_scores(me.wait("the result", lambda heard: heard.has("table", "^Points by round$")))
    me.tab_to("link", "^Replay$", ("main", ""))
    me.press("Enter")
    me.wait("the replay", lambda heard: heard.has("slider", "") and heard.focus)
    me.news(me.listen())
    for key in ("Home", "ArrowRight", "ArrowRight", "End"):
        me.press(key)
    assert any(" " in line for line in me.wait_for_news("a step of the replay"))


def hear_the_scores(heard: Heard) -> None:
    """The headings in order, the curve in words, and tables whose columns add up to it."""
    assert heard.has("heading", " (won|wins|win|share)")
    said = [node.name for node in heard.all("heading")]
    for title in ("Where the points come from", "Scores over the game", "Points by round"):
        assert title in said
    (curve,) = heard.all("image", "^Scores over the game: ")
    told = re.match(r"[^:]*: (.*?)\. ", curve.name)
    assert told
    scores = [int(each.rpartition(" ")[2]) for each in told[1].split(", ")]
    for title in ("Where the points come from", "Points by round"):
        *rows, total = heard.rows(title)
        assert [number(cell) for cell in total] == scores, title
        assert [sum(number(row[seat]) for row in rows) for seat in range(len(scores))] == scores


def number(cell: str) -> int:
    """The first number of a cell: a score may follow what was gained."""
    return int(cell.split()[0].replace("−", "-"))
