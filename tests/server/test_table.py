"""A table by itself: the fold of its log, and its clocks, with times that a test chooses."""

from __future__ import annotations

import random

import msgspec
import pytest

from lampion.core.errors import Refused
from lampion.core.fairness import commitment, seed_from_number
from lampion.core.game import find_game
from lampion.core.gamelog import Decided, read_record, write_record
from lampion.server import wire
from lampion.server.errors import CorruptLog, TableError, UpdateNeeded
from lampion.server.store.base import Event, SeatKind, SeatRow, TableRow, TableStatus
from lampion.server.tables import commands
from lampion.server.tables.kinds import EventKind
from lampion.server.tables.table import Table, previews_of
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
    if table.asks_ready:
        commands.say_ready(table, range(players), True, NOW)
    else:
        commands.start(table, NOW)
    return table


def act(table: Table, at_ms: int, chooser: random.Random | None = None) -> int:
    """The player to act places a tile (or does anything, with a chooser); gives the seat."""
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


@pytest.mark.parametrize("game", GAMES)
def test_previews_as_they_are_sent_are_those_of_the_match(game: str) -> None:
    players = max(find_game(game).NUM_PLAYERS)
    table, chooser = Table(new_row(game, players), people(players)), random.Random(1)
    commands.start(table, NOW)
    while table.actors and table.ply < 60:
        assert table.match
        for seat in table.actors:
            sent = msgspec.json.encode(previews_of(table.match, seat))
            assert msgspec.json.decode(sent) == table.match.previews(seat)
        act(table, NOW, chooser)


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


def test_every_move_gets_its_days_again() -> None:
    table = started('{"kind":"days","days":3}')
    act(table, NOW + 2 * DAY)
    assert left(table, 0, NOW + 2 * DAY) == 3 * DAY
    assert left(table, 1, NOW + 3 * DAY) == 2 * DAY


CLOCK = '{"kind":"clock","seconds":60}'


def again(table: Table, players: int) -> Table:
    """The same table, read from its log."""
    read = Table(table.row, people(players))
    for seq, new in enumerate(table.take_new(), 1):
        read.fold(Event(seq, new.at_ms, new.actor, new.kind, new.payload, new.command_id))
    return read


def test_between_two_the_clock_decides_whatever_the_score() -> None:
    table = started(CLOCK)
    act(table, NOW)
    assert table.clocks.next_due() == (NOW + MINUTE, 1)
    commands.time_out(table, [1], NOW + MINUTE)
    for one in (table, again(table, 2)):
        assert one.result
        assert (one.status, one.result.reason) == ("finished", "timeout")
        assert (one.result.winners, one.result.placements) == ([0], [1, 2])
        assert one.out_of_time == {1}
        assert one.record.decided == Decided([1, 2], late=[1])
        assert one.record.substituted is None
        assert read_record(write_record(one.record)) == one.record


def test_among_three_a_bot_plays_the_lost_seat_on_and_it_comes_last() -> None:
    table = started(CLOCK, players=3)
    commands.time_out(table, [0], NOW + MINUTE)
    assert (table.status, table.bot_to_act) == ("running", (0, "planner"))
    for command in (wire.Return("back", 0), wire.Resign("resign", 0)):
        assert refusal(table, command) == "out-of-time"
    chooser = random.Random(5)
    while table.status == "running":
        assert table.match
        seat = table.actors[0]
        action = chooser.choice(table.match.legal_ids(seat))
        commands.play_bot(table, seat, action, NOW + MINUTE)
    assert table.result
    assert table.result.reason == "played"
    assert table.result.placements[0] == 3
    assert 0 not in table.result.winners
    assert sorted(table.result.placements) in ([1, 2, 3], [1, 1, 3])
    for one in (table, again(table, 3)):
        assert one.match and one.record.decided == Decided(table.result.placements, late=[0])
        made = [ply for ply, entry in enumerate(one.match.log) if entry.actor == 0]
        assert one.record.substituted == made, "the bot made all decisions of that seat"


