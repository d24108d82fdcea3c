"""Every action that is not allowed is refused with its rule and a reason that the catalog has."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import lampion
from lampion.core.messages import catalog
from lampion.core.types import CHANCE
from lampion.games.lanterns_dice import rules_reasons
from lampion.games.lanterns_dice.actions import ACTIONS, DEAL_SHEETS
from lampion.games.lanterns_dice.notation import refusal
from tests.games.lanterns_dice.build import after, at_the_die, position
from tests.support import Case, play_on

FOLDER = Path(lampion.find_game("lanterns_dice").__file__).parent
REASONS = set(catalog(FOLDER, "en")["refusals"])
RULES = {f"D{number}" for number in range(1, 19)}


def test_any_action_at_any_time_has_a_reason() -> None:
    for seed in range(3):
        for match in play_on(Case("lanterns_dice", 3, {}).new(seed), random.Random(seed)):
            if match.ply % 7 == 0:
                for player in match.actors:
                    refused = set(range(DEAL_SHEETS + 3)) - set(match.legal_ids(player).tolist())
                    check_reasons(match, player, refused)


def test_a_reason_is_found_exactly_where_nothing_is_listed() -> None:
    """The list of legal actions and the refusals ask the same functions; this holds them to it."""
    case, with_reason = Case("lanterns_dice", 2, {}), 0
    for match in play_on(case.new(5), random.Random(5)):
        if match.ply % 9 == 0:
            with_reason += sum(num_refused(match, player) for player in match.actors)
    assert with_reason > 1000
    launching = after(position(2, lakes=[CORNER], gifts=[0, 0]), "rRRRR t0 skip skip")
    assert "V3o0@a1" in launching.legal_actions(0)
    assert num_refused(launching, 0) > 1000


def num_refused(match: lampion.Match, player: int) -> int:
    """How many actions have a reason, none of which may be legal."""
    legal, refused = {*match.legal_ids(player).tolist()}, 0
    for action in range(DEAL_SHEETS):
        is_refused = refusal(match.state, player, action) != ("", "")  # type: ignore[arg-type]
        assert is_refused == (action not in legal), match.action_text(action, player)
        refused += is_refused
    return refused


def test_chance_is_refused_what_is_not_due() -> None:
    match = position(2)
    check_reasons(match, CHANCE, set(range(ACTIONS.size)) - set(match.legal_ids(CHANCE).tolist()))
    with pytest.raises(lampion.IllegalAction, match="not due now"):
        match.submit("sheets AB")
    with pytest.raises(lampion.IllegalAction):
        match.submit("skip")


def check_reasons(match: lampion.Match, player: int, refused: set[int]) -> None:
    for action in refused:
        rule, key = refusal(match.state, player, action)  # type: ignore[arg-type]
        assert rule in RULES
        assert key in REASONS


def test_every_reason_of_the_catalog_is_used() -> None:
    source = (FOLDER / "notation.py").read_text()
    named = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', source))
    assert named | {key for _, key in rules_reasons.REASONS if key} == REASONS


CORNER = "a1u a1l b1u b1l a2u a2l"


@pytest.mark.parametrize(
    ("played", "refused", "rule", "reason"),
    [
        ("", "c1u", "D6", "turn the tray first"),
        ("t0", "c1ul", "D9", "only the card for a whole pool"),
        ("t0", "e1", "D9", "after your other areas"),
        ("t0", "V3o0@a1", "D10", "at the end of your turn"),
        ("t0 skip", "a3u", "D8", "another color"),
        ("t0 skip skip", "c1u", "D9", "choose a card"),
        ("t0 skip skip", "e3", "D9", "too few gifts"),
        ("t0 skip skip e1", "a3u", "D9", "another color"),
        ("t0 skip skip e1", "e1", "D9", "used a card"),
        ("t0 skip skip skip", "c1u", "D10", "nothing left to shade"),
        ("t0 skip skip skip", "V3o0@b1", "D15", "must be completed"),
        ("t0 skip skip skip", "L4o0@a1", "D2", "not in play"),
        ("t0 skip skip skip", "V3o0@i1", "D15", "does not fit on the lake"),
    ],
)
def test_refusals_name_their_rule(played: str, refused: str, rule: str, reason: str) -> None:
    match = after(position(2, lakes=[CORNER], gifts=[2, 0]), f"rRRRR {played}")
    with pytest.raises(lampion.IllegalAction, match=reason) as why:
        match.submit(refused, 0)
    assert why.value.rule == rule
    assert "turn 1 of 10" in why.value.where


def test_whole_pool_wants_both_areas_of_an_empty_pool() -> None:
    match = after(at_the_die(position(2, lakes=[CORNER + " c3u"], gifts=[3, 0])), "skip skip e3")
    for text, reason in (("c1u", "both areas"), ("c3ul", "no shaded area")):
        with pytest.raises(lampion.IllegalAction, match=reason):
            match.submit(text)


def test_a_covered_pool_is_refused_as_covered() -> None:
    lake = CORNER + " b2u b2l c1u c1l"
    match = after(
        at_the_die(position(2, lakes=[lake], tiles=["V3o0@a1"], gifts=[0, 0])), "skip skip"
    )
    assert match.actors == [1], "b2 and c1 do not touch"
    match = after(
        at_the_die(position(2, lakes=[lake + " c2u c2l"], tiles=["V3o0@a1"], gifts=[0, 0])),
        "skip skip",
    )
    with pytest.raises(lampion.IllegalAction, match="another tile covers"):
        match.submit("O4o0@b1")
