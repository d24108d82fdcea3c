"""Three processes on one PostgreSQL, behind a balancer that sends every request to another one."""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import pytest
from websockets.exceptions import WebSocketException

from tests.server.attacks.support import at_once
from tests.server.chaos.balancer import Balancer
from tests.server.chaos.support import ADOPTED, BOT_PAUSE, CLOCK_SECONDS, TROUBLE, Duties
from tests.server.store.postgres import Postgres
from tests.server.support import Json, Person, Server, wait_for
from tests.support import GAMES

AGREE = float(os.environ.get("LAMPION_AGREE_SECONDS", "20"))
"""Seconds within which all processes say the same. One is promised; `benchmarks.kills` asks for
one."""
PROCESSES = 3
RANDOM_KILLS = int(os.environ.get("LAMPION_RANDOM_KILLS", "2"))


@contextlib.contextmanager
def three(url: str, *flags: str) -> Iterator[list[Server]]:
    servers = [Server(url, *flags) for _ in range(PROCESSES)]
    try:
        for server in servers:
            server.start()
        yield servers
    finally:
        for server in servers:
            server.kill()


@pytest.fixture(scope="module")
def servers(postgres: Postgres) -> Iterator[list[Server]]:
    with three(postgres.create("three_processes")) as running:
        yield running


def at(server: Server, person: Person) -> Person:
    """The same person with the same key, talking to another process."""
    other = Person(server)
    other.web.cookies.set("lampion", person.web.cookies["lampion"])
    return other


def agree(
    servers: list[Server], holds: Callable[[Server], object], seconds: float = AGREE
) -> float:
    """Wait until it holds at every process; returns the seconds it took."""
    began = time.monotonic()
    for server in servers:
        wait_for(partial(holds, server), seconds)
    return time.monotonic() - began


@pytest.fixture
def game(servers: list[Server]) -> tuple[Person, Person, Json]:
    """Ada at the first process and Milo at the second, at one public table."""
    ada, milo = Person(servers[0], "Ada"), Person(servers[1], "Milo")
    table = ada.table("me", "open", public=True)
    milo.call("POST", f"/api/tables/{table['id']}/join", {})
    return ada, milo, table


Game = tuple[Person, Person, Json]


def test_a_seat_that_is_taken_is_taken_everywhere(servers: list[Server]) -> None:
    ada = Person(servers[0], "Ada")
    table = ada.table("me", "open", public=True)
    for server in servers:
        Person(server).info(table)  # every process knows the table by now
    Person(servers[1], "Milo").call("POST", f"/api/tables/{table['id']}/join", {})
    agree(servers, lambda server: Person(server).info(table)["status"] == "running")


def test_two_who_take_one_seat_at_two_processes_do_not_both_get_it(servers: list[Server]) -> None:
    for _ in range(5):
        table = Person(servers[0], "Ada").table("me", "open", public=True)
        people = [Person(server, f"P{number}") for number, server in enumerate(servers)]
        path = f"/api/tables/{table['id']}/join"
        results = [
            reply.status_code
            for reply in at_once([partial(one.ask, "POST", path, {}) for one in people])
        ]
        assert results.count(200) == 1, results
        assert max(results) < 500


def test_a_new_name_is_known_everywhere(servers: list[Server], game: Game) -> None:
    ada, _, table = game
    for server in servers:
        Person(server).info(table)
    ada.call("PATCH", "/api/me", {"name": "Ada Lovelace"})
    agree(servers, lambda server: Person(server).info(table)["seats"][0]["name"] == "Ada Lovelace")


def test_a_new_name_is_the_person_s_own_everywhere(servers: list[Server]) -> None:
    """Every process has the person in memory by their key; a table made or joined there later
    takes the name from there."""
    ada = Person(servers[0], "Ada")
    everywhere = [at(server, ada) for server in servers]
    assert {person.call("GET", "/api/me")["name"] for person in everywhere} == {"Ada"}
    ada.call("PATCH", "/api/me", {"name": "Countess"})
    agree(servers, lambda server: at(server, ada).call("GET", "/api/me")["name"] == "Countess")
    for person in everywhere:
        assert person.table("me", "open")["seats"][0]["name"] == "Countess"