def test_the_last_of_three_wins_by_a_clock_and_a_resignation() -> None:
    table = started(CLOCK, players=3)
    commands.carry_out(table, wire.Resign("resign", 1), NOW)
    commands.time_out(table, [0], NOW + MINUTE)
    for one in (table, again(table, 3)):
        assert one.result
        assert (one.result.reason, one.result.winners) == ("timeout", [2])
        assert one.record.decided == Decided(one.result.placements, late=[0], resigned=[1])


def test_a_game_that_only_bots_are_left_in_ends_as_it_stands() -> None:
    bots = [SeatRow("table123", seat, SeatKind.BOT, None, "novice") for seat in (1, 2)]
    table = Table(new_row(pace=CLOCK, players=3), [people(1)[0], *bots])
    commands.start(table, NOW)
    commands.time_out(table, [0], NOW + MINUTE)
    assert table.result
    assert (table.status, table.result.placements, table.result.winners) == (
        "finished",
        [3, 1, 1],
        [1, 2],
    )


def test_clocks_that_run_out_at_the_same_moment_leave_it_to_the_score() -> None:
    table = Table(new_row("lanterns_dice", 2, CLOCK), people(2))
    commands.say_ready(table, range(2), True, NOW)
    while len(table.actors) < 2:
        act(table, NOW, random.Random(1))
    due = table.clocks.next_due()
    assert due
    seats = table.clocks.due_at(due[0])
    assert seats == [0, 1]
    commands.time_out(table, seats, due[0])
    assert table.match
    assert table.result
    assert table.result.placements == table.match.placements


def test_a_log_from_before_clocks_decided_is_played_on() -> None:
    """A time-out in it names the bot that took over, also under a clock."""
    table = started(CLOCK)
    table.emit(EventKind.TIMEOUT, 0, NOW + MINUTE, "planner")
    assert (table.status, table.bot_to_act) == ("running", (0, "planner"))
    assert not table.may_return(0)


def test_who_missed_a_day_may_come_back() -> None:
    table = started('{"kind":"days","days":1}')
    commands.time_out(table, [0], NOW + DAY)
    assert table.bot_to_act
    assert table.may_return(0)
    commands.carry_out(table, wire.Return("back", 0), NOW + 2 * DAY)
    assert table.bot_to_act is None
    assert table.out_of_time == set()


def test_a_record_tells_a_bots_decisions_from_those_of_the_person_it_stood_in_for() -> None:
    table = started('{"kind":"days","days":1}')
    act(table, NOW)
    commands.time_out(table, [1], NOW + DAY)
    assert table.match
    before, chooser = table.match.ply, random.Random(3)
    while table.bot_to_act:
        action = chooser.choice(table.match.legal_ids(1).tolist())
        commands.play_bot(table, 1, action, NOW + DAY)
    by_bot = [ply for ply in range(before, table.match.ply) if table.match.log[ply].actor == 1]
    commands.carry_out(table, wire.Return("back", 1), NOW + DAY)
    while table.actors != [1]:
        act(table, NOW + DAY)
    act(table, NOW + DAY)
    commands.carry_out(table, wire.Resign("resign", 0), NOW + DAY)
    assert table.record.substituted == by_bot != []
    assert table.record.decided == Decided([2, 1], resigned=[0])


# --- ready ----------------------------------------------------------------------------------------


def test_a_clock_starts_when_everybody_is_ready() -> None:
    table = Table(new_row(pace=CLOCK), people(2))
    with pytest.raises(TableError, match="not-ready"):
        commands.start(table, NOW)
    commands.say_ready(table, [0], True, NOW)
    commands.say_ready(table, [0], False, NOW)
    commands.say_ready(table, [1], True, NOW)
    assert (table.status, table.ready) == ("open", {1})
    commands.say_ready(table, [0], True, NOW + DAY)
    assert again(table, 2).ready == {0, 1}
    assert table.status == "running"
    assert left(table, 0, NOW + DAY) == MINUTE


