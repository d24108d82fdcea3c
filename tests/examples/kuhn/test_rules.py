"""Kuhn poker rule by rule, and what the core does for a game that writes nothing but rules."""

from __future__ import annotations

import pytest

import lampion
from kuhn import START
from lampion.arena.ratings import ratings
from lampion.arena.run import Contest, run
from lampion.core.match import Match
from lampion.core.sentences import Reader, sentences
from lampion.core.types import SPECTATOR
from lampion.core.views import view_schema


def after(*actions: str) -> Match:
    match = Match(lampion.find_game("kuhn"), 2)
    for action in actions:
        match.submit(action)
    return match


DEALT = ("deal Q", "deal K")


def test_each_player_pays_a_coin_and_sees_one_card() -> None:
    """K1."""
    assert after().chance_weights().tolist() == [1, 1, 1]
    assert after("deal Q").legal_actions() == ["deal J", "deal K"]
    match = after(*DEALT)
    assert [match.view(seat)["card"] for seat in (SPECTATOR, 0, 1)] == [
        [None, None],
        ["Q", None],
        [None, "K"],
    ]
    assert match.view()["coins"] == [1, 1]
    assert match.view()["pot"] == 2
    assert [text for _, text in match.log.read_by(1)] == ["deal ?", "deal K"]


@pytest.mark.parametrize(
    ("actions", "coins"),
    [("pass pass", [1, 3]), ("bet bet", [0, 4]), ("pass bet bet", [0, 4])],
)
def test_the_higher_card_wins_when_both_did_the_same(actions: str, coins: list[int]) -> None:
    """K2, K3, K4."""
    match = after(*DEALT, *actions.split())
    assert match.scores == coins
    assert match.winners == [1]
    assert match.view()["card"] == ["Q", "K"], "everybody sees the cards"


@pytest.mark.parametrize(("actions", "coins"), [("bet pass", [3, 1]), ("pass bet pass", [1, 3])])
def test_the_player_who_passes_after_a_bet_loses_and_no_card_is_shown(
    actions: str, coins: list[int]
) -> None:
    """K3."""
    match = after(*DEALT, *actions.split())
    assert match.scores == coins
    assert match.view()["card"] == [None, None]


def test_what_a_bet_would_do_is_told_until_it_would_tell_a_card() -> None:
    previews = after(*DEALT, "bet").previews()
    assert [event["event"] for event in previews["bet"]] == ["paid"]
    assert [event["event"] for event in previews["pass"]] == ["passed", "won"]


def test_a_game_that_writes_no_words_is_told_all_the_same() -> None:
    match = after(*DEALT, "bet", "bet")
    reader = Reader("kuhn", ["Ada", "Ben"])
    assert sentences(match.events(), reader)[1:] == [
        "Ada shows the queen",
        "Ben shows the king",
        "Ben wins 4 coins",
    ]
    with pytest.raises(lampion.IllegalAction, match="the rules do not allow it now") as refused:
        after("deal Q").submit("deal Q")
    assert refused.value.rule == "K1"
    with pytest.raises(lampion.InvalidAction, match="expected something like pass"):
        after().submit("draw")


def test_drawings_and_types_follow_from_the_record() -> None:
    match = after(*DEALT)
    assert match.draw(0) == "pot: 2\nPlayer 1: card Q, coins 1 <\nPlayer 2: card -, coins 1"
    assert ">Q<" in match.svg(0)
    assert ">Q<" not in match.svg(1)
    fields = view_schema(match.game)["$defs"]["View"]["properties"]
    assert fields["card"]["items"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert {"card", "coins", "pot"} < fields.keys()
    assert not {"num_dealt", "active", "events"} & fields.keys()


def test_it_plays_in_the_arena_without_a_line_of_its_own() -> None:
    contest = Contest("kuhn", 2, ("search:30", "random"))
    contest.check()
    results = list(run(contest, 100, workers=1))
    games = [
        (game.bots, coins)
        for result in results
        for game, coins in zip(result.games, result.scores, strict=True)
    ]
    assert len(games) == 200 and not any(result.failures for result in results)
    won = [sum(coins[bots.index(bot)] for bots, coins in games) for bot in (0, 1)]
    assert sum(won) == 2 * START * len(games) and won[0] > won[1]
    assert len(ratings([result.games for result in results], [*contest.bots])) == 2
