"""Names that deceive: invisible, reversed, empty, too long, taken."""

from __future__ import annotations

import unicodedata

import pytest

from tests.server.support import Json, Person, Server

BAD = {
    "empty": "",
    "only spaces": "   ",
    "only wide spaces": "\u3000\u3000",
    "no-break spaces": "\u00a0\u00a0",
    "zero width space": "\u200b",
    "zero width joiners": "\u200d\u200c\u2060",
    "a byte order mark": "\ufeff",
    "soft hyphens": "\u00ad\u00ad",
    "Hangul filler": "\u3164",
    "half-width Hangul filler": "\uffa0",
    "Braille blank": "\u2800",
    "Mongolian vowel separator": "\u180e",
    "combining grapheme joiner": "\u034f",
    "Mongolian variation selectors": "\u180b\u180f",
    "a Khitan filler": "\U00016fe4",
    "a note without a head": "\U0001d159",
    "a place for an object": "\ufffc",
    "a joiner of Tifinagh": "Ada\u2d7f",
    "tags": "\U000e0041\U000e0064",
    "variation selectors": "\ufe0f\ufe0f",
    "bidi override": "\u202eadA",
    "bidi isolate": "Ada\u2066\u2069",
    "right-to-left mark": "Ada\u200f",
    "control": "Ada\x07",
    "delete": "Ada\x7f",
    "C1": "Ada\x9b1m",
    "NUL": "Ada\0",
    "private use": "\ue000\ue001",
    "not a character": "Ada\uffff",
    "41 characters": "x" * 41,
}
HIDDEN_INSIDE = {
    "zero width space": "A\u200bda",
    "soft hyphen": "A\u00adda",
    "joiner": "Ad\u200da",
    "word joiner": "Ada\u2060",
    "Mongolian variation selector": "A\u180bda",
    "the last of them": "Ada\u180f",
    "Khitan filler": "A\U00016fe4da",
}
LINES = ["Ada\nMilo", "Ada\u2028Milo", "Ada\r\nMilo", "Ada\tMilo"]
GOOD = [
    "Ada",
    "Ada L.",
    "Zoë",
    "Nguyễn Ánh",
    "李小龍",
    "О́льга",
    "مريم",
    "שרה",
    "x" * 40,
    "Ada 🏮",
    "O'Neil-3",
]


def plain(name: str) -> str:
    """A name as a reader tells it apart from others."""
    kept = (
        sign
        for sign in unicodedata.normalize("NFKC", name)
        if unicodedata.category(sign) not in ("Cf", "Mn")
    )
    return " ".join("".join(kept).casefold().split())


@pytest.mark.parametrize("name", BAD.values(), ids=BAD.keys())
def test_a_name_that_cannot_be_read_is_refused(ada: Person, name: str) -> None:
    problem = ada.problem("PATCH", "/api/me", {"name": name})
    assert problem["code"] in ("invalid-name", "invalid-message")
    assert ada.call("GET", "/api/me")["name"] == "Ada"


@pytest.mark.parametrize("name", BAD.values(), ids=BAD.keys())
def test_neither_bots_nor_seats_get_such_a_name(ada: Person, milo: Person, name: str) -> None:
    assert ada.ask("POST", "/api/bots", {"name": name}).status_code in (400, 409, 422)
    seats = [{"kind": "me", "name": name}, {"kind": "local", "name": name}]
    for seat in seats:
        body = {"game": "lanterns", "seats": [seat, {"kind": "open"}]}
        reply = ada.ask("POST", "/api/tables", body)
        assert reply.status_code >= 400 or reply.json()["seats"][0]["name"] != name
    table = ada.table("me", "open")
    reply = milo.ask(
        "POST", f"/api/tables/{table['id']}/join", {"invite": table["invite"], "name": name}
    )
    assert reply.status_code >= 400 or reply.json()["seats"][1]["name"] != name


@pytest.mark.parametrize("name", HIDDEN_INSIDE.values(), ids=HIDDEN_INSIDE.keys())
def test_invisible_signs_inside_a_name_are_refused_or_removed(ada: Person, name: str) -> None:
    reply = ada.ask("PATCH", "/api/me", {"name": name})
    assert 400 <= reply.status_code < 500 or reply.json()["name"] == "Ada"


@pytest.mark.parametrize("name", LINES)
def test_a_name_has_one_line(ada: Person, name: str) -> None:
    reply = ada.ask("PATCH", "/api/me", {"name": name})
    assert 400 <= reply.status_code < 500 or reply.json()["name"] == "Ada Milo"


@pytest.mark.parametrize("name", GOOD)
def test_names_of_the_world_are_welcome(server: Server, name: str) -> None:
    assert Person(server, name).call("GET", "/api/me")["name"] == name


def check_names_differ(person: Person, table: Json) -> None:
    names = [plain(seat["name"]) for seat in person.info(table)["seats"] if seat["name"]]
    assert len(names) == len(set(names)), names


SAME = ["Ada", "ada", "ADA", "Ａｄａ", " Ada ", "Ad\u0061"]


@pytest.mark.parametrize("name", SAME)
def test_two_of_one_name_at_a_table_can_be_told_apart(
    server: Server, ada: Person, name: str
) -> None:
    table = ada.table("me", "open", "open")
    other = Person(server, name)
    reply = other.ask("POST", f"/api/tables/{table['id']}/join", {"invite": table["invite"]})
    assert reply.status_code < 500
    if reply.status_code == 200:
        assert other.info(table)["seats"][1]["mine"], "who is let in has a seat"
    check_names_differ(ada, table)


@pytest.mark.parametrize("name", SAME)
def test_nobody_takes_a_neighbor_s_name_later(ada: Person, milo: Person, name: str) -> None:
    table = ada.table("me", "open", "open")
    milo.join(table)
    assert milo.ask("PATCH", "/api/me", {"name": name}).status_code < 500
    check_names_differ(ada, table)


def test_two_who_never_chose_a_name_differ(server: Server) -> None:
    first, second = Person(server), Person(server)
    table = first.table("me", "open")
    second.join(table)
    check_names_differ(first, table)


def test_the_seats_of_one_screen_differ_too(ada: Person) -> None:
    seats = [{"kind": "me"}, {"kind": "local", "name": "Ada"}, {"kind": "local", "name": "Ada"}]
    reply = ada.ask("POST", "/api/tables", {"game": "lanterns", "seats": seats})
    assert reply.status_code < 500
    if reply.status_code == 200:
        check_names_differ(ada, reply.json())


def test_a_line_of_chat_shows_no_hidden_signs(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open")
    milo.join(table)
    ada.command(table, "say", text="\u202eevil\u202c \u200b\u2066x")
    for line in milo.call("GET", f"/api/tables/{table['id']}/chat")["messages"]:
        assert not any(unicodedata.category(sign) in ("Cc", "Cf") for sign in line["text"] or "")
    for empty in ("\u200b\u2060", "   ", "\u3164"):
        assert 400 <= ada.command(table, "say", text=empty).status_code < 500