def test_who_watches_at_another_process_is_told_of_a_new_name(
    servers: list[Server], game: Game
) -> None:
    ada, _, table = game
    with Person(servers[2]).live(table) as live:
        live.next("update")
        ada.call("PATCH", "/api/me", {"name": "Countess"})
        wait_for(lambda: live.next("info")["table"]["seats"][0]["name"] == "Countess", AGREE)


def test_presence_is_the_same_everywhere(servers: list[Server], game: Game) -> None:
    ada, _, table = game
    with ada.live(table) as live:
        live.next("update")
        agree(servers, lambda server: Person(server).info(table)["seats"][0]["connected"])
    agree(servers, lambda server: not Person(server).info(table)["seats"][0]["connected"])


def test_a_dead_process_takes_its_presence_with_it(postgres: Postgres) -> None:
    """As soon as the others take over its tables: it cannot say goodbye."""
    with three(postgres.create("presence")) as servers:
        ada = Person(servers[0], "Ada")
        table = ada.table("me", "open", public=True)
        with ada.live(table) as live:
            live.next("info")
            agree(servers, lambda server: Person(server).info(table)["seats"][0]["connected"])
            servers[0].kill()

        def is_gone(server: Server) -> bool:
            return not Person(server).info(table)["seats"][0]["connected"]

        agree(servers[1:], is_gone, ADOPTED)


def test_chat_is_heard_and_read_everywhere_in_one_order(servers: list[Server], game: Game) -> None:
    ada, milo, table = game
    with milo.live(table) as live:
        live.next("update")
        for number in range(5):
            ada.command(table, "say", text=f"a{number}")
            milo.command(table, "say", text=f"m{number}")
        heard = [live.next("said") for _ in range(10)]
    assert [line["number"] for line in heard] == sorted(line["number"] for line in heard)
    path = f"/api/tables/{table['id']}/chat"
    agree(servers, lambda server: at(server, ada).call("GET", path)["messages"] == heard)


def test_a_key_is_dead_everywhere_before_its_end_is_acknowledged(
    servers: list[Server], game: Game
) -> None:
    """No waiting here: once the answer is there, no process takes the key."""
    ada, _, table = game
    everywhere = [at(server, ada) for server in servers]
    for person in everywhere:
        assert person.call("GET", "/api/me")["name"] == "Ada"
    gone = ada.call("GET", "/api/me")["id"]
    ada.call("DELETE", "/api/me")
    for person in everywhere:
        reply = person.ask("GET", "/api/me")
        assert reply.status_code >= 400 or reply.json()["id"] != gone
        assert person.command(table, "resign", seat=0).status_code >= 400


def test_the_sockets_of_a_dead_key_end_everywhere(servers: list[Server], game: Game) -> None:
    ada, _, table = game
    with at(servers[2], ada).live(table) as live:
        live.next("update")
        ada.call("DELETE", "/api/me")
        with contextlib.suppress(WebSocketException, TimeoutError):
            live.send("say", text="from beyond")
        wait_for(lambda: ended_or_silent(live), AGREE)
    said = Person(servers[1], "Milo's friend").call("GET", f"/api/tables/{table['id']}/chat")[
        "messages"
    ]
    assert "from beyond" not in str(said)


def test_the_streams_of_a_dead_key_end_everywhere(servers: list[Server], game: Game) -> None:
    ada, _, table = game
    phone = Person(servers[1])
    phone.call("POST", "/api/claim", {"code": ada.call("POST", "/api/me/link")["code"]})
    with at(servers[2], phone).web.stream("GET", "/api/me/stream") as stream:
        lines = stream.iter_lines()
        assert any(table["id"] in line for line in lines)
        ada.call("POST", "/api/me/sign-out", {"others": True})
        hidden = ada.table("me", "open")["id"]
        assert not any(hidden in line for line in lines)


