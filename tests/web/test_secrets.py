"""Nothing that others hide is anywhere in a browser: not on the page, not in its attributes, not in what it was sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Request

from tests.server.support import inflated
from tests.web.players import CLICKS
from tests.web.support import Come, Json, Visitor, two_at, whose_turn

ATTRIBUTES = "() => [...document.querySelectorAll('*')].flatMap((each) => [...each.attributes].map((one) => one.value)).join('\\n')"


def listen(visitor: Visitor) -> list[Any]:
    """Every document that comes by HTTP from now on."""
    replies: list[Any] = []

    def take(request: Request) -> None:
        reply = request.response()
        if (
            reply
            and "/api/tables" in reply.url
            and "application/json" in reply.headers.get("content-type", "")
        ):
            replies.append(reply.json())

    visitor.page.on("requestfinished", take)
    return replies


def objects(value: Any) -> Iterator[Json]:
    """Every object in a document, at whatever depth."""
    if isinstance(value, dict):
        yield value
    children = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    )
    for child in children:
        yield from objects(child)


def received(visitor: Visitor) -> list[Any]:
    documents = [json.loads(frame) for frame in visitor.frames]
    return [inflated(each) if each["type"] == "effects" else each for each in documents]


def views(documents: list[Any]) -> list[Json]:
    return [
        each
        for document in documents
        for each in objects(document)
        if "seats" in each and "to_act" in each
    ]


def others_hands(view: Json) -> list[Any]:
    return [seat["hand"] for each, seat in enumerate(view["seats"]) if each != view["seat"]]


def test_tiles_in_other_hands(come: Come) -> None:
    ada, ben = two_at(come, "lanterns")
    by_http = {ada: listen(ada), ben: listen(ben)}
    for _ in range(6):
        whose_turn(ada, ben).move_with(CLICKS["lanterns"])
        ada.wait_until(lambda: ada.shown_ply == ben.shown_ply == ada.latest["ply"], "both see it")
        assert_drawn_tiles_are_known(ada)
        assert_drawn_tiles_are_known(ben)
    for visitor in (ada, ben):
        documents = received(visitor) + by_http[visitor]
        assert any('"type":"effects"' in frame for frame in visitor.frames)
        named = {
            each["tile"]
            for document in documents
            for each in objects(document)
            if isinstance(each.get("tile"), int)
        }
        assert named <= seen_by(visitor)
        assert all(hand is None for view in views(documents) for hand in others_hands(view))


def seen_by(visitor: Visitor) -> set[int]:
    """The tiles that a player has had in hand, or that have been laid."""
    seated = [
        update for update in visitor.updates if update["seat"] is not None
    ]  # before sitting down one watches
    seats = [update["view"]["seats"][update["seat"]]["hand"] for update in seated]
    lakes = [update["view"]["lake"] for update in visitor.updates]
    return {tile["tile"] for tiles in seats + lakes for tile in tiles}


def assert_drawn_tiles_are_known(visitor: Visitor) -> None:
    """The page draws the lake and the own hand, and nothing else."""
    view = visitor.latest["view"]
    words = visitor.page.get_by_role(
        "list", name="Tiles on the lake, in the order they were placed"
    ).get_by_role("listitem")
    assert words.count() == len(view["lake"])
    hand = visitor.page.locator("[aria-label*='of your hand']")
    assert hand.count() == view["seats"][visitor.latest["seat"]]["hand_size"]
    unknown = set(view["not_seen"])
    attributes = visitor.page.evaluate(ATTRIBUTES)
    assert not [tile for tile in unknown if re.search(rf"\btile[-=: ]?{tile}\b", attributes)]


def test_tokens_and_start_faces_of_others(come: Come) -> None:
    ada, ben = two_at(come, "lumens")
    by_http = {ada: listen(ada), ben: listen(ben)}
    first = whose_turn(ada, ben)
    first.move_with(CLICKS["lumens"])
    other = ben if first is ada else ada
    secret = first.latest["view"]["seats"][first.latest["seat"]]["start_face"]
    assert secret is not None
    assert all(
        view["seats"][first.latest["seat"]]["start_face"] is None
        for view in views(received(other) + by_http[other])
    )
    for _ in range(5):
        whose_turn(ada, ben).move_with(CLICKS["lumens"])
    for visitor in (ada, ben):
        shown = views(received(visitor) + by_http[visitor])
        assert shown
        assert {view["seat"] for view in shown} <= {
            None,
            visitor.latest["seat"],
        }  # before sitting down one watches
        assert all(hand is None for view in shown for hand in others_hands(view))


@pytest.mark.parametrize("path", ["record", "previews?seat=0"])
def test_spectators_get_no_record_and_no_previews(come: Come, path: str) -> None:
    ada, eve = come(), come()
    ada.play("lanterns")
    ada.wait_for_turn()
    eve.open(f"/t/{ada.table}")
    eve.wait_until(lambda: eve.updates, "Eve watches")
    assert eve.latest["seat"] is None
    assert eve.latest["legal"] == []
    assert all(seat["hand"] is None for seat in eve.latest["view"]["seats"])
    reply = eve.context.request.get(f"{eve.site.base}/api/tables/{ada.table}/{path}")
    assert reply.status >= 400
    assert "of your hand" not in eve.page.content()
