"""Every game against its oracle: plain Python written from the rules by somebody who had not read the engine."""

from __future__ import annotations

import os
import random

from lampion.core.gamelog import actor_name
from lampion.core.types import CHANCE
from tests.support import Case, every_case, facts_of, oracle_of, random_actor

GAMES_PER_CASE = int(os.environ.get("LAMPION_ORACLE_GAMES", "5"))


@every_case
def test_engine_and_oracle_agree_after_every_action(case: Case) -> None:
    for seed in range(GAMES_PER_CASE):
        play_side_by_side(case, seed)


def play_side_by_side(case: Case, seed: int) -> None:
    chooser = random.Random(seed)
    match, oracle = case.without_chance(), oracle_of(case)
    while True:
        assert facts_of(match) == oracle.facts()
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
