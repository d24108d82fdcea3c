"""A move needs one message each way: the browser sends the action, and whatever it needs for the
next choice comes by itself."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Request, WebSocket

from tests.web.players import CLICKS
from tests.web.support import GAMES, Come, Visitor, two_at, whose_turn

MOVES = 6


@pytest.mark.parametrize("game", GAMES)
def test_a_move_is_one_message_and_no_request(come: Come, game: str) -> None:
    sent: list[str] = []
    asked: list[str] = []

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(json.loads(frame)["do"]))

    def note(request: Request) -> None:
        if "/api/tables/" in request.url:
            asked.append(request.url.partition("/api/tables/")[2])

    def listen(visitor: Visitor) -> None:
        visitor.page.on("websocket", watch)

    ada, ben = two_at(come, game, listen)
    for visitor in (ada, ben):
        visitor.page.on("request", note)
        assert visitor.page.evaluate("typeof DecompressionStream") == "function"
    whose_turn(ada, ben).wait_for_turn()
    sent.clear()
    asked.clear()
    for _ in range(MOVES):
        whose_turn(ada, ben).move_with(CLICKS[game])
    whose_turn(ada, ben).wait_for_turn()
    acts = [do for do in sent if do == "act"]
    assert len(acts) == MOVES
    assert set(sent) <= {"act", "ping"}
    assert asked == []
