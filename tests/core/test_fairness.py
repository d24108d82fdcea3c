"""Commit and reveal."""

from __future__ import annotations

import hashlib
import hmac

import pytest

import lampion
from lampion.core.fairness import Chance, commitment, seed_from_number
from lampion.core.match import Match


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    seed = seed_from_number(1)
    assert commitment(seed) == hashlib.sha256(seed).hexdigest()


def test_an_outcome_can_be_worked_out_by_hand() -> None:
    """The recipe of the documentation, written out."""
    seed = seed_from_number(7)
    digest = hmac.new(seed, b'["table 1",["a","b"],3,0]', "sha256").digest()
    assert (
        Chance(seed, "table 1", ["a", "b"]).pick(3, [1] * 35) == int.from_bytes(digest, "big") % 35
    )


def test_weights_are_respected() -> None:
    chance = Chance(seed_from_number(3))
    counts = [0, 0, 0]
    for index in range(3000):
        counts[chance.pick(index, [1, 0, 2])] += 1
    assert counts[1] == 0
    assert abs(counts[0] - 1000) < 6 * (3000 * 2 / 9) ** 0.5


def test_the_deal_is_uniform() -> None:
    """Chi-square of the first tile dealt over 3,500 seeds, 34 degrees of freedom; 84 is six
    standard deviations out."""
    counts = dict.fromkeys(range(1, 36), 0)
    for number in range(3500):
        match = Match(lampion.find_game("lanterns"), 2, chance=None)
        position = Chance(seed_from_number(number)).pick(0, match.chance_weights().tolist())
        counts[position + 1] += 1
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 84


def test_the_seed_stays_secret_until_the_end() -> None:
    match = lampion.new("lanterns", 2)
    assert match.chance
    record = match.to_record()
    assert record.fairness
    assert record.fairness.seed is None
    assert match.chance.seed.hex() not in lampion.dump(match)


def test_a_seed_that_was_not_promised_is_found_out() -> None:
    match = lampion.new("lanterns", 2, seed=5)
    record = match.to_record(reveal_seed=True)
    assert record.fairness
    record.fairness.commitment = commitment(seed_from_number(6))
    with pytest.raises(lampion.UnfairRecord) as unfair:
        lampion.verify(record)
    assert unfair.value.code == "wrong-seed"


def test_an_exchanged_draw_is_found_out_with_its_entry() -> None:
    record = lampion.new("lanterns", 2, seed=5).to_record(reveal_seed=True)
    record.log[2], record.log[3] = record.log[3], record.log[2]
    with pytest.raises(lampion.UnfairRecord, match="entry 2"):
        lampion.verify(record)
