"""Whole games by ear: the accessibility tree is all that is known, keys are all that is used."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator

import pytest

from tests.examples.support import install
from tests.server.support import Server
from tests.support import IS_NIGHT
from tests.web.blind import SKILLS, Listener
from tests.web.players import PROGRESS
from tests.web.support import BEGINNING, END, TITLES, Come

GAMES = int(os.environ.get("LAMPION_BLIND_GAMES", "3"))
MOST_PRESSES = 12
"""Of a median move."""
GAME_OF = {TITLES[game]: game for game in PROGRESS}
OWN = tuple(GAME_OF)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a game that has no board of its own."""
    folder = tmp_path_factory.mktemp("shop")
    games = install(tmp_path_factory.mktemp("games"))
    database = str(folder / "lampion.db")
    with Server(database, log=folder / "log", env={"PYTHONPATH": str(games)}) as server:
        yield server


def report(title: str, listeners: list[Listener]) -> None:
    presses = [count for each in listeners for count in each.moves]
    middle = sorted(presses)[len(presses) // 2]
    print(f"{title}: {len(listeners)} games, {len(presses)} moves, {middle} presses a move")
    assert middle <= MOST_PRESSES


@pytest.mark.parametrize("title", OWN)
def test_whole_games_by_ear(come: Come, title: str) -> None:
    played = []
    for number in range(max(1, GAMES // len(OWN))):
        me = Listener(come(), random.Random(f"{title} {number}"))
        me.start(title)
        if number == 0:
            use_everything(me, title)
        if number == 0 and not IS_NIGHT:
            skip_the_middle(me, title)
        me.play_to_the_end(SKILLS[title])
        if number == 0:
            hear_the_result(me)
        me.visitor.leave()
        played.append(me)
    report(title, played)


def test_a_game_without_a_board_by_ear(come: Come, shop: Server) -> None:
    me = Listener(come(shop), random.Random(3))
    me.start("Connect Four")
    me.play_to_the_end(SKILLS["Connect Four"])
    report("Connect Four", [me])


def skip_the_middle(me: Listener, title: str) -> None:
    """The first turns by ear, then only the last ones."""
    game = GAME_OF[title]
    while me.my_turn() and PROGRESS[game](me.visitor.latest["view"]) < BEGINNING:
        me.answer(SKILLS[title], me.listen())
    me.visitor.skip_to(lambda view: PROGRESS[game](view) >= END)


def use_everything(me: Listener, title: str) -> None:
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
    """Who won, and the game once more, step by step."""
    heard = me.listen()
    assert heard.has("heading", " (won|wins|win|share)")
    assert heard.all("listitem", inside=("dialog", "The game is over"))
    me.tab_to("link", "^Replay$")
    me.press("Enter")
    me.wait("the replay", lambda heard: heard.has("slider", "") and heard.focus)
    me.news(me.listen())
    for key in ("Home", "ArrowRight", "ArrowRight", "End"):
        me.press(key)
    assert any(" " in line for line in me.wait_for_news("a step of the replay"))
