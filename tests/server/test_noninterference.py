"""Nothing leaks: whatever a viewer ever receives is the same, byte for byte, in two worlds that he cannot tell apart.

The worlds differ in everything hidden from the viewer: hands, what was drawn and by whom, and the seed of all that is to come.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from lampion.core.fairness import Chance, commitment, seed_from_number
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.core.shown import in_full
from lampion.core.types import SPECTATOR
from lampion.server import wire
from lampion.server.config import Config
from lampion.server.services import Services
from lampion.server.store.base import SeatKind, SeatRow, TableRow, TableStatus
from lampion.server.tables import commands
from lampion.server.tables.info import table_info
from lampion.server.tables.room import Viewer
from lampion.server.tables.table import Table, large_effects_of, previews_of
from lampion.server.web.app import make_app
from tests.server.support import Person, Server, play_live
from tests.support import GAMES, options_to_try, shows_secrets

CHECKS = int(os.environ.get("LAMPION_LEAK_CHECKS", "300"))
NOW = 1_800_000_000_000
encode = msgspec.json.Encoder().encode
Views = dict[int | None, dict[str, Any]]


def options_of(game: str, players: int, number: int) -> dict[str, str]:
    """Every set of options and every variant in turn."""
    sets = options_to_try(game, players)
    return sets[number // len(find_game(game).NUM_PLAYERS) % len(sets)]


def new_table(game: str, players: int, number: int) -> Table:
    seed = seed_from_number(number)
    version, pace = find_game(game).RULES_VERSION, '{"kind":"none"}'
    row = TableRow(
        f"table{number}",
        game,
        players,
        version,
        encode(options_of(game, players, number)).decode(),
        False,
        pace,
        TableStatus.OPEN,
        seed.hex(),
        commitment(seed),
        1,
        1,
    )
    table = Table(
        row,
        [
            SeatRow(row.id, seat, SeatKind.PERSON, f"person{seat}", None, f"Name {seat}")
            for seat in range(players)
        ],
    )
    commands.start(table, NOW)
    return table


def played(game: str, players: int, number: int) -> Iterator[Table]:
    """A table after each decision of a random game."""
    table, chooser = new_table(game, players, number), random.Random(number)
    while table.status == "running":
        yield table
        seat = chooser.choice(table.actors)
        assert table.match
        command = wire.Act(
            f"c{table.ply}", seat, table.ply, chooser.choice(table.match.legal_actions(seat))
        )
        commands.carry_out(table, command, NOW)


def in_another_world(table: Table, seat: int, number: int) -> Table:
    """The same table as far as that seat can tell."""
    match, seed = table.match, seed_from_number(10**9 + number)
    assert match
    chance = Chance(seed, table.id, ["other"] * table.players)
    twin = copy(table)
    twin.match = match.guess(seat, new_rng(number), chance)
    twin.row = msgspec.structs.replace(table.row, seed=seed.hex())
    return twin


def views_of(table: Table) -> Views:
    """What every viewer is shown."""
    assert table.match
    seats = (SPECTATOR, *range(table.players))
    views = table.match.views(seats)
    return {viewer_at(seat): view for seat, view in zip(seats, views, strict=True)}


def folded(table: Table, seats: Sequence[int | None], before: Views) -> dict[int | None, bytes]:
    """The updates that lead on from the views before, as sockets with `?fold=1` get them. They are
    made for all seats together, which share what is public."""
    since = int(before[None]["ply"])
    return {
        update.seat: encode(msgspec.structs.replace(update, view=None))
        for update in table.updates(seats, since, NOW, before)
    }


def frames(table: Table, seat: int) -> list[bytes]:
    """Everything that the feed, the socket and the previews send to a viewer."""
    viewer, person = (None, None) if seat == SPECTATOR else (seat, f"person{seat}")
    match = table.match
    assert match
    sent = [
        encode(update)
        for since in (0, max(0, table.ply - 2))
        for update in table.updates([viewer], since, NOW)
    ]
    sent.append(encode(table_info(table, Viewer(person), connected=set(), watching=1)))
    if viewer in table.actors:
        (update,) = table.updates([viewer], table.ply, NOW)
        sent.append(encode(in_full(large_effects_of(match, table.id, update))))
    if viewer is not None:
        previews = previews_of(match, viewer) if viewer in table.actors else {}
        sent.append(encode(wire.Previews(match.ply, previews)))
    return sent


@pytest.mark.parametrize("game", GAMES)
def test_no_byte_of_the_feed_depends_on_what_is_hidden(game: str) -> None:
    checks, number = 0, 0
    while checks < CHECKS // len(GAMES):
        number += 1
        players = 2 + number % 3
        before: Views = {}
        for table in played(game, players, number):
            assert table.match
            was, before = before, views_of(table)
            if table.ply % 3 or was_shown(table.match):
                continue
            together = folded(table, list(was), was) if was else {}
            for seat in (SPECTATOR, *range(players)):
                twin, viewer = in_another_world(table, seat, checks), viewer_at(seat)
                assert frames(table, seat) == frames(twin, seat)
                if was:
                    assert folded(twin, [viewer], was)[viewer] == together[viewer]
                checks += 1


def viewer_at(seat: int) -> int | None:
    return None if seat == SPECTATOR else seat


def was_shown(match: Match) -> bool:
    """Whether the next step shows everybody's secrets, as the first move of Lumens does."""
    return shows_secrets(match)


