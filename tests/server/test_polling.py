"""Playing without a socket: the same messages over HTTP, asked for again and again."""

from __future__ import annotations

import pytest

from tests.server.support import Json, Person


@pytest.fixture
def table(ada: Person, milo: Person) -> Json:
    made = ada.table("me", "open")
    milo.join(made)
    return made


def feed(person: Person, table: Json, query: str) -> list[Json]:
    found: list[Json] = person.call("GET", f"/api/tables/{table['id']}/feed?{query}")["messages"]
    return found


def test_an_answer_to_a_command_begins_where_its_sender_stands(ada: Person, table: Json) -> None:
    update = ada.update(table)
    body = {"do": "act", "id": "a1", "seat": 0, "ply": update["ply"], "action": update["legal"][-1]}
    messages = ada.call("POST", f"/api/tables/{table['id']}/commands?since={update['ply']}", body)[
        "messages"
    ]
    assert [message["type"] for message in messages] == ["done", "info", "update"]
    assert messages[0]["id"] == "a1"
    assert messages[2]["since"] == update["ply"]
    assert [step["ply"] for step in messages[2]["steps"]] == list(
        range(update["ply"], messages[2]["ply"])
    )


def test_what_was_said_comes_with_the_feed_once(ada: Person, milo: Person, table: Json) -> None:
    ada.command(table, "say", text="Hello")
    ada.command(table, "say", phrase="good-luck")
    said = [message for message in feed(milo, table, "since=0&said=0") if message["type"] == "said"]
    assert [(line["number"], line["text"], line["phrase"]) for line in said] == [
        (1, "Hello", None),
        (2, None, "good-luck"),
    ]
    assert [
        line["number"] for line in feed(milo, table, "since=0&said=1") if line["type"] == "said"
    ] == [2]
    assert not [line for line in feed(milo, table, "since=0&said=2") if line["type"] == "said"]
    assert not [line for line in feed(milo, table, "since=0") if line["type"] == "said"]


def test_who_asks_is_present_and_others_are_told(ada: Person, milo: Person, table: Json) -> None:
    with ada.live(table) as live:
        here = [
            [seat["connected"] for seat in live.next("info")["table"]["seats"]] for _ in range(2)
        ]
        assert here == [[False, False], [True, False]], "a socket is greeted before it counts"
        feed(milo, table, "since=0")
        assert [seat["connected"] for seat in live.next("info")["table"]["seats"]] == [True, True]
