"""The OpenSpiel games: that project's own checks, its bots, and what its players may know."""

from __future__ import annotations

import json
import os
import random
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

pyspiel: Any = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from lampion.core.facts import GameFacts  # noqa: E402
from lampion.core.game import find_game  # noqa: E402
from lampion.core.record import OWNER  # noqa: E402
from lampion.research import infostate, openspiel  # noqa: E402
from lampion.research.openspiel import LampionState, register_games  # noqa: E402
from tests.support import ALL_GAMES  # noqa: E402

register_games()  # those outside the package, too
CASES = [
    f"python_{game}(players={players})"
    for game in ALL_GAMES
    for players in (2, 3)
    if players in find_game(game).NUM_PLAYERS
]
WITH_CHANCE = [name for name in CASES if pyspiel.load_game(name).max_chance_outcomes()]
WITH_SECRETS = [
    "python_lanterns(players=3)",
    "python_lumens(players=2)",
    "python_kuhn(players=2)",
    "python_leduc(players=3)",
]


ISMCTS_GAMES = int(os.environ.get("LAMPION_ISMCTS_GAMES", "1"))
"""How many games OpenSpiel's search of information sets plays from each seat."""
SHORT = ("python_kuhn", "python_leduc")


def early(name: str, decisions: int) -> Any:
    """A state after so many decisions; in games that end after two or three, after one."""
    decisions = min(decisions, 1) if name.startswith(SHORT) else decisions
    return play_on(pyspiel.load_game(name).new_initial_state(), decisions, seed=decisions)


def play_on(state: Any, decisions: int, seed: int) -> Any:
    """Play at random until so many decisions have been made and a player is to decide."""
    chooser = random.Random(seed)
    while not state.is_terminal() and (decisions > 0 or state.is_chance_node()):
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choices(outcomes, weights)[0])
        else:
            state.apply_action(chooser.choice(state.legal_actions()))
            decisions -= 1
    return state


@pytest.mark.parametrize("name", CASES)
def test_clones_and_serialized_states_go_on_alone(name: str) -> None:
    state = early(name, 7)
    game = state.get_game()
    before = str(state)
    for twin in (
        state.clone(),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
    ):
        assert str(twin) == before
        assert twin.legal_actions() == state.legal_actions()
        play_on(twin, 1, seed=2)
        assert str(state) == before != str(twin)