def ended_or_silent(live: object) -> bool:
    """The socket is closed, or refuses to speak for the person."""
    try:
        return bool(live.next("problem", seconds=2)["code"])  # type: ignore[attr-defined]
    except TimeoutError:
        return False
    except WebSocketException:
        return True


def test_a_link_code_works_once_over_all_processes(servers: list[Server]) -> None:
    ada = Person(servers[0], "Ada")
    for _ in range(5):
        code = ada.call("POST", "/api/me/link")["code"]
        phones = [Person(server) for server in servers]
        calls = [partial(phone.ask, "POST", "/api/claim", {"code": code}) for phone in phones]
        results = [reply.status_code for reply in at_once(calls)]
        assert results.count(200) == 1, results


@pytest.mark.parametrize("public", [True, False])
def test_a_rematch_asked_for_at_all_processes_is_one_table(
    servers: list[Server], public: bool
) -> None:
    for _ in range(5):
        ada, milo = Person(servers[0], "Ada"), Person(servers[1], "Milo")
        table = ada.table("me", "open", public=public)
        milo.join(table)
        milo.command(table, "resign", seat=1)
        people = [at(server, person) for server in servers for person in (ada, milo)]
        path = f"/api/tables/{table['id']}/rematch"
        new = {made["id"] for made in at_once([partial(one.call, "POST", path) for one in people])}
        assert len(new) == 1
        agree(servers, partial(leads_to, ada, table, new.pop()))


def leads_to(person: Person, table: Json, new: str, server: Server) -> bool:
    return bool(at(server, person).info(table)["next_table"] == new)


# --- a process dies -----------------------------------------------------------------------------


def test_the_tables_of_a_dead_process_are_adopted(postgres: Postgres) -> None:
    """Bots and clocks, unwatched and watched at another process; the dead one never comes back."""
    url = postgres.create("adopted")
    with three(url, "--bot-pause", str(BOT_PAUSE)) as servers:
        duties = Duties(servers[0], url)
        duties.add_clocks(watched=False)
        began = time.monotonic()
        time.sleep(CLOCK_SECONDS - 6)
        duties.add_bots()
        servers[0].kill()
        duties.ran(time.monotonic() - began)
        try:
            duties.wait_for_all(ADOPTED + BOT_PAUSE)
        finally:
            duties.close()


def test_all_tables_of_two_dead_processes_are_adopted_by_the_last(postgres: Postgres) -> None:
    url = postgres.create("adopted_twice")
    with three(url, "--bot-pause", str(BOT_PAUSE)) as servers:
        for server in servers[:2]:
            duties = Duties(server, url)
            duties.add_bots()
            server.kill()
            duties.close()
            duties.wait(ADOPTED + BOT_PAUSE)


# --- everything at once -------------------------------------------------------------------------


@dataclass(frozen=True)
class Promise:
    """An action that was acknowledged, and the ply from which on it must be in the log.

    Where several act at once, what others did meanwhile comes before it.
    """

    ply: int
    seat: int
    action: str


class Guest(threading.Thread):
    """Plays one table to its end through the balancer, coming back after every failure."""

    def __init__(self, person: Person, table: Json, seed: int) -> None:
        super().__init__(daemon=True)
        self.person, self.table, self.chooser = person, table, random.Random(seed)
        self.promised: list[Promise] = []
        self.result: Json | None = None

    def run(self) -> None:
        end = time.monotonic() + 400
        while self.result is None and time.monotonic() < end:
            with contextlib.suppress(*TROUBLE):
                self._play()
            time.sleep(0.1)

    def _play(self) -> None:
        with self.person.live(self.table, since=-1) as live:
            asked: dict[str, Promise] = {}
            while True:
                message = live.next(seconds=60)
                if message["type"] == "info" and message["table"]["result"]:
                    self.result = message["table"]["result"]
                    return
                if message["type"] == "done" and message["id"] in asked:
                    self.promised.append(asked[message["id"]])
                if message["type"] == "update" and message["legal"]:
                    wish = Promise(
                        message["ply"], message["seat"], self.chooser.choice(message["legal"])
                    )
                    command = live.send("act", seat=wish.seat, ply=wish.ply, action=wish.action)
                    asked[command] = wish


