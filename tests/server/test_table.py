"""A table by itself: the fold of its log, and its clocks, with times that a test chooses."""

from __future__ import annotations

import random

import msgspec
import pytest

from lampion.core.errors import Refused
from lampion.core.fairness import commitment, seed_from_number
from lampion.core.game import find_game
from lampion.server import wire
from lampion.server.errors import CorruptLog, TableError, UpdateNeeded
from lampion.server.store.base import Event, SeatKind, SeatRow, TableRow, TableStatus
from lampion.server.tables import commands
from lampion.server.tables.table import Table
from tests.support import GAMES

NOW = 1_800_000_000_000
MINUTE = 60_000
DAY = 24 * 60 * MINUTE


def new_row(game: str = "lanterns", players: int = 2, pace: str = '{"kind":"none"}') -> TableRow:
    seed = seed_from_number(7)
    return TableRow(
        "table123",
        game,
        players,
        find_game(game).RULES_VERSION,
        "{}",
        False,
        pace,
        TableStatus.OPEN,
        seed.hex(),
        commitment(seed),
        1,
        1,
    )


def people(players: int) -> list[SeatRow]:
    return [
        SeatRow("table123", seat, SeatKind.PERSON, f"person{seat}", None, f"Name {seat}")
        for seat in range(players)
    ]


def started(pace: str = '{"kind":"none"}', players: int = 2) -> Table:
    table = Table(new_row(pace=pace, players=players), people(players))
    commands.start(table, NOW)
    return table


def act(table: Table, at_ms: int, chooser: random.Random | None = None) -> int:
    """Whoever is to act places a tile (or does anything, with a chooser); gives the seat."""
    seat = table.actors[0]
    assert table.match
    legal = table.match.legal_actions(seat)
    action = chooser.choice(legal) if chooser else legal[-1]
    commands.carry_out(table, wire.Act(f"c{table.seq}", seat, table.ply, action), at_ms)
    return seat


@pytest.mark.parametrize("game", GAMES)
def test_a_table_read_again_from_its_log_is_the_same(game: str) -> None:
    table, chooser = Table(new_row(game, 3), people(3)), random.Random(3)
    commands.start(table, NOW)
    for step in range(40):
        if table.status == "running":
            act(table, NOW + step, chooser)
        if step % 10 == 5 and table.status == "running":
            commands.carry_out(table, wire.Leave(f"leave{step}", 1), NOW + step)
            commands.carry_out(table, wire.Return(f"return{step}", 1), NOW + step)
    if table.status == "running":
        commands.carry_out(table, wire.Leave("leave", 1), NOW + 40)
    events = [
        Event(seq, new.at_ms, new.actor, new.kind, new.payload, new.command_id)
        for seq, new in enumerate(table.take_new(), 1)
    ]
    again = Table(new_row(game, 3), people(3))
    for event in events:
        again.fold(event)
    assert again.match
    assert table.match
    assert again.match.state == table.match.state
    assert again.__dict__.keys() == table.__dict__.keys()
    for name in ("seq", "status", "asked", "stand_ins", "commands", "nonces"):
        assert getattr(again, name) == getattr(table, name), name


def test_a_refused_command_makes_no_event() -> None:
    table = started()
    table.take_new()
    with pytest.raises(Refused):
        commands.carry_out(table, wire.Act("c", 0, table.ply, "pass"), NOW)
    with pytest.raises(TableError):
        commands.carry_out(table, wire.Return("c", 0), NOW)
    assert table.take_new() == []


@pytest.mark.parametrize("change", [{"payload": "+99"}, {"actor": 1}, {"seq": 9}])
def test_an_event_that_cannot_follow_is_told_as_damage(change: dict[str, object]) -> None:
    table = started()
    events = [
        Event(seq, new.at_ms, new.actor, new.kind, new.payload)
        for seq, new in enumerate(table.take_new(), 1)
    ]
    events[3] = msgspec.structs.replace(events[3], **change)
    with pytest.raises(CorruptLog) as damage:
        read_again(events)
    assert damage.value.where.startswith("table123[")


