"""Records: fields, windows, copies, redaction."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from lampion.core.record import ALL, HIDDEN, NOBODY, OWNER, Record, array, scalar
from lampion.core.types import SPECTATOR, IntArray


class Toy(Record):
    board: IntArray = array(3, seen_by=ALL)
    hand: IntArray = array(2, 2, seen_by=OWNER)
    deck: IntArray = array(2, seen_by=NOBODY)
    narrow: IntArray = array(2, seen_by=NOBODY, dtype="i1")
    turn: int = scalar(seen_by=ALL)
    last: int = scalar(seen_by=ALL, transient=True)


def filled() -> Toy:
    toy = Toy()
    toy.board[:] = [1, 2, 3]
    toy.hand[:] = [[4, 5], [6, 7]]
    toy.deck[:] = [8, 9]
    toy.narrow[:] = [1, 1]
    toy.turn = 10
    return toy


def test_a_record_reads_like_a_dataclass() -> None:
    toy = filled()
    toy.turn += 1
    toy.hand[1, 0] = 42
    assert toy.turn == 11
    assert isinstance(toy.turn, int)
    assert toy.hand.tolist() == [[4, 5], [42, 7]]


def test_the_class_tells_what_a_field_is() -> None:
    assert Toy.hand is Toy.fields["hand"]  # type: ignore[comparison-overlap]
    assert [name for name, field in Toy.fields.items() if field.seen_by is OWNER] == ["hand"]


def test_a_window_on_a_batch_writes_into_the_batch() -> None:
    batch = np.zeros(3, Toy.dtype)
    Toy(batch, 1).turn = 5
    assert batch["turn"].tolist() == [0, 5, 0]


def test_copies_are_independent_and_equal() -> None:
    toy = filled()
    for twin in (copy.copy(toy), copy.deepcopy(toy)):
        twin.hand[0, 0] += 1
        assert twin != toy
    twin = toy.copy()
    assert twin == toy
    twin.board[0] = 99
    assert twin != toy
    assert list(twin.differences(toy)) == ["board"]
    assert pickle.loads(pickle.dumps(toy)) == toy


def test_what_the_last_action_did_is_no_part_of_the_position() -> None:
    toy, twin = filled(), filled()
    twin.last = 7
    assert twin == toy


def test_a_seat_sees_its_own_row_and_nothing_that_nobody_sees() -> None:
    seen = filled().redacted(1)
    assert seen.board.tolist() == [1, 2, 3]
    assert seen.hand.tolist() == [[HIDDEN, HIDDEN], [6, 7]]
    assert seen.deck.tolist() == [HIDDEN, HIDDEN]
    assert seen.narrow.tolist() == [HIDDEN, HIDDEN]
    assert seen.turn == 10


def test_a_spectator_sees_no_hand() -> None:
    assert (filled().redacted(SPECTATOR).hand == HIDDEN).all()


def test_two_records_that_differ_in_hidden_things_give_the_same_bytes() -> None:
    toy, other = filled(), filled()
    other.hand[0] = [77, 78]
    other.deck[:] = 0
    assert toy.redacted(1).tobytes() == other.redacted(1).tobytes()
    assert toy.redacted(0).tobytes() != other.redacted(0).tobytes()


def test_a_field_must_say_who_sees_it() -> None:
    with pytest.raises(TypeError):
        array(3)  # type: ignore[call-arg]


def test_a_field_cannot_hide_an_attribute_of_numpy() -> None:
    with pytest.raises((AssertionError, RuntimeError)):

        class Bad(Record):
            shape: IntArray = array(3, seen_by=ALL)


class Switched(Record):
    hand: IntArray = array(2, 2, seen_by=OWNER, open_if="is_open")
    deck: IntArray = array(2, seen_by=NOBODY, open_if="is_over")
    is_open: int = scalar(seen_by=ALL)
    is_over: int = scalar(seen_by=ALL, dtype="i1")


def test_a_field_opens_to_everybody_with_its_switch() -> None:
    toy = Switched()
    toy.hand[:], toy.deck[:] = [[4, 5], [6, 7]], [8, 9]
    assert toy.redacted(0).hand.tolist() == [[4, 5], [HIDDEN, HIDDEN]]
    assert not toy.is_open_to_all("hand")
    toy.is_open = 1
    for seat in (SPECTATOR, 0, 1):
        seen = toy.redacted(seat)
        assert seen.hand.tolist() == [[4, 5], [6, 7]]
        assert seen.deck.tolist() == [HIDDEN, HIDDEN], "each switch opens its own fields"
    assert toy.is_open_to_all("hand")
    toy.is_open, toy.is_over = 0, 1
    assert toy.redacted(1).hand.tolist() == [[HIDDEN, HIDDEN], [6, 7]]
    assert toy.redacted(SPECTATOR).deck.tolist() == [8, 9]


class Shown(Record):
    card: IntArray = array(3, seen_by=OWNER, open_if="is_shown")
    is_shown: IntArray = array(3, seen_by=ALL)


def test_a_switch_for_each_player_opens_their_rows() -> None:
    toy = Shown()
    toy.card[:], toy.is_shown[:] = [4, 5, 6], [0, 1, 0]
    assert toy.redacted(SPECTATOR).card.tolist() == [HIDDEN, 5, HIDDEN]
    assert toy.redacted(0).card.tolist() == [4, 5, HIDDEN]
    assert not toy.is_open_to_all("card")
    toy.is_shown[:] = 1
    assert toy.redacted(SPECTATOR).card.tolist() == [4, 5, 6]
    assert toy.is_open_to_all("card")


def test_a_switch_is_one_number_that_all_see() -> None:
    with pytest.raises(AssertionError, match="one number that all see"):

        class Wrong(Record):
            hand: IntArray = array(2, 2, seen_by=OWNER, open_if="secret")
            secret: int = scalar(seen_by=NOBODY)
