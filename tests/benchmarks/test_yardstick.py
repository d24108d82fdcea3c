"""The yardstick: stored values are true, and the command says what it measured."""

from __future__ import annotations

import json
import sys
from itertools import islice

import pytest

from benchmarks import otherwise, reuse, yardstick
from benchmarks.yardstick import loss, positions, solved
from lampion.bots.ends import TIE_BREAK
from lampion.bots.levels import make_player
from lampion.core.rng import new_rng
from tests.support import GAMES

ENOUGH = 200
SAMPLE = 4


@pytest.mark.parametrize("game", GAMES)
def test_a_set_is_large_and_its_positions_matter(game: str) -> None:
    lines = (yardstick.FOLDER / f"{game}-ends.jsonl").read_text().splitlines()
    games = [json.loads(line) for line in lines]
    values = [[*each["values"].values()] for line in games for each in line["positions"]]
    assert len(values) >= ENOUGH
    assert len({line["deal"] for line in games}) == len(games)
    for each in values:
        assert max(each) - min(each) >= yardstick.GIVEN_AWAY - 1e-9
        assert all(-1e-6 <= value <= 1 + 1e-6 for value in each)


@pytest.mark.parametrize("game", GAMES)
def test_stored_values_are_found_again(game: str) -> None:
    """Those of the first ones with the fewest moves, so that it does not take long."""
    first = sorted(islice(positions(game), 24), key=lambda one: len(one.values))
    for each in first[:SAMPLE]:
        match = each.match()
        assert match.to_act == each.seat
        assert set(each.values) == set(match.legal_ids().tolist())
        again = solved(match)
        assert again is not None
        assert again == pytest.approx(each.values, abs=2e-9)


def test_a_loss_is_what_the_choice_lacks() -> None:
    first = next(positions("lumens"))
    player, match = make_player("greedy"), first.match()
    seen, legal = match.seen_from(first.seat), match.legal_ids(first.seat)
    action = player.bot.choose(seen, first.seat, legal, player.budget, new_rng(first.deal))
    assert loss(first, "greedy")[0] == max(first.values.values()) - first.values[int(action)]


def test_the_command_prints_what_it_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = list(islice(positions("lumens"), 8))
    losses = [loss(each, "greedy")[0] for each in known]
    optimal = 100 * sum(lost < TIE_BREAK / 1000 for lost in losses) / len(losses)
    given = 100 * sum(lost > yardstick.GIVEN_AWAY for lost in losses) / len(losses)
    monkeypatch.setattr(yardstick, "positions", lambda game: iter(known))
    monkeypatch.setattr(sys, "argv", ["yardstick", "ends", "lumens", "greedy"])
    yardstick.main()
    title, heads, line = capsys.readouterr().out.splitlines()
    assert title == "lumens: 8 ends, two players"
    assert heads.split() == ["bot", "optimum", "given", "away", "mean", "loss", "s/move"]
    cells = line.split()
    assert cells[0] == "greedy"
    assert (cells[1], cells[5]) == (f"{optimal:.1f}", f"{given:.1f}")
    assert float(cells[-2]) == pytest.approx(sum(losses) / len(losses), abs=1e-4)


def test_a_perfect_bot_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that has far more than the solver needs."""
    small = sorted(islice(positions("lumens"), 24), key=lambda each: len(each.values))[:4]
    monkeypatch.setattr(yardstick, "positions", lambda game: iter(small))
    monkeypatch.setattr(sys, "argv", ["yardstick", "ends", "lumens", "search:500000"])
    yardstick.main()
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.split()[1] == "100.0" and " 0.0000 " in line


def test_agreement_is_with_the_bot_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bots = ["greedy", "greedy", "random"]
    command = ["yardstick", "agreement", "lumens", *bots, "--positions", "24"]
    monkeypatch.setattr(sys, "argv", command)
    yardstick.main()
    title, _, first, second, third = capsys.readouterr().out.splitlines()
    assert title.startswith("lumens: 24 decisions")
    assert first.split()[0] == "greedy" and "%" not in first
    assert second.split()[1] == "100.0"
    assert float(third.split()[1]) < 50


def test_what_a_bot_gains_another_loses() -> None:
    match = otherwise.decisions("lumens", 1)[0]
    one, other = match.legal_ids()[:2].tolist()
    gained = otherwise.gain(match, one, other, games=40, seed=3)
    assert gained == -otherwise.gain(match, other, one, games=40, seed=3) != 0
    assert otherwise.gain(match, one, one, games=40, seed=3) == 0
    again = otherwise.decisions("lumens", 2)[0]
    assert [*again.legal_ids()] == [*match.legal_ids()]


def test_a_kept_tree_follows_the_game() -> None:
    match = yardstick.decisions("lumens", 1)[0]
    kept = reuse.Kept(match, match.to_act, iterations=400, seed=1)
    assert kept.share == 1.0
    best = int(kept.work.best_first()[0])
    kept.follow(int(kept.work.children["key"][best]))
    assert kept.share == kept.work.children["visits"][best] / 400
    kept.follow(-77)
    assert kept.share == 0.0
    kept.follow(int(kept.work.children["key"][best]))
    assert kept.share == 0.0, "once it is out of the tree it stays out"
