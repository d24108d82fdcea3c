"""The searches behind judgments as WebAssembly, run by Node with the code that the client has: the
same judgments, digit by digit, and nothing that does not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lampion.bots.weighing import Evidence
from lampion.core.errors import LampionError
from lampion.core.match import Match
from lampion.reviews.elsewhere import judged_from, tasks_for
from lampion.reviews.judging import decisions_of, judged
from tests.native import test_web
from tests.native.test_web import folder, solved_by_node
from tests.support import GAMES, Case, finished

__all__ = ["folder"]
pytestmark = test_web.pytestmark
Json = dict[str, Any]


def open_decisions(match: Match) -> list[int]:
    """Of the whole game, and its last ones: those can be solved."""
    free = [
        ply for ply in decisions_of(match) if len(match.at(ply).legal_ids(match.log[ply].actor)) > 1
    ]
    return sorted({*free[::9], *free[-3:]})


def found_by_node(folder: Path, match: Match, plies: list[int]) -> list[Evidence]:
    told = json.loads(msgspec.json.encode(tasks_for(match, plies)))
    lines = []
    for one in told["tasks"]:
        one["task"]["weights"] = told["weights"]
        lines.append(json.dumps(one))
    found = solved_by_node(folder, lines, script="judge")
    return [msgspec.json.decode(json.dumps(one), type=Evidence) for one in found]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", GAMES)
def test_a_browser_judges_as_the_server_does(folder: Path, game: str, players: int) -> None:
    match = finished(Case(game, players, {}), 7)
    plies = open_decisions(match)
    evidence = found_by_node(folder, match, plies)
    expected = judged(match, plies=plies)
    for one, other in zip(judged_from(match, evidence), expected, strict=True):
        assert (one.ply, one.seat, one.verdict) == (other.ply, other.seat, other.verdict)
        assert (one.best, one.cost, one.interval) == (other.best, other.cost, other.interval)
        assert (one.reasons, one.is_exact) == (other.reasons, other.is_exact)


def test_evidence_that_does_not_fit_is_refused(folder: Path) -> None:
    match = finished(Case("lumens", 2, {}), 7)
    (mistake,) = [one for one in judged(match) if one.verdict == "mistake"][:1]
    (found,) = found_by_node(folder, match, [mistake.ply])
    assert judged_from(match, [found])[0].cost == mistake.cost
    for wrong in (
        msgspec.structs.replace(found, moves=found.moves[1:]),
        msgspec.structs.replace(found, moves=[found.moves[0], *found.moves]),
        msgspec.structs.replace(found, moves=[], gaps=[]),
        msgspec.structs.replace(found, gaps=[]),
        msgspec.structs.replace(found, values=[0.5]),
    ):
        with pytest.raises(LampionError) as refused:
            judged_from(match, [wrong])
        assert refused.value.code == "invalid-query"
