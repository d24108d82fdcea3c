"""Tables that are at a moment of a game at once.

Games are played here, with the compiled rules, from seeds that are known to come to that moment,
and a server starts with their logs on disk. So a test waits for no bot, and sees the same position
every time. Where nobody but the player is to act, a position stays as it is.

python -m tests.web.positions    looks for seeds, after a change of the rules
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec

from lampion.core.fairness import commitment
from lampion.core.game import find_game
from lampion.server.people.keys import hash_of
from lampion.server.store import open_store
from lampion.server.store.base import (
    PersonRow,
    SeatKind,
    SeatRow,
    Store,
    TableRow,
    TableStatus,
    TokenKind,
    TokenRow,
)
from lampion.server.tables import commands
from lampion.server.tables.table import Table
from lampion.server.wire.incoming import NoClock
from tests.server.support import Json, Person, Server, empty_database

NOW = time.time_ns() // 1_000_000
"""A server stops games that nobody has touched for long."""
PLAYER, KEY = "stored-player", "the-key-of-the-stored-player"
NAMES = ("Aurelia", "Bartholomew", "Iris", "Noor")
SEEDS_TO_TRY = 60


class Moment(NamedTuple):
    """A kind of step, and a game that comes to it."""

    name: str
    game: str
    players: int
    seed: int
    is_there: Callable[[Json], bool]
    """Asked with the player's view and legal actions, whenever nobody else is to act."""
    choose: Callable[[Json], Sequence[str]] = lambda update: update["legal"]
    """The actions among which players choose at random. They may ask the match itself."""
    names: Sequence[str] = NAMES

    @property
    def table(self) -> str:
        return f"{self.game}-{self.players}-{self.name}"


def play_to(moment: Moment, seed: int) -> tuple[Table, Json] | None:
    """The table, and what the player is told there; None if the game ends before."""
    table = _begun(moment, seed)
    chance, match = random.Random(seed), table.match
    assert match
    while not match.is_over:
        # The player acts last where all act at once: then the others wait for them.
        seat = match.actors[-1]
        update = {"view": match.view(seat), "legal": match.legal_actions(seat), "seat": seat}
        if match.actors == [0] and moment.is_there(update):
            return table, update
        table.act(seat, chance.choice(moment.choose({**update, "match": match})), NOW)
    return None


def _begun(moment: Moment, seed: int) -> Table:
    secret = seed.to_bytes(32, "big")
    game = find_game(moment.game)
    pace = msgspec.json.encode(NoClock()).decode()
    row = TableRow(
        moment.table, game.NAME, moment.players, game.RULES_VERSION, "{}", False, pace,
        TableStatus.OPEN, secret.hex(), commitment(secret), NOW, NOW, host=PLAYER,
    )  # fmt: skip
    others = [
        SeatRow(moment.table, seat, SeatKind.BOT, None, "novice", moment.names[seat])
        for seat in range(1, moment.players)
    ]
    own = SeatRow(moment.table, 0, SeatKind.PERSON, PLAYER, None, moment.names[0])
    table = Table(row, [own, *others])
    commands.start(table, NOW)
    return table


def shelve(database: Path, moments: Sequence[Moment]) -> dict[str, Json]:
    """Store tables at these moments in a new database; returns what the player is told at each, by
    the id of the table."""
    database.write_bytes(empty_database())
    told = {}
    tables = []
    for moment in moments:
        reached = play_to(moment, moment.seed)
        assert reached, f"seed {moment.seed} never comes to {moment.table}: look for another one"
        tables.append(reached[0])
        told[moment.table] = reached[1]
    with ThreadPoolExecutor(1) as apart:  # the driver of the browser has its loop in this thread
        apart.submit(asyncio.run, _write(database, tables)).result()
    return told


async def _write(database: Path, tables: Sequence[Table]) -> None:
    store = open_store(str(database))
    await store.add_person(PersonRow(PLAYER, NAMES[0], NOW, NOW))
    await store.add_token(TokenRow(hash_of(KEY), PLAYER, TokenKind.COOKIE, NOW))
    for table in tables:
        await _write_table(store, table)
    await store.close()


async def _write_table(store: Store, table: Table) -> None:
    row = msgspec.structs.replace(table.row, status=TableStatus.OPEN)
    assert await store.create_table(row, table.seats) == table.id
    await store.append(table.id, 0, table.take_new(), status=TableStatus.RUNNING)