def test_no_byte_of_any_reply_depends_on_what_is_hidden(tmp_path: Path) -> None:
    """The same over HTTP, with the real application: every page about a table that a viewer can ask for."""
    asyncio.run(compare_replies(tmp_path))


async def compare_replies(folder: Path) -> None:
    app = make_app(Config(str(folder / "lampion.db"), limit_scale=10_000), games=["lumens"])
    async with app.router.lifespan_context(app):
        services: Services = app.state.services
        clients = [
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://test", timeout=300
            )
            for _ in range(3)
        ]
        seats = [{"kind": "me"}, {"kind": "open"}]
        made = (
            await clients[0].post("/api/tables", json={"game": "lumens", "seats": seats})
        ).json()
        await clients[1].post(f"/api/tables/{made['id']}/join", json={"invite": made["invite"]})
        chooser = random.Random(1)
        for (
            client
        ) in clients:  # a client that asks is present from then on, which everybody may know
            await client.get(f"/api/tables/{made['id']}/feed")
        for round_number in range(12):
            room = await services.rooms.room(made["id"])
            true = room.table
            assert true.match
            if not was_shown(true.match):
                for viewer, client in zip((0, 1, SPECTATOR), clients, strict=True):
                    before = await replies(client, made["id"], viewer)
                    room.table = in_another_world(true, viewer, round_number)
                    assert await replies(client, made["id"], viewer) == before
                    room.table = true
            seat = true.actors[0]
            action = chooser.choice(true.match.legal_actions(seat))
            body = {
                "do": "act",
                "id": f"c{round_number}",
                "seat": seat,
                "ply": true.ply,
                "action": action,
            }
            assert (
                await clients[seat].post(f"/api/tables/{made['id']}/commands", json=body)
            ).status_code == 200
        for client in clients:
            await client.aclose()


async def replies(client: httpx.AsyncClient, table: str, viewer: int) -> list[bytes]:
    base = f"/api/tables/{table}"
    paths = [base, f"{base}/feed?since=0", f"{base}/feed?since=-1", f"{base}/previews?seat={max(viewer, 0)}", f"{base}/previews?seat=1",
             f"{base}/chat", f"{base}/record", "/api/tables", "/api/me/tables"]  # fmt: skip
    return [(await client.get(path)).content for path in paths]


def test_logs_hold_no_names_keys_or_moves(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with Server(str(tmp_path / "lampion.db"), "--log-level", "debug", log=log) as server:
        person = Person(server, "Zebulon")
        table = person.table("me", "novice", game="lumens")
        play_live(person, table, random.Random(1))
        person.command(table, "say", text="confidential")
        actions = [
            step["action"]
            for step in person.update(table, since=0)["steps"]
            if "=" in step["action"]
        ]
    text = log.read_text()
    for secret in ("Zebulon", person.web.cookies["lampion"], "confidential", *actions):
        assert secret not in text