def test_an_event_of_a_newer_server_is_no_damage() -> None:
    table = started()
    events = [
        Event(seq, new.at_ms, new.actor, new.kind, new.payload)
        for seq, new in enumerate(table.take_new(), 1)
    ]
    events[3] = msgspec.structs.replace(events[3], kind="dance")
    with pytest.raises(UpdateNeeded) as newer:
        read_again(events)
    assert newer.value.code == "update-server"


def read_again(events: list[Event]) -> None:
    table = Table(new_row(), people(2))
    for event in events:
        table.fold(event)


# --- clocks -----------------------------------------------------------------------------------------------------------------------


def left(table: Table, seat: int, now_ms: int) -> int:
    return table.clocks.faces(now_ms)[seat].left_ms


def test_only_the_clock_of_the_player_to_act_runs_and_a_turn_earns_its_increment() -> None:
    table = started('{"kind":"clock","seconds":300,"increment":10}')
    assert left(table, 0, NOW + MINUTE) == 4 * MINUTE
    assert left(table, 1, NOW + MINUTE) == 5 * MINUTE
    act(table, NOW + MINUTE)
    assert left(table, 0, NOW + 2 * MINUTE) == 4 * MINUTE + 10_000
    assert left(table, 1, NOW + 2 * MINUTE) == 4 * MINUTE


def test_days_are_given_anew_for_every_move() -> None:
    table = started('{"kind":"days","days":3}')
    act(table, NOW + 2 * DAY)
    assert left(table, 0, NOW + 2 * DAY) == 3 * DAY
    assert left(table, 1, NOW + 3 * DAY) == 2 * DAY


def test_when_time_is_over_a_bot_plays_on() -> None:
    table = started('{"kind":"clock","seconds":60}')
    due = table.clocks.next_due()
    assert due == (NOW + MINUTE, 0)
    commands.time_out(table, 0, NOW + MINUTE)
    assert table.bot_to_act is not None
    with pytest.raises(TableError) as refused:
        commands.carry_out(table, wire.Return("back", 0), NOW + MINUTE)
    assert refused.value.code == "out-of-time"


def test_who_missed_a_day_may_come_back() -> None:
    table = started('{"kind":"days","days":1}')
    commands.time_out(table, 0, NOW + DAY)
    commands.carry_out(table, wire.Return("back", 0), NOW + 2 * DAY)
    assert table.bot_to_act is None


def test_nobody_pays_for_the_time_the_server_was_away() -> None:
    table = started('{"kind":"clock","seconds":300}')
    commands.resume(table, 3 * MINUTE, NOW + 4 * MINUTE)
    assert left(table, 0, NOW + 5 * MINUTE) == 3 * MINUTE, (
        "a minute before it was away, and one after"
    )


def test_bots_have_no_clock() -> None:
    table = Table(
        new_row(pace='{"kind":"clock","seconds":60}'),
        [SeatRow("table123", 0, SeatKind.BOT, None, "novice"), *people(2)[1:]],
    )
    commands.start(table, NOW)
    assert table.clocks.next_due() is None


def test_without_a_clock_nothing_is_ever_due() -> None:
    table = started()
    assert table.clocks.next_due() is None
    assert table.clocks.faces(NOW) == []


def test_three_resignations_of_four_end_the_game() -> None:
    table = started(players=4)
    for seat in (1, 2):
        commands.carry_out(table, wire.Resign(f"r{seat}", seat), NOW)
        assert table.status == "running"
        assert table.bot_of(seat)
    commands.carry_out(table, wire.Resign("r0", 0), NOW)
    assert table.result
    assert (table.status, table.result.winners, table.result.placements) == (
        "finished",
        [3],
        [4, 4, 4, 1],
    )


# --- consent ----------------------------------------------------------------------------------------------------------------------


