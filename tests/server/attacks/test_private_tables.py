"""A stranger who knows the id of a private table: no names, no chat, no voice, no seat."""

from __future__ import annotations

import pytest
from websockets.exceptions import InvalidStatus

from tests.server.support import ConnectionClosed, Json, Person, Server

NAMES = ("Zebulon", "Quandary")
WORDS = "between you and me"


@pytest.fixture
def players(server: Server) -> tuple[Person, Person]:
    return Person(server, NAMES[0]), Person(server, NAMES[1])


@pytest.fixture
def table(players: tuple[Person, Person]) -> Json:
    host, guest = players
    made = host.table("me", "open")
    guest.join(made)
    host.command(made, "say", text=WORDS)
    return made


@pytest.fixture(params=["nobody", "a guest", "a bot"])
def stranger(request: pytest.FixtureRequest, server: Server) -> Person:
    person = Person(server, "Mallory" if request.param == "a guest" else "")
    if request.param == "a bot":
        token = person.call("POST", "/api/bots", {"name": "Mallory's bot"})["token"]
        person.web.cookies.clear()
        person.web.headers["Authorization"] = f"Bearer {token}"
    return person


def check_discreet(text: str) -> None:
    for secret in (*NAMES, WORDS):
        assert secret not in text


PAGES = [
    "",
    "/feed?since=0",
    "/feed?since=-1&said=0",
    "/chat",
    "/chat?since=0",
    "/previews?seat=0",
    "/record",
]


@pytest.mark.parametrize("page", PAGES)
def test_no_page_tells_a_stranger_names_or_words(stranger: Person, table: Json, page: str) -> None:
    reply = stranger.ask("GET", f"/api/tables/{table['id']}{page}")
    assert reply.status_code < 500
    check_discreet(reply.text)


def test_who_may_know_and_talk_is_told(
    stranger: Person, players: tuple[Person, Person], table: Json
) -> None:
    assert [person.info(table)["is_insider"] for person in (*players, stranger)] == [
        True,
        True,
        False,
    ]


def test_a_stranger_s_socket_hears_no_names_and_no_words(
    stranger: Person, players: tuple[Person, Person], table: Json
) -> None:
    host, guest = players
    try:
        with stranger.live(table) as live:
            host.command(table, "say", text=WORDS)
            update = host.update(table)
            acting = host if update["legal"] else guest
            acting.act(table, acting.update(table))
            live.send("ping")
            live.next("pong")
            live.send("sync", since=0)
            live.send("ping")
            live.next("pong")
            check_discreet(str(live.received))
            assert not [message for message in live.received if message["type"] == "said"]
    except (InvalidStatus, ConnectionClosed):
        pass  # not let in at all is as good


@pytest.mark.parametrize("what", [{"text": "hello there"}, {"phrase": "hello"}])
def test_a_stranger_has_no_voice(
    stranger: Person, players: tuple[Person, Person], table: Json, what: Json
) -> None:
    reply = stranger.command(table, "say", **what)
    assert 400 <= reply.status_code < 500
    try:
        with stranger.live(table) as live:
            live.send("say", **what)
            assert live.next("problem")["code"]
    except (InvalidStatus, ConnectionClosed):
        pass
    chat = players[0].call("GET", f"/api/tables/{table['id']}/chat")["messages"]
    assert [line["text"] for line in chat] == [WORDS]


def test_the_record_of_a_private_game_names_nobody_to_strangers(
    stranger: Person, players: tuple[Person, Person], table: Json
) -> None:
    players[1].command(table, "resign", seat=1)
    for page in PAGES:
        check_discreet(stranger.ask("GET", f"/api/tables/{table['id']}{page}").text)


def test_what_a_stranger_tries_changes_nothing(
    stranger: Person, players: tuple[Person, Person], table: Json
) -> None:
    before = players[0].info(table)
    for do in ("undo", "stop", "resign", "leave", "return"):
        assert 400 <= stranger.command(table, do, seat=0).status_code < 500
    for method, path, body in (
        ("POST", "join", {}),
        ("POST", "join", {"seat": 0}),
        ("POST", "start", {}),
        ("POST", "rematch", {}),
        ("POST", "hint", {"seat": 0}),
        ("PUT", "seats/1", {"kind": "open"}),
    ):
        reply = stranger.ask(method, f"/api/tables/{table['id']}/{path}", body)
        assert 400 <= reply.status_code < 500, path
    after = players[0].info(table)
    same = ("status", "seats", "request", "ply", "next_table")
    assert {key: after[key] for key in same} == {key: before[key] for key in same}


def test_the_rematch_of_a_private_table_is_no_door(
    stranger: Person, players: tuple[Person, Person], table: Json
) -> None:
    players[1].command(table, "resign", seat=1)
    new = players[0].call("POST", f"/api/tables/{table['id']}/rematch")
    for body in ({}, {"seat": 0}, {"seat": 1}):
        reply = stranger.ask("POST", f"/api/tables/{new['id']}/join", body)
        assert 400 <= reply.status_code < 500
    check_discreet(stranger.ask("GET", f"/api/tables/{new['id']}").text)


def test_at_a_public_table_all_is_as_before(server: Server, players: tuple[Person, Person]) -> None:
    host, guest = players
    table = host.table("me", "open", public=True)
    guest.call("POST", f"/api/tables/{table['id']}/join", {})
    seen = Person(server).info(table)
    assert [seat["name"] for seat in seen["seats"]] == list(NAMES)
