"""The live feed: reconnecting, several tabs, slow readers, bad messages."""

from __future__ import annotations

import contextlib
import json
import socket as sockets
import threading

import pytest
from websockets.exceptions import InvalidStatus

from tests.server.support import Json, Live, Person, Server, inflated, wait_for


@pytest.fixture
def table(ada: Person, milo: Person) -> Json:
    made = ada.table("me", "open")
    milo.join(made)
    return made


def test_who_comes_is_told_the_table_then_the_game(ada: Person, table: Json) -> None:
    with ada.live(table) as live:
        assert live.next()["type"] == "info"
        update = live.next()
        assert (update["type"], update["seat"], update["since"]) == ("update", 0, 0)
        assert len(update["steps"]) == update["ply"]


def test_who_comes_back_gets_what_was_missed(ada: Person, milo: Person, table: Json) -> None:
    known = milo.update(table)["ply"]
    update = ada.update(table)
    ada.act(table, update, update["legal"][-1])
    with milo.live(table, since=known) as live:
        missed = live.next("update")
    assert missed["since"] == known
    assert [step["ply"] for step in missed["steps"]] == list(range(known, missed["ply"]))


def test_everybody_is_told_of_every_action_in_order(
    ada: Person, milo: Person, server: Server, table: Json
) -> None:
    with (
        ada.live(table) as first,
        milo.live(table) as second,
        Person(server).live(table) as watching,
    ):
        lives, plies = (
            (first, second, watching),
            [live.next("update")["ply"] for live in (first, second, watching)],
        )
        for _ in range(6):
            person, live = next(
                pair for pair in ((ada, first), (milo, second)) if pair[0].update(table)["legal"]
            )
            update = person.update(table)
            live.send("act", seat=update["seat"], ply=update["ply"], action=update["legal"][-1])
            news = [each.next("update") for each in lives]
            assert [one["since"] for one in news] == plies, "no gap"
            plies = [one["ply"] for one in news]
            assert len(set(plies)) == 1


def test_two_tabs_of_one_seat_see_the_same_and_act_once(ada: Person, table: Json) -> None:
    with ada.live(table) as left, ada.live(table) as right:
        update, same = left.turn(), right.turn()
        assert update == same
        for tab in (left, right):
            tab.send("act", seat=0, ply=update["ply"], action=update["legal"][-1])
        assert sorted(answer(tab)["type"] for tab in (left, right)) == ["done", "problem"]


def test_large_effects_follow_the_update_of_the_player_to_act(
    ada: Person, milo: Person, table: Json
) -> None:
    """They are those that a request would give, and nobody else gets them."""
    with ada.live(table, folds=True) as live, milo.live(table, folds=True) as other:
        for _ in range(3):
            update = live.turn()
            assert update["effects"] is None
            follows = live.next("effects")
            assert (follows["seat"], follows["ply"]) == (0, update["ply"])
            effects = inflated(follows)
            told = {
                action: [effects["events"][event] for event in of]
                for action, of in zip(update["legal"], effects["of"], strict=True)
            }
            path = f"/api/tables/{table['id']}/previews?seat=0"
            assert told == ada.call("GET", path)["previews"]
            ada.act(table, update, update["legal"][-1])
            update = milo.update(table)
            milo.act(table, update, update["legal"][-1])
        other.next("update")
    large = [message for message in other.received if message["type"] == "effects"]
    assert {message["seat"] for message in large} <= {1}


def test_large_effects_follow_only_for_clients_that_fold(ada: Person, table: Json) -> None:
    with ada.live(table) as live:
        assert live.turn()["effects"] is None
        live.send("ping")
        live.next("pong")
    assert not any(message["type"] == "effects" for message in live.received)


def answer(live: Live) -> Json:
    """What the server says to the command sent last."""
    while (message := live.next())["type"] not in ("done", "problem"):
        pass
    return message


def test_ping_is_answered_and_sync_sends_everything(ada: Person, table: Json) -> None:
    with ada.live(table, since=-1) as live:
        first = live.next("update")
        assert first["steps"] == []
        live.send("ping")
        live.next("pong")
        live.send("sync", since=0)
        assert len(live.next("update")["steps"]) == first["ply"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        '{"do":"act"}',
        '{"do":"ping","x":1}',
        '{"do":"act","id":"a","seat":true,"ply":0,"action":"x"}',
    ],
)
def test_a_message_that_is_none_is_answered_and_the_socket_goes_on(
    ada: Person, table: Json, text: str
) -> None:
    with ada.live(table) as live:
        live.socket.send(text)
        assert live.next("problem")["code"] == "invalid-message"
        live.send("ping")
        live.next("pong")


def test_too_many_bad_messages_or_a_huge_one_close_the_socket(ada: Person, table: Json) -> None:
    with ada.live(table) as live:
        for _ in range(60):
            live.socket.send("nonsense")
        assert live.close_code() == 1008
    with ada.live(table) as live:
        live.socket.send("x" * 20_000)
        assert live.close_code() == 1009


def test_another_site_cannot_open_a_socket(ada: Person, table: Json) -> None:
    with pytest.raises(InvalidStatus), ada.live(table, origin="https://evil.example"):
        pass
    with pytest.raises(InvalidStatus), ada.live({"id": "nowhere1"}):
        pass
    with ada.live(table, origin=ada.server.base) as live:
        live.next("update")


def test_a_reader_that_does_not_read_never_holds_up_the_table(
    ada: Person, milo: Person, server: Server, table: Json
) -> None:
    """A spectator with a tiny window stops reading; the players go on, and the spectator is cut off."""
    plain = sockets.socket()
    plain.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
    plain.connect(("127.0.0.1", server.port))
    plain.sendall(
        f"GET /api/tables/{table['id']}/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    wait_for(lambda: ada.info(table)["watching"] >= 1, 10)
    with ada.live(table) as live:
        for number in range(150):
            live.send("say", text=f"{number} " + "x" * 280)
            live.next("done")
        update = ada.update(table)
        live.send("act", seat=0, ply=update["ply"], action=update["legal"][-1])
        live.next("done")
    plain.close()


def test_a_storm_of_reconnects_is_served(server: Server, ada: Person, table: Json) -> None:
    """Three hundred sockets at once, all told the same table."""
    told: list[Json] = []

    def come() -> None:
        for _ in range(30):
            with contextlib.suppress(OSError, TimeoutError), Person(server).live(table) as live:
                told.append(live.next("update"))

    threads = [threading.Thread(target=come) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == 300
    assert len({json.dumps(one["view"]) for one in told}) == 1
    wait_for(lambda: ada.info(table)["watching"] == 0, 20)


def test_a_handshake_for_several_protocols_is_told_which_one_there_is(
    server: Server, table: Json
) -> None:
    with contextlib.closing(sockets.create_connection(("127.0.0.1", server.port), 30)) as plain:
        plain.sendall(
            f"GET /api/tables/{table['id']}/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            "Connection: Upgrade\r\nUpgrade: h2c\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        reply = b""
        while chunk := plain.recv(4096):
            reply += chunk
    head, _, body = reply.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 426 ") and b"\r\nUpgrade: websocket" in head
    assert json.loads(body)["code"] == "invalid-handshake"