def asked_to_undo(players: int = 3) -> Table:
    """Seat 0 asks to take back a decision after which something new was shown."""
    table = started(players=players)
    act(table, NOW)
    commands.carry_out(table, wire.Undo("undo", 0), NOW)
    assert table.question
    assert table.question.waiting == list(range(1, players))
    return table


def refusal(table: Table, command: wire.SeatCommand) -> str:
    before = table.seq
    with pytest.raises(TableError) as refused:
        commands.carry_out(table, command, NOW)
    assert table.seq == before
    return refused.value.code


def answer(table: Table, seat: int, yes: bool) -> wire.Answer:
    assert table.question
    return wire.Answer(f"answer{seat}{table.seq}", seat, table.question.number, yes)


def test_a_stand_in_gives_no_consent_in_the_absent_persons_name() -> None:
    table = asked_to_undo()
    commands.carry_out(table, wire.Leave("leave", 2), NOW)
    commands.carry_out(table, answer(table, 1, True), NOW)
    assert table.question
    assert table.question.waiting == [2], "the question waits for the absent person"
    commands.carry_out(table, answer(table, 2, True), NOW)
    assert table.question is None
    assert table.match
    assert table.match.log[-1].text.startswith("undo")


def test_an_absent_person_is_asked_too() -> None:
    table = started(players=3)
    commands.carry_out(table, wire.Leave("leave", 2), NOW)
    commands.carry_out(table, wire.Stop("stop", 0), NOW)
    assert table.question
    assert table.question.waiting == [1, 2]


def test_a_resigned_seat_is_not_asked_and_asks_nothing() -> None:
    table = started(players=3)
    commands.carry_out(table, wire.Resign("resign", 2), NOW)
    assert refusal(table, wire.Stop("stop", 2)) == "bot-plays"
    assert refusal(table, wire.Undo("undo", 2)) == "bot-plays"
    assert refusal(table, wire.Resign("again", 2)) == "already-resigned"
    commands.carry_out(table, wire.Stop("stop", 0), NOW)
    assert table.question
    assert table.question.waiting == [1]


def test_a_replaced_seat_asks_nothing_until_it_is_taken_back() -> None:
    table = started(players=3)
    commands.carry_out(table, wire.Leave("leave", 1), NOW)
    assert refusal(table, wire.Stop("stop", 1)) == "bot-plays"
    commands.carry_out(table, wire.Return("return", 1), NOW)
    commands.carry_out(table, wire.Stop("stop2", 1), NOW)
    assert table.question


def test_after_a_no_the_same_question_waits_for_the_game_to_go_on() -> None:
    table = asked_to_undo(2)
    commands.carry_out(table, answer(table, 1, False), NOW)
    assert refusal(table, wire.Undo("again", 0)) == "already-refused"
    act(table, NOW)
    commands.carry_out(table, wire.Stop("later", 0), NOW)
    assert table.question


def test_a_question_can_be_taken_back_by_the_seat_that_asked() -> None:
    table = asked_to_undo(2)
    commands.carry_out(table, answer(table, 0, False), NOW)
    assert table.question is None
    commands.carry_out(table, wire.Undo("again", 0), NOW)
    assert table.question


def test_questions_are_limited() -> None:
    table = started()
    for number in range(commands.MOST_QUESTIONS):
        commands.carry_out(table, wire.Stop(f"ask{number}", 0), NOW)
        commands.carry_out(table, answer(table, 0, False), NOW)
    assert refusal(table, wire.Stop("one more", 0)) == "too-many-questions"


def test_the_clock_of_a_table_never_runs_backwards() -> None:
    """A machine whose clock was set back an hour, or another machine with a slow clock, writes the next event."""
    table = started('{"kind":"clock","seconds":300}')
    act(table, NOW + MINUTE)
    act(table, NOW - 60 * MINUTE)
    assert left(table, 0, NOW + MINUTE) == 4 * MINUTE
    assert left(table, 1, NOW + MINUTE) == 5 * MINUTE
