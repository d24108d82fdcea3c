"""How scores came about: parts add up, ties are broken by what the game names, and what decided a
game is worked out here a second time."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import lampion
from lampion.core.compile import PACKAGE
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.messages import catalog, languages
from lampion.core.replay import positions
from lampion.core.scorebook import WHOLE_SCORE, Scorebook, scorebook_of, scoring_of
from tests.support import ALL_GAMES, GAMES, GOLDEN, Case, every_case, finished, play_on

RECORDS = [path for game in GAMES for path in sorted((GOLDEN / game).glob("*.json"))]


@every_case
def test_parts_add_up_and_ties_are_broken_as_told(case: Case) -> None:
    match = finished(case, 5)
    scoring, scorebook = scoring_of(match.game), scorebook_of(match)
    assert [moment.ply for moment in scorebook.moments] == list(range(match.ply + 1))
    for moment, position in zip(scorebook.moments, every_position(match), strict=True):
        assert moment.parts.sum(axis=1).tolist() == moment.scores == position.scores
        have = [
            (score, *(scoring.tie_breaks(position.state, player) if scoring else ()))
            for player, score in enumerate(position.scores)
        ]
        places = [1 + sum(other > own for other in have) for own in have]
        assert places == position.placements
    check_names(match, scorebook)


def every_position(match: Match) -> Iterator[Match]:
    """One match is moved along."""
    yield from (earlier for earlier, _ in positions(match))
    yield match


def check_names(match: Match, scorebook: Scorebook) -> None:
    """Every name has words in every language, and rounds follow each other."""
    scoring = scoring_of(match.game)
    assert (scorebook.part_names == (WHOLE_SCORE,)) == (scoring is None)
    rounds = [moment.round for moment in scorebook.moments if moment.round]
    names = {*scorebook.part_names, *(scoring.TIE_BREAKS if scoring else ())}
    names |= {"round" if name.isdecimal() else name for name in rounds}
    folder = Path(match.game.__file__).parent if scoring else PACKAGE
    for language in languages():
        texts = catalog(folder, language)["scoring"]
        assert {name.partition(":")[0] for name in names} <= set(texts)
    numbers = [int(name) for name in rounds if name.isdecimal()]
    assert numbers[0] == 1
    if scoring:
        assert numbers == sorted(numbers)


@pytest.mark.parametrize("game", ALL_GAMES)
def test_what_was_taken_back_leaves_no_trace(game: str) -> None:
    case = Case(game, find_game(game).NUM_PLAYERS[0], {})
    match, chooser = case.new(3), random.Random(3)
    for number, _ in enumerate(play_on(match, chooser)):
        if number % 5 == 1:
            match.undo()
    scorebook = scorebook_of(match)
    assert any(entry.is_undo for entry in match.log)
    again = Match(match.game, match.players, match.options)
    for entry in match.log.standing:
        again.replay(entry.actor, entry.text)
    straight = scorebook_of(again)
    for one, other in zip(scorebook.moments, straight.moments, strict=True):
        assert (one.round, one.scores, one.parts.tolist()) == (
            other.round, other.scores, other.parts.tolist(),
        )  # fmt: skip
    for moment in scorebook.moments:
        assert match.at(moment.ply).scores == moment.scores


# --- what decided it ----------------------------------------------------------------------------


def alone(scores: list[int]) -> int | None:
    ahead = [player for player, score in enumerate(scores) if score == max(scores)]
    return ahead[0] if len(ahead) == 1 else None


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_turning_points_of_golden_records(path: Path) -> None:
    match = lampion.load(path.read_text())
    scorebook = scorebook_of(match)
    history = [position.scores for position in every_position(match)]

    def ahead(ply: int, player: int) -> int:
        return min(
            history[ply][player] - score
            for other, score in enumerate(history[ply])
            if other != player
        )

    steps = {
        (ply, player): ahead(ply, player) - ahead(ply - 1, player)
        for ply in range(1, match.ply + 1)
        for player in range(match.players)
    }
    furthest = {ply for (ply, _), gain in steps.items() if gain == max(steps.values())}
    swing = scorebook.swing
    assert swing and steps[swing.ply, swing.player] == max(steps.values())
    assert (swing.ply, swing.equals) == (max(furthest), len(furthest))
    assert (swing.before, swing.after) == (
        ahead(swing.ply - 1, swing.player), ahead(swing.ply, swing.player),
    )  # fmt: skip

    leaders = [alone(scores) for scores in history]
    if leaders[-1] is None:
        assert scorebook.lead is None
    else:
        since = next(ply for ply in range(match.ply, -1, -1) if leaders[ply - 1] != leaders[-1])
        holders = [leader for leader in leaders if leader is not None]
        changes = sum(a != b for a, b in itertools.pairwise(holders))
        assert scorebook.lead
        assert (scorebook.lead.ply, scorebook.lead.player) == (since, leaders[-1])
        assert scorebook.lead.changes == changes

    level = [player for player, score in enumerate(match.scores) if score == max(match.scores)]
    tie = scorebook.tie_break
    assert (tie is not None) == (len(level) > len(match.winners))
    if tie:
        assert tie.what == TIE_BREAKS[path.stem]
        best = max(tie.values)
        assert [
            player for player, value in zip(tie.players, tie.values, strict=True) if value == best
        ] == match.winners


TIE_BREAKS = {
    "exchange_and_discard_3p": "favors",
    "won_by_favors_3p": "favors",
    "won_by_cards_3p": "cards",
    "won_by_fireworks_3p": "fireworks",
    "center_of_others_counts_nothing_4p": "center_pips",
    "center_room_decides_2p": "center_pips",
    "center_room_leaves_two_of_three_3p": "center_pips",
}
"""As the rulebook has it, for the records in which equal scores were told apart."""
