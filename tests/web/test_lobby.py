"""Before the game and around it: ready for the clock, leaving, a full or cancelled table, running
games on the first page, and what is said when time decides or a player says no."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.server.support import Json, Person, Server
from tests.web.players import CLICKS
from tests.web.support import Come, Visitor, expect_no_overflow, invited, whose_turn

CLOCK = {"kind": "clock", "seconds": 600, "increment": 10}
TERMS = "10 minutes each, plus 10 seconds per move"
PHONES = [(390, 664), (320, 568)]
SIZES = [*PHONES, (844, 390), (1366, 768)]


def arrives(come: Come, person: Person, path: str) -> Visitor:
    visitor = come(person.server)
    visitor.sit_as(person)
    visitor.open(path)
    return visitor


def link(table: Json) -> str:
    return f"/t/{table['id']}#{table['invite']}"


def seats(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("region", name="Seats").get_by_role("listitem")


def test_a_lobby_from_the_invitation_to_the_clock(come: Come, site: Server) -> None:
    host, eve = Person(site, "Ada"), Person(site, "Eve")
    table = host.table("me", "open", "open", pace=CLOCK)
    eve.join(table)
    ada, ben, late = arrives(come, host, f"/t/{table['id']}"), come(), come()

    # The terms are known before anybody sits down, and the main button is no bot.
    for guest in (ben, late):
        guest.open(link(table))
        expect(guest.page.get_by_text(TERMS)).to_be_visible()
    expect(ada.page.locator(".button.main")).to_have_count(0)

    # People talk, and a spectator has a name.
    ben.page.get_by_role("textbox", name="Your name").fill("Ben")
    eve.command(table, "say", text="Is it tonight?").raise_for_status()
    expect(ben.page.get_by_role("list", name="Chat")).to_contain_text("Eve Is it tonight?")

    # The host removes a player, who is told so.
    removed = arrives(come, eve, f"/t/{table['id']}")
    expect(removed.button("Leave the table")).to_be_visible()
    ada.button("Remove Eve").click()
    ada.page.get_by_role("alert").get_by_role("button", name="Remove Eve").click()
    expect(removed.page.get_by_text("The host has removed you from this table.")).to_be_visible()

    # The link that the removed player knows is void for everybody; the host shares the new one.
    ben.button("Sit down").click()
    expect(ben.page.get_by_text("ask for its link")).to_be_visible()
    renewed = host.info(table)
    assert renewed["invite"] != table["invite"]
    for guest in (ben, late):
        guest.open(link(renewed))
    ben.page.get_by_role("textbox", name="Your name").fill("Ben")

    # With everybody there, nothing starts before everybody is ready.
    ben.button("Sit down").click()
    expect(seats(ada).nth(1)).to_contain_text("Ben")
    ada.page.get_by_role("combobox", name="Seat 3").select_option("novice")
    for player in (ada, ben):
        expect(player.page.get_by_role("heading", name="Everybody is here. Ready?")).to_be_visible()
    expect(late.page.get_by_role("heading", name="All seats are taken")).to_be_visible()
    ada.button("I am ready").click()
    expect(seats(ben).nth(0)).to_contain_text("ready")
    assert not ada.updates, "the clock does not run yet"
    for width, height in SIZES:
        ben.page.set_viewport_size({"width": width, "height": height})
        expect_no_overflow(ben)
    ben.button("I am ready").click()
    ada.wait_until(lambda: ada.updates and ben.updates, "the game starts")

    # A visitor who came too late is asked, and not made a spectator.
    expect(late.page.get_by_role("heading", name="This table is full")).to_be_visible()
    late.button("Watch the game").click()
    late.wait_until(lambda: late.shown_ply >= 0, "the visitor watches")


def test_leaving_and_canceling_a_table(come: Come, site: Server) -> None:
    host, guest = Person(site, "Ada"), Person(site, "Ben")
    table = host.table("me", "open", "open")
    guest.join(table)
    ada, ben = arrives(come, host, f"/t/{table['id']}"), arrives(come, guest, f"/t/{table['id']}")
    ben.button("Leave the table").click()
    expect(seats(ada).nth(1)).to_contain_text("Free seat")
    ben.open(link(table))
    expect(ben.button("Sit down")).to_be_visible()
    ada.button("Cancel the table").click()
    ada.page.get_by_role("alert").get_by_role("button", name="Cancel the table").click()
    for player in (ada, ben):
        expect(player.page.get_by_role("heading", name="This table was cancelled")).to_be_visible()
    ben.open("/t/nosuchtable1")
    expect(ben.page.get_by_role("alert")).to_contain_text("does not exist any more")


def test_running_games_come_first_and_can_be_dismissed(come: Come, site: Server) -> None:
    me, friend = Person(site, "Ada"), Person(site, "Ben")
    shared = me.table("me", "open")
    friend.join(shared)
    while me.info(shared)["actors"] == [0]:
        me.act(shared, me.update(shared)).raise_for_status()
    me.table("me", "novice", game="lumens")
    ada = arrives(come, me, "/")
    games = ada.page.get_by_role("region", name="Your games")
    rows = games.get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text(re.compile("Lumens.*Your turn", re.S))
    expect(rows.nth(1)).to_contain_text(re.compile("Lanterns.*Running", re.S))
    first_card = ada.card("lanterns").bounding_box()
    listed = games.bounding_box()
    assert listed and first_card and listed["y"] < first_card["y"]
    games.get_by_role("button", name=re.compile("Remove from the list: Lumens")).click()
    expect(games.get_by_text("The game ends without a result.")).to_be_visible()
    games.get_by_role("button", name="Remove it").click()
    expect(rows).to_have_count(1)
    games.get_by_role("button", name=re.compile("Remove from the list: Lanterns")).click()
    expect(games.get_by_text("A bot plays on for you.")).to_be_visible()
    games.get_by_role("button", name="Remove it").click()
    expect(games).to_have_count(0)
    ada.page.reload()
    expect(ada.card("lanterns")).to_be_visible()
    expect(games).to_have_count(0)
    ada.open(f"/t/{shared['id']}")
    expect(ada.page.get_by_text("A bot plays for you.")).to_be_visible()
    ada.button("Take my seat back").click()
    expect(ada.page.get_by_text("A bot plays for you.")).to_have_count(0)


def test_what_a_table_says_beside_the_moves(come: Come) -> None:
    """A no reaches the player who asked, `away` is shown of the player to move, and a reload finds no
    message of your own unread."""
    ada, ben = invited(come, "lanterns")
    mover = whose_turn(ada, ben)
    other, name, mine = (ben, "Ben", "Ada") if mover is ada else (ada, "Ada", "Ben")
    mover.move_with(CLICKS["lanterns"])
    mover.button("Undo").click()
    other.button("No").click()
    expect(mover.page.get_by_text(f"{name} said no: the move stands.")).to_be_visible()
    mover.page.get_by_role("button", name="Chat").click()
    mover.button("Hello!").click()
    expect(mover.page.get_by_role("list", name="Chat")).to_contain_text(f"{mine} Hello!")
    other.open("/about")
    expect(mover.page.get_by_text(f"Waiting for {name} (away)")).to_be_visible()
    mover.page.reload()
    mover.wait_until(lambda: mover.shown_ply >= 0, "the table is back")
    expect(mover.page.get_by_role("button", name="Chat", exact=True)).to_be_visible()


def test_a_spectator_has_a_name_in_the_chat(come: Come, site: Server) -> None:
    host, zoe = Person(site, "Ada"), Person(site, "Zoe")
    table = host.table("me", "novice", public=True)
    ada, watching = (
        arrives(come, host, f"/t/{table['id']}"),
        arrives(come, zoe, f"/t/{table['id']}"),
    )
    for visitor in (ada, watching):
        visitor.wait_until(lambda: visitor.shown_ply >= 0, "the table is there")  # noqa: B023 (used at once)
        visitor.page.get_by_role("button", name="Chat").click()
    watching.button("Hello!").click()
    for visitor in (ada, watching):
        expect(visitor.page.get_by_role("list", name="Chat")).to_contain_text("Zoe Hello!")


def clocked(server: Server, *names: str) -> tuple[Json, list[Person]]:
    """A game with a clock whose players are all ready."""
    people = [Person(server, name) for name in names]
    table = people[0].table("me", *["open"] * (len(names) - 1), pace=CLOCK)
    for person in people[1:]:
        person.join(table)
    for person in people:
        person.ready(table)
    return table, people


def test_a_clock_decides_and_says_so(come: Come, tmp_path: Path) -> None:
    """Nobody waits ten minutes: while the server is away, the games are moved into the past."""
    with Server(str(tmp_path / "lampion.db")) as server:
        duel, (_, winner) = clocked(server, "Ana", "Ben")
        trio, (late, *_) = clocked(server, "Eve", "Ida", "Leo")
        server.kill()
        with closing(sqlite3.connect(server.database)) as database, database:
            database.execute("UPDATE event SET at_ms = at_ms - 700000")
        server.start()
        ben = arrives(come, winner, f"/t/{duel['id']}")
        result = ben.page.get_by_role("dialog", name="The game is over")
        expect(result).to_contain_text("You win!")
        expect(result).to_contain_text("Ana ran out of time.")
        eve = arrives(come, late, f"/t/{trio['id']}")
        expect(eve.page.get_by_text("A bot plays your seat to the end.").first).to_be_visible()
        expect(eve.page.get_by_role("list", name="Seats")).to_contain_text("out of time")
        expect(eve.button("Take my seat back")).to_have_count(0)
        check_signs(eve, {"out of time"})


def check_signs(visitor: Visitor, names: set[str]) -> None:
    """On a phone there is no room for words about a seat, so icons have them for names."""
    strip = visitor.page.get_by_role("list", name="Seats")
    for width, height in PHONES:
        visitor.page.set_viewport_size({"width": width, "height": height})
        for name in names:
            expect(strip.get_by_role("img", name=name)).to_be_in_viewport(ratio=1)
        cut = strip.get_by_role("img").evaluate_all(
            "(all) => all.filter((each) => each.getBoundingClientRect().right > "
            "each.closest('li').getBoundingClientRect().right).length"
        )
        assert cut == 0
        expect_no_overflow(visitor)


def test_a_phone_shows_who_no_longer_moves(come: Come, site: Server) -> None:
    people = [Person(site, name) for name in ("Ada", "Ben", "Eve", "Ida")]
    table = people[0].table("me", "open", "open", "open")
    for person in people[1:]:
        person.join(table)
    people[1].command(table, "resign", seat=1).raise_for_status()
    people[2].command(table, "leave", seat=2).raise_for_status()
    ada = arrives(come, people[0], f"/t/{table['id']}")
    ada.wait_until(lambda: ada.shown_ply >= 0, "the table is there")
    strip = ada.page.get_by_role("list", name="Seats")
    expect(strip).to_contain_text("resigned")
    expect(strip).to_contain_text("a bot plays")
    expect(strip.get_by_role("img", name="resigned")).to_be_hidden()
    check_signs(ada, {"resigned", "a bot plays"})