@pytest.mark.parametrize("name", WITH_CHANCE)
def test_chance_outcomes_are_numbered_from_0_and_add_up_to_1(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    assert state.is_chance_node()
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    assert 0 <= min(outcomes) <= max(outcomes) < game.max_chance_outcomes()
    assert sum(weights) == pytest.approx(1)
    assert max(early(name, 3).legal_actions()) < game.num_distinct_actions()


def test_options_are_parameters_and_wrong_ones_are_refused() -> None:
    state = pyspiel.load_game("python_lumens(players=3,starts=balanced)").new_initial_state()
    assert state.match.options == {"starts": "balanced"}
    with pytest.raises(Exception, match="the option 'starts' is published or balanced"):
        pyspiel.load_game("python_lumens(players=3,starts=nowhere)")


@pytest.mark.parametrize("name", CASES)
def test_returns_are_those_of_the_placement(name: str) -> None:
    state = play_on(pyspiel.load_game(name).new_initial_state(), 10_000, seed=3)
    assert state.is_terminal()
    assert sum(state.returns()) == pytest.approx(0)
    best = [player for player, value in enumerate(state.returns()) if value == max(state.returns())]
    assert best == state.match.winners


@pytest.mark.parametrize("name", CASES)
def test_returns_can_be_points(name: str) -> None:
    game = pyspiel.load_game(name.replace(")", ",returns=points)"))
    state = play_on(game.new_initial_state(), 10_000, seed=3)
    scores = state.match.scores
    mean = sum(scores) / len(scores)
    assert state.returns() == pytest.approx([score - mean for score in scores])
    assert sum(state.returns()) == pytest.approx(0)
    assert game.min_utility() < min(state.returns()) and max(state.returns()) < game.max_utility()


def test_other_returns_are_refused() -> None:
    with pytest.raises(Exception, match="returns are placement or points, not money"):
        pyspiel.load_game("python_lumens(returns=money)")


# --- what players know ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_SECRETS)
@pytest.mark.parametrize("decisions", [0, 1, 12])
def test_resampled_states_look_the_same_to_their_player_and_differ_for_others(
    name: str, decisions: int
) -> None:
    state = early(name, decisions)
    player, chooser = state.current_player(), random.Random(5)
    worlds = [state.resample_from_infostate(player, chooser.random) for _ in range(12)]
    for world in worlds:
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.observation_string(player) == state.observation_string(player)
        assert world.observation_tensor(player) == state.observation_tensor(player)
        assert world.information_state_tensor(player) == state.information_state_tensor(player)
        assert world.legal_actions() == state.legal_actions()
    other = (player + 1) % state.num_players()
    assert len({world.information_state_string(other) for world in worlds}) > 1


@pytest.mark.parametrize("name", WITH_SECRETS)
def test_information_states_are_equal_as_numbers_exactly_where_they_are_as_strings(
    name: str,
) -> None:
    """Many ways to play the same deal, and guesses that are played on: nothing that a player has
    seen is forgotten, and nothing that it may not know is told."""
    texts, tensors = defaultdict(set), defaultdict(set)
    for number in range(6):
        state = early(name, 2)
        if number % 2:
            dice = random.Random(number)
            state = state.resample_from_infostate(state.current_player(), dice.random)
        for step in range(14):
            for player in range(state.num_players()):
                text = state.information_state_string(player)
                numbers = bytes(np.array(state.information_state_tensor(player), np.float32))
                texts[numbers].add(text)
                tensors[text].add(numbers)
            if not state.is_terminal():
                state = play_on(state, 1, seed=number + step)
    assert len(texts) > 10
    assert all(len(found) == 1 for found in (*texts.values(), *tensors.values()))


def test_a_game_too_long_to_remember_is_refused_rather_than_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(infostate, "facts_of", lambda game: GameFacts(most_entries=3))
    state = pyspiel.load_game("python_lumens(players=2)").new_initial_state()
    memory = infostate.InformationState(state.match.game, 2)
    with pytest.raises(ValueError, match="raise `most_entries`"):
        memory.write(
            early("python_lumens(players=2)", 4).match, 0, np.zeros(memory.size, np.float32)
        )


def test_points_beyond_what_a_game_declares_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = pyspiel.load_game("python_lumens(players=2,returns=points)")
    monkeypatch.setattr(openspiel, "facts_of", lambda game: GameFacts(most_points=0.25))
    narrow = pyspiel.load_game("python_lumens(players=2,returns=points)")
    assert narrow.max_utility() == 0.25 and game.max_utility() == 1000
    state = play_on(narrow.new_initial_state(), 10_000, seed=3)
    assert state.match.scores[0] != state.match.scores[1]
    with pytest.raises(ValueError, match="says that no result is"):
        LampionState.returns(state)
    monkeypatch.setattr(openspiel, "facts_of", lambda game: GameFacts())
    assert pyspiel.load_game("python_lumens(players=2,returns=points)").max_utility() == 2**32


@pytest.mark.parametrize("name", WITH_SECRETS)
def test_resampled_states_hold_nothing_of_the_truth(name: str) -> None:
    """Neither the log nor the history tells what others have drawn; and the games can be played to their end."""
    state = early(name, 5)
    player = state.current_player()
    world = state.resample_from_infostate(player, random.Random(1).random)
    assert world.history() == []
    seen = [text for _, text in state.match.log.read_by(player)]
    assert [entry.text for entry in world.match.log] == seen
    assert play_on(world, 10_000, seed=7).is_terminal()


@pytest.mark.parametrize("name", WITH_SECRETS)
def test_strings_are_structured_and_hide_what_others_drew(name: str) -> None:
    state = early(name, 4)
    information = json.loads(state.information_state_string(0))
    assert information["player"] == 0
    assert len(information["log"]) == len(state.match.log)
    assert any(actor == "c" and text.endswith("?") for actor, text in information["log"])
    own = [name for name, field in state.match.state.fields.items() if field.seen_by is OWNER]
    for field in own:
        mine = np.asarray(getattr(state.match.state, field)[0]).tolist()
        assert information["private"][field] == mine
    assert json.loads(state.observation_string(0)) == state.match.view(0)


@pytest.mark.parametrize("name", CASES)
def test_observers_write_the_parts_of_the_observation(name: str) -> None:
    game = pyspiel.load_game(name)
    state = play_on(game.new_initial_state(), 6, seed=9)
    observation = make_observation(game)
    observation.set_from(state, 1)
    assert observation.tensor.tolist() == state.observation_tensor(1)
    assert (
        sum(part.size for part in observation.dict.values())
        == len(observation.tensor)
        == game.observation_tensor_size()
    )
    spectator = make_observation(
        game,
        pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE),
    )
    assert json.loads(spectator.string_from(state, 0))["seat"] is None


# --- its bots ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES[::2])
def test_its_tree_search_plays(name: str) -> None:
    state = early(name, 4)
    game = state.get_game()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2.0, 5, evaluator, random_state=np.random.RandomState(1))
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", WITH_SECRETS)
def test_its_search_of_information_sets_plays(name: str) -> None:
    state = early(name, 4)
    game = state.get_game()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 5, random_state=np.random.RandomState(1))
    assert bot.step(state) in state.legal_actions()


class Blind:
    """An evaluator that knows nothing, so that thousands of decisions take seconds: every tree
    still meets guesses, secrets that are shown, and information states that must be told apart."""

    def evaluate(self, state: Any) -> Any:
        return np.zeros(state.num_players())

    def prior(self, state: Any) -> list[tuple[int, float]]:
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", ["python_lumens(players=2)", "python_leduc(players=2)"])
def test_its_search_of_information_sets_plays_whole_games_from_both_seats(
    name: str, seat: int
) -> None:
    """In Lumens both choose a start token in secret; what the other chose is known once it is shown."""
    game = pyspiel.load_game(name)
    for number in range(ISMCTS_GAMES):
        dice = np.random.RandomState(2 * number + seat)
        bot = ismcts.ISMCTSBot(game, Blind(), 2.0, 12, random_state=dice)
        state = play_on(game.new_initial_state(), 0, seed=number)
        while not state.is_terminal():
            if state.current_player() == seat:
                action = bot.step(state)
                assert action in state.legal_actions()
                state.apply_action(action)
                play_on(state, 0, seed=number)
            else:
                play_on(state, 1, seed=number)
        assert sum(state.returns()) == pytest.approx(0)


def test_what_was_chosen_in_secret_tells_worlds_apart_once_it_is_shown() -> None:
    state = play_on(pyspiel.load_game("python_lumens(players=2)").new_initial_state(), 1, seed=12)
    player, chooser = state.current_player(), random.Random(13)
    worlds = [state.resample_from_infostate(player, chooser.random) for _ in range(12)]
    faces = {int(world.match.state.start_face[1 - player]) for world in worlds}
    assert len(faces) > 1, "the other's choice is a guess"
    for world in worlds:
        world.apply_action(world.legal_actions()[0])
    assert len({world.information_state_string(player) for world in worlds}) == len(faces)
