"""Every game against its oracle: plain Python written from the rules by an author who had not read
the engine, and told to the suite by `lampion.testing.tell`. An oracle has these methods:

    facts()             the position, equal to what the author's `facts(state)` makes of the engine's
    to_act()            whose turn it is: a player, "c" for chance, or None
    may_act()           all players who may act
    legal(actor)        the legal actions in notation, each with its weight: 1 for those of players
    apply(actor, text)  do it
    scores(), winners()
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from lampion.core.gamelog import actor_name
from lampion.core.types import CHANCE
from lampion.testing.about import About, about
from lampion.testing.cases import Case, every_case, random_actor

GAMES_PER_CASE = int(os.environ.get("LAMPION_ORACLE_GAMES", "2"))


@every_case
def test_engine_and_oracle_agree_after_every_action(case: Case) -> None:
    told = about(case.game)
    if told.oracle is None:
        pytest.skip(f"nobody told the suite of an oracle for {case.game}")
    for seed in range(GAMES_PER_CASE):
        play_side_by_side(case, told, told.oracle(case), seed)


def play_side_by_side(case: Case, told: About, oracle: Any, seed: int) -> None:
    chooser = random.Random(seed)
    match = case.without_chance()
    while True:
        assert told.position(match.state) == oracle.facts()
        assert actor_name(match.to_act) == oracle.to_act()
        assert match.actors == oracle.may_act()
        assert match.scores == oracle.scores()
        assert [
            player for player, place in enumerate(match.placements) if place == 1
        ] == oracle.winners()
        if match.is_over:
            return
        for player in match.actors:
            assert dict.fromkeys(match.legal_actions(player), 1) == oracle.legal(player)
        actor = random_actor(match, chooser)
        texts = match.legal_actions(actor)
        if actor == CHANCE:
            assert dict(zip(texts, match.chance_weights().tolist(), strict=True)) == oracle.legal(
                "c"
            )
        text = chooser.choice(texts)
        match.submit(text, actor)
        oracle.apply(actor_name(actor), text)
