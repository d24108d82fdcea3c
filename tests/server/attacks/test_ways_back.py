"""Phrases, passkeys and codes of guests: guessed, used twice, used elsewhere, copied."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.server.attacks.conftest import Newcomer
from tests.server.attacks.support import at_once
from tests.server.attacks.test_tokens import bearer, key_of, opens_nothing
from tests.server.authenticator import PRESENT, Authenticator, content, text
from tests.server.notify.receivers import Postbox
from tests.server.support import Json, Person, Server, wait_for


def phrase_of(person: Person) -> str:
    phrase: str = person.call("POST", "/api/me/recovery")["phrase"]
    return phrase


def recovers(server: Server, phrase: str) -> str | None:
    """Who a newcomer becomes by a phrase."""
    reply = Person(server).ask("POST", "/api/recover", {"phrase": phrase})
    return reply.json()["id"] if reply.status_code == 200 else None


def me(person: Person) -> str:
    found: str = person.call("GET", "/api/me")["id"]
    return found


def test_a_phrase_opens_one_door_once(server: Server, ada: Person) -> None:
    table, phrase = ada.table("me", "local"), phrase_of(ada)
    with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as database:
        (kept,) = database.execute("SELECT * FROM recovery WHERE person_id = ?", [me(ada)])
    assert not any(word in str(kept) for word in phrase.split()[2:]), "only a hash is kept"
    opens_nothing(server, phrase.replace(" ", ""), ada, table)
    name, secret = phrase.split()[:2], phrase.split()[2:]
    for wrong in (
        " ".join(name),
        " ".join([*name, *secret[:-1]]),
        " ".join([*name, *reversed(secret)]),
        " ".join([*reversed(name), *secret]),
        "a" * 200,
        "'; DROP TABLE recovery; --",
        " ".join([*name, *(["babab"] * 6)]),
    ):
        assert recovers(server, wrong) is None, wrong
    typed = f"  {phrase.upper().replace(' ', ' - ')}\n"
    winners = at_once([partial(recovers, server, typed)] * 4)
    assert sorted(map(bool, winners)) == [False, False, False, True]
    assert me(ada) in winners
    assert recovers(server, phrase) is None, "it works once"
    old, new = phrase_of(ada), phrase_of(ada)
    assert recovers(server, old) is None, "a new phrase voids the old one"
    assert recovers(server, new) == me(ada)


def test_phrases_cannot_be_guessed_quickly(guarded: Server, newcomer: Newcomer) -> None:
    ada, guesser = newcomer("Ada"), newcomer()
    phrase = phrase_of(ada)
    guess = {"phrase": " ".join(["babab"] * 8)}
    codes = [guesser.problem("POST", "/api/recover", guess)["code"] for _ in range(7)]
    assert codes == ["wrong-phrase"] * 5 + ["rate-limited"] * 2
    named = Person(guarded, "Guesser", guesser.address)
    refused = named.problem("POST", "/api/recover", {"phrase": phrase})
    assert refused["code"] == "rate-limited", "also under another name"
    assert newcomer().call("POST", "/api/recover", {"phrase": phrase})["id"] == me(ada)


def test_only_the_persons_own_browser_makes_ways_back(server: Server, ada: Person) -> None:
    token = ada.web.post("/api/bots", json={"name": "Robot"}).json()["token"]
    for path in ("/api/me/recovery", "/api/me/passkeys/options"):
        assert bearer(server, token, "POST", path, {}).json()["code"] == "browser-only"
        assert Person(server).problem("POST", path)["code"] == "who-are-you"
    assert bearer(server, token, "GET", "/api/me/access").status_code == 403


def added(person: Person) -> Authenticator:
    """A passkey of this person."""
    made = Authenticator(person.server.base)
    options = person.call("POST", "/api/me/passkeys/options")["options"]
    person.call("POST", "/api/me/passkeys", {"credential": made.register(options)})
    return made


def challenge(person: Person) -> Json:
    options: Json = person.call("POST", "/api/passkeys/options")["options"]
    return options


def refusal(person: Person, credential: Json) -> str:
    code: str = person.problem("POST", "/api/passkeys", {"credential": credential})["code"]
    return code


def test_a_passkey_signs_its_person_in(server: Server, ada: Person) -> None:
    made = added(ada)
    made.count = 1
    phone = Person(server)
    credential = made.sign(challenge(phone))
    assert phone.call("POST", "/api/passkeys", {"credential": credential})["id"] == me(ada)
    listed = ada.call("GET", "/api/me/access")
    assert [each["id"] for each in listed["passkeys"]] == [text(made.id)]
    assert len(listed["devices"]) == 2
    assert refusal(phone, credential) == "challenge-expired", "an answer works once"
    ada.call("DELETE", f"/api/me/passkeys/{text(made.id)}")
    made.count = 2
    assert refusal(phone, made.sign(challenge(phone))) == "unknown-passkey"


def test_a_passkey_of_another_site_counter_key_or_person_is_refused(
    server: Server, ada: Person, milo: Person
) -> None:
    made, other = added(ada), added(milo)
    thief = Person(server)

    def tried(**changes: object) -> str:
        before = {name: getattr(made, name) for name in changes}
        for name, value in changes.items():
            setattr(made, name, value)
        found = refusal(thief, made.sign(challenge(thief)))
        for name, value in before.items():
            setattr(made, name, value)
        return found

    made.count = 5
    thief.call("POST", "/api/passkeys", {"credential": made.sign(challenge(thief))})
    for changes in (
        {"origin": "https://evil.example", "count": 6},
        {"host": "evil.example", "count": 6},
        {"count": 5},
        {"count": 4},
        {"count": 6, "flags": PRESENT},
        {"count": 6, "key": other.key},
        {"count": 6, "user": other.user},
    ):
        assert tried(**changes) == "passkey-refused", changes
    answer = made.sign({"challenge": text(b"x" * 32)})
    assert refusal(thief, answer) == "challenge-expired", "we never asked for it"
    options = ada.call("POST", "/api/me/passkeys/options")["options"]
    assert refusal(thief, made.sign(options)) == "challenge-expired", "asked for something else"
    options = ada.call("POST", "/api/me/passkeys/options")["options"]
    stolen = {"credential": Authenticator(server.base).register(options)}
    assert milo.problem("POST", "/api/me/passkeys", stolen)["code"] == "passkey-refused"
    twin = Authenticator(server.base, id=made.id)
    options = milo.call("POST", "/api/me/passkeys/options")["options"]
    again = {"credential": twin.register(options)}
    assert milo.problem("POST", "/api/me/passkeys", again)["code"] == "passkey-refused"
    made.count = 6
    assert thief.call("POST", "/api/passkeys", {"credential": made.sign(challenge(thief))})


@pytest.mark.parametrize(
    "credential",
    [{}, {"response": 1}, {"response": {"clientDataJSON": "e30"}}, {"response": {"clientDataJSON": "W10"}},
     {"response": {"clientDataJSON": "\u00e9"}}],
)  # fmt: skip
def test_what_is_no_credential_is_refused(server: Server, credential: Json) -> None:
    assert refusal(Person(server), credential) in ("passkey-refused", "challenge-expired")


def test_a_broken_answer_to_a_real_challenge_is_refused(server: Server, ada: Person) -> None:
    made = added(ada)
    for part in ("authenticatorData", "signature"):
        credential = made.sign(challenge(ada))
        credential["response"][part] = text(content(credential["response"][part])[:-1])
        assert refusal(ada, credential) == "passkey-refused"


def left(person: Person, as_whom: Person) -> Json:
    """What the browser of `person` receives when it becomes another person."""
    code = as_whom.call("POST", "/api/me/link")["code"]
    guest: Json = person.call("POST", "/api/claim", {"code": code})["guest"]
    return guest


def test_a_guest_is_taken_over_once_by_the_person_behind_it(
    server: Server, ada: Person, milo: Person
) -> None:
    guest = Person(server, "Guest")
    table = guest.table("me", "local")
    key = key_of(guest)
    told = left(guest, ada)
    assert told["tables"] == 1
    opens_nothing(server, told["code"], ada, ada.table("me", "local"))
    assert milo.problem("POST", "/api/me/merge", {"code": "x" * 43})["code"] == "link-expired"
    link = ada.call("POST", "/api/me/link")["code"]
    assert ada.problem("POST", "/api/me/merge", {"code": link})["code"] == "link-expired"
    assert Person(server).problem("POST", "/api/me/merge", {"code": told["code"]})["code"] == (
        "who-are-you"
    )
    merged = {"code": told["code"]}
    assert guest.call("POST", "/api/me/merge", merged)["id"] == me(ada)
    assert guest.problem("POST", "/api/me/merge", merged)["code"] == "link-expired"
    assert ada.info(table)["seats"][0]["mine"], "in memory as well"
    stolen = Person(server)
    stolen.web.cookies.set("lampion", key)
    assert stolen.call("GET", "/api/me")["id"] is None, "the guest's key is dead"
    assert ada.command(table, "resign", seat=0).status_code == 200


def test_nobody_is_merged_with_an_opponent(server: Server, ada: Person) -> None:
    guest = Person(server, "Guest")
    table = ada.table("me", "open")
    guest.join(table)
    told = left(guest, ada)
    refused = guest.problem("POST", "/api/me/merge", {"code": told["code"]})
    assert refused["code"] == "cannot-merge"
    assert [seat["mine"] for seat in ada.info(table)["seats"]] == [True, False]


# --- by e-mail ---

MAIL = "/api/recover/mail"


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    with Postbox() as running:
        yield running


@pytest.fixture
def mailing(postbox: Postbox, tmp_path: Path) -> Iterator[Server]:
    server = Server(str(tmp_path / "lampion.db"), log=tmp_path / "log")
    server.flags = ("--public-url", server.base, *postbox.flags)
    with server.start():
        yield server


def confirmed(postbox: Postbox, person: Person, address: str) -> str:
    api = "/api/me/notifications/mail"
    way = person.call("POST", api, {"address": address})["id"]
    wait_for(lambda: postbox.letters)
    code = str(postbox.letters.pop()[1]["Subject"]).rpartition(" ")[2]
    person.call("POST", f"{api}/confirm", {"way": way, "code": code})
    return str(way)


def link_in(postbox: Postbox) -> str:
    """The code in the next letter."""
    wait_for(lambda: postbox.letters)
    _, letter, _ = postbox.letters.pop()
    plain = letter.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    found = re.search(r"/claim#([\w-]+)", plain)
    assert found and found[1] not in str(letter["Subject"])
    return found[1]


def test_a_letter_brings_its_person_back_once(mailing: Server, postbox: Postbox) -> None:
    ada, thief = Person(mailing, "Ada"), Person(mailing)
    way = confirmed(postbox, ada, "ada@mail.example")
    table = ada.table("me", "local")
    assert thief.call("POST", MAIL, {"address": "ada@MAIL.example"}) == {}
    code = link_in(postbox)
    opens_nothing(mailing, code, ada, table)
    assert thief.problem("POST", "/api/me/merge", {"code": code})["code"] == "who-are-you"
    phone = Person(mailing)
    assert phone.call("POST", "/api/claim", {"code": code})["id"] == me(ada)
    assert thief.problem("POST", "/api/claim", {"code": code})["code"] == "link-expired"
    assert mailing.log and code not in mailing.log.read_text()

    # A link dies with the devices that are signed out, and with the address.
    assert phone.call("POST", MAIL, {"address": "ada@mail.example"}) == {}
    code = link_in(postbox)
    ada.call("POST", "/api/me/sign-out", {"others": True})
    assert thief.problem("POST", "/api/claim", {"code": code})["code"] == "link-expired"
    ada.call("DELETE", f"/api/me/notifications/ways/{way}")
    assert thief.call("POST", MAIL, {"address": "ada@mail.example"}) == {}
    confirmed(postbox, ada, "ada@other.example")
    assert not postbox.letters, "nothing has come in the meantime"


def test_nobody_learns_which_addresses_are_known(mailing: Server, postbox: Postbox) -> None:
    ada, eve = Person(mailing, "Ada"), Person(mailing, "Eve")
    confirmed(postbox, ada, "ada@mail.example")
    eve.call("POST", "/api/me/notifications/mail", {"address": "unconfirmed@mail.example"})
    wait_for(lambda: postbox.letters)
    postbox.letters.clear()
    asked = ("ada@mail.example", "unconfirmed@mail.example", "nobody@mail.example")
    replies = [eve.ask("POST", MAIL, {"address": address}) for address in asked]
    assert len({(reply.status_code, reply.content) for reply in replies}) == 1
    wait_for(lambda: postbox.letters)
    assert [to for to, _, _ in postbox.letters] == [["ada@mail.example"]]
    for bad in ("ada@mail.example\r\nBcc: eve@mail.example", "a@b", "ada@mail.example,eve@x.org"):
        assert eve.problem("POST", MAIL, {"address": bad})["code"] == "bad-address"


def test_letters_are_few_and_only_where_there_is_a_mail_server(
    server: Server, tmp_path: Path, postbox: Postbox
) -> None:
    wanted = {"address": "ada@mail.example"}
    assert Person(server).problem("POST", MAIL, wanted)["code"] == "not-offered"
    busy = Server(str(tmp_path / "busy.db"))
    busy.flags = (*postbox.flags, "--public-url", busy.base, "--limit-scale", "1")
    with busy.start():
        asked = [Person(busy).ask("POST", MAIL, wanted).status_code for _ in range(5)]
    assert asked == [200] * 3 + [429] * 2