class Shelf:
    """A server that has the tables, and their player."""

    def __init__(self, server: Server, told: dict[str, Json]) -> None:
        self.server, self.told = server, told

    @property
    def player(self) -> Person:
        person = Person(self.server)
        person.web.cookies.set("lampion", KEY)
        return person


# --- the moments that layouts are looked at -------------------------------------------------------


def lake(share: float) -> Callable[[Json], bool]:
    """Every step of a turn in Lanterns, at a lake of that share of all tiles."""

    def is_there(update: Json) -> bool:
        kinds = {action[0] if action[0] in "dx" else "@" in action for action in update["legal"]}
        return len(update["view"]["lake"]) / 33 >= share and kinds >= {"d", "x", True}

    return is_there


def is_last_turn(update: Json) -> bool:
    return "pass" in update["legal"]


def has_four_alike(update: Json) -> bool:
    """To dedicate, or to place a tile."""
    kinds = {action[:3] if action[0] == "d" else "@" in action for action in update["legal"]}
    return kinds >= {"d4:", True}


def is_over_limit(update: Json) -> bool:
    """Too many cards: a player must dedicate or discard first."""
    return bool(update["view"]["seats"][0]["over_limit"])


def place_rather(update: Json) -> list[str]:
    """Players who dedicate seldom hold many cards, and so have every step to choose from."""
    return [action for action in update["legal"] if "@" in action] or update["legal"]


def asks(choice: str, ready: int = 0) -> Callable[[Json], bool]:
    """A choice in Lanterns Dice, when so many shapes fit on the player's lake."""

    def is_there(update: Json) -> bool:
        own, turn = update["view"]["seats"][0], update["view"]["turn"]
        fitting = [reach for reach in own["reach"] if reach["missing"] == 0]
        wanted = turn["number"] >= 2 and turn["phase"] != "last_launch"
        return wanted and own["choice"] == choice and len(fitting) >= ready

    return is_there


def is_last_die(update: Json) -> bool:
    turn = update["view"]["turn"]
    return bool(turn["number"] == turn["of"]) and asks("die", 2)(update)


def is_last_launch(update: Json) -> bool:
    return bool(update["view"]["turn"]["phase"] == "last_launch")


def complete_pools(update: Json) -> list[str]:
    """Completes pools, and keeps fireworks for the end: crowded lakes."""
    legal: list[str] = update["legal"]
    own = update["view"]["seats"][update["seat"]]
    if own["choice"] == "launch":
        return ["skip"]
    halves = {area[:2] for area in own["shaded"]}
    busy = [action for action in legal if action not in ("skip", "reroll")]
    return [action for action in legal if action[:2] in halves] or busy or legal


def tokens(count: int) -> Callable[[Json], bool]:
    return lambda update: len(update["view"]["squares"]) >= count


def is_nearly_out(update: Json) -> bool:
    return bool(update["view"]["seats"][0]["num_unshown"] <= 4)


MOMENTS = (
    Moment("middle", "lanterns", 4, 72, lake(0.5), place_rather),
    Moment("late", "lanterns", 4, 96, lake(0.8), place_rather),
    Moment("limit", "lanterns", 4, 1, is_over_limit, place_rather),
    Moment("end", "lanterns", 4, 0, is_last_turn, place_rather),
    Moment("four", "lanterns", 2, 0, has_four_alike, place_rather),
    Moment("tray", "lanterns_dice", 4, 0, asks("tray", 2), complete_pools),
    Moment("die", "lanterns_dice", 4, 0, asks("die", 3), complete_pools),
    Moment("card", "lanterns_dice", 4, 0, asks("card", 2), complete_pools),
    Moment("launch", "lanterns_dice", 4, 7, asks("launch", 3), complete_pools),
    Moment("last", "lanterns_dice", 4, 0, is_last_die, complete_pools),
    Moment("finale", "lanterns_dice", 4, 0, is_last_launch, complete_pools),
    Moment("middle", "lumens", 2, 1, tokens(14)),
    Moment("end", "lumens", 2, 1, is_nearly_out),
    Moment("middle", "lumens", 4, 1, tokens(14)),
    Moment("end", "lumens", 4, 1, is_nearly_out),
)


def of_game(game: str, players: int) -> list[Moment]:
    return [moment for moment in MOMENTS if (moment.game, moment.players) == (game, players)]


if __name__ == "__main__":
    for wanted in MOMENTS:
        found = [seed for seed in range(SEEDS_TO_TRY) if play_to(wanted, seed)]
        print(wanted.table, wanted.seed, found)
