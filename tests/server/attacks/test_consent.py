"""Undo, stop, resign, leave: only people who are there ask, and only people who are there agree."""

from __future__ import annotations

import pytest

from tests.server.support import Json, Person, Server


@pytest.fixture
def iris(server: Server) -> Person:
    return Person(server, "Iris")


@pytest.fixture
def three(ada: Person, milo: Person, iris: Person) -> Json:
    """Ada, Milo and Iris at a table of Lanterns; Ada has moved once."""
    table = ada.table("me", "open", "open")
    milo.join(table)
    iris.join(table)
    ada.act(table, ada.update(table))
    return table


@pytest.fixture
def two(ada: Person, milo: Person) -> Json:
    table = ada.table("me", "open")
    milo.join(table)
    ada.act(table, ada.update(table))
    return table


def agree(person: Person, table: Json, seat: int) -> None:
    if request := person.info(table)["request"]:
        person.command(table, "answer", seat=seat, request=request["number"], yes=True)


def taken_back(person: Person, table: Json) -> bool:
    return any(step["action"].startswith("undo") for step in person.update(table, since=0)["steps"])


@pytest.mark.parametrize("what", ["stop", "undo"])
def test_a_stand_in_bot_does_not_agree_for_the_absent_player(
    ada: Person, milo: Person, two: Json, what: str
) -> None:
    milo.command(two, "leave", seat=1)
    ada.command(two, what, seat=0)
    after = ada.info(two)
    assert after["status"] == "running"
    assert not taken_back(ada, two)
    assert not after["request"] or 1 not in after["request"]["agreed"]


@pytest.mark.parametrize("what", ["stop", "undo"])
def test_two_of_three_do_not_decide_over_the_one_who_is_away(
    ada: Person, milo: Person, iris: Person, three: Json, what: str
) -> None:
    iris.command(three, "leave", seat=2)
    ada.command(three, what, seat=0)
    agree(milo, three, 1)
    assert ada.info(three)["status"] == "running"
    assert not taken_back(ada, three)


def test_who_leaves_while_a_question_is_open_has_not_agreed(
    ada: Person, milo: Person, iris: Person, three: Json
) -> None:
    ada.command(three, "stop", seat=0)
    agree(milo, three, 1)
    iris.command(three, "leave", seat=2)
    assert ada.info(three)["status"] == "running"


def test_who_comes_back_can_answer(ada: Person, milo: Person, iris: Person, three: Json) -> None:
    ada.command(three, "stop", seat=0)
    agree(milo, three, 1)
    iris.command(three, "leave", seat=2)
    iris.command(three, "return", seat=2)
    if not ada.info(three)["request"]:
        ada.command(three, "stop", seat=0)
        agree(milo, three, 1)
    agree(iris, three, 2)
    assert ada.info(three)["status"] == "stopped"


@pytest.mark.parametrize("how", ["resign", "leave"])
@pytest.mark.parametrize("what", ["stop", "undo"])
def test_a_resigned_or_replaced_seat_asks_nothing(
    ada: Person, milo: Person, three: Json, how: str, what: str
) -> None:
    assert ada.command(three, how, seat=0).status_code == 200
    reply = ada.command(three, what, seat=0)
    assert 400 <= reply.status_code < 500, reply.text
    assert reply.json()["type"] == "problem"
    assert milo.info(three)["request"] is None


def test_a_person_who_is_away_answers_for_themselves(
    ada: Person, milo: Person, iris: Person, three: Json
) -> None:
    milo.command(three, "leave", seat=1)
    ada.command(three, "stop", seat=0)
    agree(iris, three, 2)
    assert ada.info(three)["request"]["waiting"] == [1]
    agree(milo, three, 1)
    assert ada.info(three)["status"] == "stopped"


def test_a_resigned_seat_answers_nothing(
    ada: Person, milo: Person, iris: Person, three: Json
) -> None:
    milo.command(three, "resign", seat=1)
    ada.command(three, "stop", seat=0)
    number = (ada.info(three)["request"] or {"number": 0})["number"]
    reply = milo.command(three, "answer", seat=1, request=number, yes=True)
    assert 400 <= reply.status_code < 500, reply.text


def test_a_resigned_player_cannot_return_act_or_resign_again(ada: Person, three: Json) -> None:
    ada.command(three, "resign", seat=0)
    for do in ("return", "resign", "leave"):
        assert 400 <= ada.command(three, do, seat=0).status_code < 500, do
    assert all(not update["legal"] for update in ada.updates(three))


def test_the_one_who_asked_and_left_holds_nobody_to_it(
    ada: Person, milo: Person, iris: Person, three: Json
) -> None:
    ada.command(three, "stop", seat=0)
    ada.command(three, "leave", seat=0)
    agree(milo, three, 1)
    agree(iris, three, 2)
    assert milo.info(three)["status"] == "running"


def test_nobody_answers_his_own_question_or_twice(ada: Person, milo: Person, three: Json) -> None:
    ada.command(three, "stop", seat=0)
    number = ada.info(three)["request"]["number"]
    assert 400 <= ada.command(three, "answer", seat=0, request=number, yes=True).status_code < 500
    milo.command(three, "answer", seat=1, request=number, yes=True)
    assert 400 <= milo.command(three, "answer", seat=1, request=number, yes=False).status_code < 500
    assert ada.info(three)["request"]["agreed"].count(1) == 1


def test_questions_are_limited(ada: Person, milo: Person, two: Json) -> None:
    """Asking again and again after a no is harassment, and grows the log."""
    refused = 0
    for _ in range(60):
        if ada.command(two, "stop", seat=0).status_code != 200:
            refused += 1
            continue
        number = milo.info(two)["request"]["number"]
        milo.command(two, "answer", seat=1, request=number, yes=False)
    assert refused >= 40, f"{60 - refused} questions in a row were let through"


def test_the_other_player_may_still_ask(ada: Person, milo: Person, two: Json) -> None:
    for _ in range(60):
        if ada.command(two, "stop", seat=0).status_code == 200:
            number = milo.info(two)["request"]["number"]
            milo.command(two, "answer", seat=1, request=number, yes=False)
    assert milo.command(two, "stop", seat=1).status_code == 200


def test_a_question_cannot_be_answered_by_its_old_number(
    ada: Person, milo: Person, two: Json
) -> None:
    ada.command(two, "stop", seat=0)
    old = milo.info(two)["request"]["number"]
    milo.command(two, "answer", seat=1, request=old, yes=False)
    ada.command(two, "stop", seat=0)
    reply = milo.command(two, "answer", seat=1, request=old, yes=True)
    assert 400 <= reply.status_code < 500
    assert ada.info(two)["status"] == "running"
