"""One visitor takes no more than a share of the bots: everybody else's bots answer as before."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.attacks.support import REAL_LIMITS, count, new_address
from tests.server.support import Json, Live, Person, Server, wait_for

GUESTS, TABLES = 15, 184
MASTERS = [{"kind": "bot", "level": "master"}] * 4
ME_AND_MASTERS = [*MASTERS[:3], {"kind": "me"}]


def attack(server: Server, address: str) -> list[tuple[Person, Json]]:
    """As in the report: from one address fifteen guests and as many tables of masters as are let
    through."""
    guests = [Person(server, address=address) for _ in range(GUESTS)]
    made = []
    for number in range(TABLES):
        guest = guests[number % GUESTS]
        body = {"game": "lanterns", "seats": ME_AND_MASTERS if number % 2 else MASTERS}
        reply = guest.ask("POST", "/api/tables", body)
        assert reply.status_code < 500
        if reply.status_code == 200:
            made.append((guest, reply.json()))
    return made


def moves(server: Server, tables: list[str]) -> int:
    """Moves stored at the attacker's tables."""
    marks = ",".join("?" * len(tables))
    query = (
        f"SELECT count(*) FROM event WHERE kind = 'act' AND actor >= 0 AND table_id IN ({marks})"
    )
    return count(server, query, *tables) if tables else 0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("bots")
    server = Server(
        str(folder / "lampion.db"), *REAL_LIMITS, "--bot-pause", "0", log=folder / "log"
    )
    with server.start() as running:
        yield running


@pytest.fixture(scope="module")
def attacked(site: Server) -> Iterator[list[str]]:
    address = new_address()
    made = attack(site, address)
    with contextlib.ExitStack() as stack:
        for guest, table in made[:50]:  # watched, so that the masters have a viewer to play for
            with contextlib.suppress(Exception):
                stack.enter_context(guest.live(table, since=-1))
        yield [table["id"] for _, table in made]


def bot_reply(live: Live, update: Json) -> Json:
    """Act once, and wait for the update in which the bot has answered and the turn is back, or
    the end."""
    live.send("act", seat=update["seat"], ply=update["ply"], action=update["legal"][0])
    while True:
        message = live.next(seconds=240)
        if message["type"] == "info" and message["table"]["result"]:
            return message
        if message["type"] == "update" and message["legal"] and message["ply"] > update["ply"]:
            return message


def test_a_novice_of_another_person_is_not_behind_the_masters(
    site: Server, attacked: list[str]
) -> None:
    """Order, not seconds: few of the attacker's moves are finished while one novice thinks."""
    ada = Person(site, "Ada", new_address())
    table = ada.table("me", "novice")
    waited = []
    with ada.live(table) as live:
        update = live.turn()
        for _ in range(5):
            before = moves(site, attacked)
            update = bot_reply(live, update)
            waited.append(moves(site, attacked) - before)
    assert waited and sorted(waited)[len(waited) // 2] <= 8, waited


def test_a_master_of_another_person_has_its_turn_too(site: Server, attacked: list[str]) -> None:
    ada = Person(site, "Ada", new_address())
    table = ada.table("me", "master")
    with ada.live(table) as live:
        update, before = live.turn(), moves(site, attacked)
        bot_reply(live, update)
        assert moves(site, attacked) - before <= 30


def test_a_hint_of_another_person_is_served(site: Server, attacked: list[str]) -> None:
    ada = Person(site, "Ada", new_address())
    table = ada.table("me", "novice")
    before = moves(site, attacked)
    assert ada.call("POST", f"/api/tables/{table['id']}/hint", {"seat": 0})["moves"]
    assert moves(site, attacked) - before <= 30


def test_tables_of_bots_alone_do_not_play_unwatched(site: Server) -> None:
    person = Person(site, "Nobody", new_address())
    table = person.table("novice", "novice", "novice")
    seen = moves(site, [table["id"]])
    other = Person(site, "Ada", new_address())
    alone = other.table("me", "novice")
    with other.live(alone) as live:
        update = live.turn()
        for _ in range(6):
            update = bot_reply(live, update)
    assert moves(site, [table["id"]]) - seen <= 12, (
        "while others play whole rounds, nobody needs this game"
    )


def test_tables_of_bots_alone_go_on_when_watched(site: Server) -> None:
    person = Person(site, "Viewer", new_address())
    table = person.table("novice", "novice", "novice", "novice")
    with person.live(table, since=-1):
        wait_for(lambda: moves(site, [table["id"]]) >= 4, 120)


def test_the_attack_does_not_come_back_after_a_restart(site: Server, attacked: list[str]) -> None:
    """Runs last in this module: the attacker's sockets are gone with the server."""
    site.kill()
    site.start()
    ada = Person(site, "Ada", new_address())
    table = ada.table("me", "novice")
    with ada.live(table) as live:
        update, before = live.turn(), moves(site, attacked)
        bot_reply(live, update)
        assert moves(site, attacked) - before <= 8


def test_the_queue_is_told_to_operators(site: Server, attacked: list[str]) -> None:
    """Not a promise about numbers: the page that tells of the bots' queue answers under attack."""
    assert httpx.get(f"{site.base}/health", timeout=60).status_code == 200