def test_whole_games_of_every_kind_through_random_kills(postgres: Postgres) -> None:
    url = postgres.create("random_kills")
    with three(url) as servers, Balancer([server.port for server in servers]) as balancer:
        people, guests = [], []
        for number, game in enumerate(GAMES):
            ada, milo = (Person(balancer, name) for name in ("Ada", "Milo"))  # type: ignore[arg-type]
            table = ada.table("me", "open", "novice", game=game)
            milo.join(table)
            people.append((ada, milo, table))
            guests += [Guest(ada, table, number), Guest(milo, table, number + 10)]
        for guest in guests:
            guest.start()
        kill_at_random(servers, guests)
        for guest in guests:
            guest.join(400)
        assert all(guest.result for guest in guests), [
            (guest.table["game"], guest.result) for guest in guests
        ]
        assert all(guest.result and guest.result["reason"] == "played" for guest in guests)
        check_all_agree(servers, people, guests)
        assert min(balancer.served.values()) > 0, "every process had its share"


def kill_at_random(servers: list[Server], guests: list[Guest]) -> None:
    chooser = random.Random(7)
    for _ in range(RANDOM_KILLS):
        if not any(guest.is_alive() for guest in guests):
            return
        time.sleep(chooser.uniform(0.5, 2.5))
        victim = chooser.choice(servers)
        victim.kill()
        time.sleep(chooser.uniform(0, 2))
        victim.start()


def check_all_agree(
    servers: list[Server], people: list[tuple[Person, Person, Json]], guests: list[Guest]
) -> None:
    for ada, milo, table in people:
        for person in (ada, milo):
            views = [at(server, person).updates(table, since=0) for server in servers]
            assert views[0] == views[1] == views[2]
            steps = views[0][0]["steps"]
            promised = [
                promise for guest in guests if guest.person is person for promise in guest.promised
            ]
            assert promised
            for promise in promised:
                assert any(
                    step["action"] == promise.action and step["ply"] >= promise.ply
                    for step in steps
                ), f"{promise} is lost"


def test_names_chat_and_rematch_through_the_balancer(servers: list[Server]) -> None:
    """What two browsers do in a row, each request at another process; a second later all know of
    it."""
    with Balancer([server.port for server in servers]) as balancer:
        ada, milo = (Person(balancer, name) for name in ("Ada", "Milo"))  # type: ignore[arg-type]
        for _ in range(5):
            table = ada.table("me", "open")
            assert ada.info(table)["seats"][0]["mine"]
            milo.join(table)
            agree(servers, partial(has, "status", "running", ada, table))
            update = ada.update(table)
            assert ada.act(table, update).status_code == 200
            agree(servers, partial(has_moved_on, ada, table, update["ply"]))
            ada.command(table, "say", text="hello")
            wait_for(partial(heard, milo, table), AGREE)
            milo.command(table, "resign", seat=1)
            agree(servers, partial(has, "status", "finished", ada, table))
            first, second = (
                person.call("POST", f"/api/tables/{table['id']}/rematch")["id"]
                for person in (ada, milo)
            )
            assert first == second


def has(field: str, value: object, person: Person, table: Json, server: Server) -> bool:
    return bool(at(server, person).info(table)[field] == value)


def has_moved_on(person: Person, table: Json, ply: int, server: Server) -> bool:
    return bool(at(server, person).update(table)["ply"] > ply)


def heard(person: Person, table: Json) -> bool:
    chat = person.call("GET", f"/api/tables/{table['id']}/chat")["messages"]
    return [line["text"] for line in chat] == ["hello"]
