"""The arena: fair schedules, ratings that find the truth, tests that stop early, files that a run can resume from."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import lampion
from lampion.arena.ratings import GameResult, deal_scores, pairwise_wins, ratings, strengths
from lampion.arena.report import ladder_plot, plot
from lampion.arena.run import Contest, ResultFile, forfeited, play_job, run
from lampion.arena.schedule import jobs, line_ups, neighbors, rotations, seatings
from lampion.cli.main import main


def test_every_deal_is_played_in_all_seats() -> None:
    for bots, players in ((2, 2), (3, 2), (5, 3), (4, 4), (2, 3), (2, 4)):
        seats: Counter[tuple[int, int]] = Counter()
        for job in islice(jobs(bots, players), 60):
            for seating in job.seatings:
                seats.update(enumerate(seating))
        per_seat = [[seats[seat, bot] for seat in range(players)] for bot in range(bots)]
        assert all(len(set(counts)) == 1 for counts in per_seat), (
            "each bot sits in each seat equally often"
        )


def test_line_ups_and_seatings() -> None:
    assert line_ups(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert seatings((0, 1)) == ((0, 1), (1, 0))
    assert len(seatings((0, 1, 0, 1))) == 6


def test_on_a_ladder_neighbors_go_round_the_table() -> None:
    assert neighbors(4, 3) == [(0, 1, 2), (1, 2, 3)]
    assert rotations((0, 1, 2)) == ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    seats: Counter[tuple[int, int, int]] = Counter()
    for job in islice(jobs(4, 3, is_ladder=True), 4):
        seats.update(
            (job.number % 2, seat, bot)
            for seating in job.seatings
            for seat, bot in enumerate(seating)
        )
    assert set(seats.values()) == {2}, "every bot of a line-up sits in every seat equally often"


def test_shared_places_are_half_a_win() -> None:
    wins = pairwise_wins([GameResult((0, 1, 2), (1, 1, 3))], 3)
    assert wins.tolist() == [[0, 0.5, 1], [0.5, 0, 1], [0, 0, 0]]


def made_up_results(elos: list[float], games: int, seed: int) -> list[list[GameResult]]:
    """Results of two-player games between bots of known strength."""
    chooser, clusters = np.random.default_rng(seed), []
    for number in range(games):
        a, b = line_ups(len(elos), 2)[number % len(line_ups(len(elos), 2))]
        wins = chooser.random() < 1 / (1 + 10 ** ((elos[b] - elos[a]) / 400))
        clusters.append([GameResult((a, b), (1, 2) if wins else (2, 1))])
    return clusters


def test_ratings_find_the_strengths_that_made_the_results() -> None:
    elos = [100.0, 0.0, -100.0]
    found = ratings(made_up_results(elos, 3000, 1), ["a", "b", "c"])
    for rating, elo in zip(found, elos, strict=True):
        assert rating.low < elo < rating.high
        assert rating.high - rating.low < 60


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    covered = 0
    for seed in range(40):
        found = ratings(made_up_results([50.0, -50.0], 200, seed), ["a", "b"], samples=100)
        covered += found[0].low <= 50 <= found[0].high
    assert covered >= 33, "95 % intervals; below 33 of 40 has a chance under one in ten thousand"


def test_a_bot_that_always_wins_has_a_finite_rating() -> None:
    assert np.isfinite(strengths(np.array([[0.0, 20.0], [0.0, 0.0]]))).all()


def test_deal_scores_count_all_seatings_of_a_deal() -> None:
    assert deal_scores([[GameResult((0, 1), (1, 2)), GameResult((1, 0), (1, 2))]]) == [0.5]


CONTEST = Contest("lanterns", 2, ("greedy", "random"))


def test_a_job_gives_the_same_result_again_and_on_other_processes() -> None:
    here = [play_job(CONTEST, job).games for job in islice(jobs(2, 2), 3)]
    there = {result.number: result.games for result in run(CONTEST, 3, workers=2)}
    assert here == [there[number] for number in range(3)]


def test_a_run_resumes_from_its_result_file(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    file = ResultFile(path, CONTEST)
    for result in run(CONTEST, 2, workers=1):
        file.add(result)
    path.write_text(path.read_text() + '{"number": 2, "de')  # cut off by a crash
    again = ResultFile(path, CONTEST)
    assert again.done == {0, 1}
    assert [result.number for result in run(CONTEST, 3, workers=1, skip=again.done)] == [2]
    with pytest.raises(lampion.InvalidOptions):
        ResultFile(path, Contest("lanterns", 3, ("greedy", "random")))


def test_the_command_rates_bots(tmp_path: Path) -> None:
    picture, out = tmp_path / "ratings.svg", tmp_path / "results.jsonl"
    words = [
        "arena",
        "lanterns",
        "--players",
        "2",
        "--bots",
        "greedy",
        "random",
        "--games",
        "12",
        "--jobs",
        "1",
    ]
    result = CliRunner().invoke(main, [*words, "--json", "--plot", str(picture), "--out", str(out)])
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert told["games"] == 12
    assert told["ratings"][0]["elo"] > 0 > told["ratings"][1]["elo"]
    assert told["ratings"][0]["won"] == 1 - told["ratings"][1]["won"] > 0.5
    assert picture.read_text().startswith("<svg")
    assert len(out.read_text().splitlines()) == 1 + 6
    table = CliRunner().invoke(main, words)
    assert "greedy" in table.stdout
    assert f"{100 * told['ratings'][0]['won']:.0f} %" in table.stdout


def test_the_command_stops_early() -> None:
    words = [
        "arena",
        "lanterns",
        "--players",
        "2",
        "greedy",
        "random",
        "--games",
        "4000",
        "--jobs",
        "1",
        "--stop-at",
        "100",
        "--json",
    ]
    told = json.loads(CliRunner().invoke(main, words).stdout)
    assert told["first_is_stronger"] is True
    assert told["games"] < 200


@pytest.mark.parametrize(
    "words",
    [
        ["greedy"],
        ["greedy", "greedy"],
        ["greedy", "nobody"],
        [],
        ["greedy", "random", "--ladder", "--players", "3"],
    ],
)
def test_bad_contests_are_refused(words: list[str]) -> None:
    result = CliRunner().invoke(main, ["arena", "lanterns", *words])
    assert result.exit_code == 1
    assert result.stderr.rstrip().endswith("]")


def test_the_plot_shows_every_bot() -> None:
    found = ratings(made_up_results([10.0, -10.0], 50, 1), ["<one>", "two"], samples=20)
    assert "&lt;one&gt;" in plot(found, "A & B")
    assert math.isfinite(found[0].elo)


def test_the_plot_of_a_ladder_shows_every_level_and_number_of_players() -> None:
    found = ratings(made_up_results([10.0, -10.0], 50, 1), ["<one>", "two"], samples=20)
    picture = ladder_plot("A & B", {2: found, 4: found})
    assert all(
        words in picture for words in ("&lt;one&gt;", "two", "2 players", "4 players", "A &amp; B")
    )


def test_a_bot_that_fails_loses_its_games_and_the_run_goes_on() -> None:
    contest = Contest("lumens", 2, ("exec:false", "random"))
    results = list(run(contest, 2, workers=1))
    games = [game for result in results for game in result.games]
    assert len(games) == 4
    for game in games:
        assert game.places[game.bots.index(0)] == 2 and game.places[game.bots.index(1)] == 1
    assert all("exec:false: 'false' failed" in result.failures[0] for result in results)


def test_seats_that_lost_share_the_last_places() -> None:
    assert forfeited([1, 2, 3], ()) == (1, 2, 3)
    assert forfeited([1, 2, 3], {0}) == (3, 1, 2)
    assert forfeited([1, 2, 2, 4], {0, 2}) == (3, 1, 3, 2)