def test_a_new_player_takes_back_what_the_others_said() -> None:
    table = Table(new_row(pace=CLOCK), people(2))
    commands.say_ready(table, [0], True, NOW)
    commands.note_seat(table, 1, "", NOW)
    assert table.ready == set()


@pytest.mark.parametrize("pace", ['{"kind":"none"}', '{"kind":"days","days":1}'])
def test_without_a_clock_nobody_is_asked(pace: str) -> None:
    table = Table(new_row(pace=pace), people(2))
    with pytest.raises(TableError, match="not-asked"):
        commands.say_ready(table, [0], True, NOW)
    commands.start(table, NOW)


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
    assert table.refused
    assert (table.refused.what, table.refused.by, table.refused.seat) == ("undo", 0, 1)
    assert refusal(table, wire.Undo("again", 0)) == "already-refused"
    act(table, NOW)
    commands.carry_out(table, wire.Stop("later", 0), NOW)
    assert table.question


def test_a_question_can_be_taken_back_by_the_seat_that_asked() -> None:
    table = asked_to_undo(2)
    commands.carry_out(table, answer(table, 0, False), NOW)
    assert table.question is None
    assert table.refused is None, "nobody said no"
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


def test_who_resigns_takes_their_own_question_back() -> None:
    table = asked_to_undo()
    commands.carry_out(table, wire.Resign("resign", 0), NOW)
    assert table.question is None
    assert table.status == "running"
    assert table.match
    assert not any(entry.is_undo for entry in table.match.log)


def test_the_last_answer_that_is_missing_falls_away_with_a_resignation() -> None:
    table = started(players=3)
    commands.carry_out(table, wire.Stop("stop", 0), NOW)
    commands.carry_out(table, answer(table, 1, True), NOW)
    assert table.status == "running"
    commands.carry_out(table, wire.Resign("resign", 2), NOW)
    assert table.status == "stopped", "everybody who is left has agreed"


def test_a_pause_of_a_clock_ends_when_all_agree() -> None:
    table = started('{"kind":"clock","seconds":300}')
    commands.carry_out(table, wire.Pause("pause", 0), NOW + MINUTE)
    commands.carry_out(table, answer(table, 1, True), NOW + MINUTE)
    assert table.is_paused
    assert table.clocks.next_due() is None
    assert table.match
    legal = table.match.legal_actions(0)
    for command, code in (
        (wire.Act("act", 0, table.ply, legal[0]), "paused"),
        (wire.Undo("undo", 0), "paused"),
        (wire.Pause("again", 0), "paused"),
    ):
        assert refusal(table, command) == code
    commands.carry_out(table, wire.Continue("go on", 1), NOW + DAY)
    assert table.is_paused, "a clock starts for both at once"
    commands.carry_out(table, answer(table, 0, True), NOW + DAY)
    assert not table.is_paused
    assert left(table, 0, NOW + DAY) == 4 * MINUTE
    assert refusal(table, wire.Continue("on", 1)) == "not-paused"


def test_after_a_no_a_pause_can_be_ended_all_the_same() -> None:
    """Otherwise a game could be held for ever with one answer: nobody can play on before."""
    table = started('{"kind":"clock","seconds":300}')
    commands.carry_out(table, wire.Pause("pause", 0), NOW)
    commands.carry_out(table, answer(table, 1, True), NOW)
    commands.carry_out(table, wire.Continue("go on", 0), NOW)
    commands.carry_out(table, answer(table, 1, False), NOW)
    commands.carry_out(table, wire.Continue("please", 0), NOW)
    assert table.question and table.question.what == "continue"


def test_who_says_twice_that_they_are_ready_is_noted_once() -> None:
    table = Table(new_row(pace=CLOCK), people(2))
    commands.say_ready(table, [0], True, NOW)
    commands.say_ready(table, [0], True, NOW)
    assert [event.kind for event in table.take_new()] == [EventKind.READY]
