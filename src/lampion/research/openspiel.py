"""The games for OpenSpiel: `python_my_game` for each game that is registered.

    import lampion.research.openspiel                       registers them; `register_games()` those added later
    game = pyspiel.load_game("python_my_game(players=3)")

Chance is explicit. Where several players may act at the same time, they do so one after the other, in canonical order. Returns are
those of the placement: the mean over the others of 1 for each who is behind and -1 for each who is ahead. With the parameter
`returns=points` they are the points above the mean of all players. Both sum to zero.

    players' actions      ids of the game's `ActionSpace` below `num_moves`
    outcomes of chance    the ids from there on, counted from 0
    observation tensor    the vector of `research.batch`; its parts, by name, are those of the game's OBSERVATION
    information tensor    the same knowledge as the information state, see `research.infostate`
    observation string    the table as the player sees it, as JSON
    information state     {"player": ..., "log": as the player may read it, "shown": secrets that all have seen by now,
                           "private": what the record shows to this player alone}

OpenSpiel's bots in Python play them, `mcts.MCTSBot` and, where something is hidden, `ismcts.ISMCTSBot`. Its bots in C++ release
Python's lock and crash with any game that is written in Python, its own included (2.0.2).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from lampion.core.game import Game, facts_of, find_game, game_names
from lampion.core.match import Match
from lampion.core.observation import observation_of
from lampion.core.record import OWNER
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, GAME_OVER, SPECTATOR, Action, Player
from lampion.core.variants import declared_options
from lampion.research.extras import extra
from lampion.research.infostate import InformationState
from lampion.research.stepping import observe_at

with extra("openspiel"):
    import pyspiel

MOST_DECISIONS = MOST_DRAWS = 2000
"""Bounds that OpenSpiel wants; no game comes near them."""
ANY_POINTS = 2.0**32
"""The bound of points where a game declares none (`GameFacts.most_points`): scores are 32-bit."""
RETURNS, PLACEMENT, POINTS = "returns", "placement", "points"
"""The parameter that says what a game pays, and its values."""


def game_type(game: Game) -> pyspiel.GameType:
    information, chance = pyspiel.GameType.Information, pyspiel.GameType.ChanceMode
    has_chance = game.ACTIONS.num_moves < game.ACTIONS.size
    return pyspiel.GameType(
        short_name=f"python_{game.NAME}",
        long_name=game.TITLE,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if has_chance else chance.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION
        if game.State.has_secrets
        else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.NUM_PLAYERS[-1],
        min_num_players=game.NUM_PLAYERS[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": game.NUM_PLAYERS[0],
            RETURNS: PLACEMENT,
            **{option.name: "" for option in declared_options(game)},
        },
    )


class LampionGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games with a number of players and options; an option that is empty has its default."""

    NAME: ClassVar[str]

    def __init__(self, params: Mapping[str, Any]) -> None:
        game = find_game(self.NAME)
        players = int(params.get("players", game.NUM_PLAYERS[0]))
        names = [option.name for option in declared_options(game)]
        options = {name: str(params[name]) for name in names if params.get(name)}
        self.start = Match(game, players, options)
        self.returns = str(params.get(RETURNS, PLACEMENT))
        if self.returns not in (PLACEMENT, POINTS):
            raise ValueError(f"returns are {PLACEMENT} or {POINTS}, not {self.returns}")
        self.most = (facts_of(game).most_points or ANY_POINTS) if self.returns == POINTS else 1.0
        self.num_moves: int = game.ACTIONS.num_moves
        info = pyspiel.GameInfo(
            num_distinct_actions=self.num_moves,
            max_chance_outcomes=game.ACTIONS.size - self.num_moves,
            num_players=players,
            min_utility=-self.most,
            max_utility=self.most,
            utility_sum=0.0,
            max_game_length=MOST_DECISIONS,
        )
        super().__init__(game_type(game), info, dict(params))

    def new_initial_state(self) -> LampionState:
        return LampionState(self)

    def max_chance_nodes_in_history(self) -> int:
        return MOST_DRAWS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(
            self.start.game,
            self.start.players,
            iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False),
            params,
        )


class LampionState(pyspiel.State):  # type: ignore[misc]
    """A match, with chance left to OpenSpiel."""

    def __init__(self, game: LampionGame) -> None:
        super().__init__(game)
        self.match = game.start.copy()
        self._pays_points, self._most = game.returns == POINTS, game.most

    def _id(self, action: int) -> Action:
        """Outcomes of chance are counted from 0 in OpenSpiel."""
        return action + self._num_moves if self.match.to_act == CHANCE else action

    @property
    def _num_moves(self) -> int:
        return self.match.game.ACTIONS.num_moves

    # --- what OpenSpiel asks ---

    def current_player(self) -> int:
        actor = self.match.to_act
        return int(
            {CHANCE: pyspiel.PlayerId.CHANCE, GAME_OVER: pyspiel.PlayerId.TERMINAL}.get(
                actor, actor
            )
        )

    def is_terminal(self) -> bool:
        return self.match.is_over

    def _legal_actions(self, player: Player) -> list[int]:
        ids: list[int] = self.match.legal_ids(player).tolist()
        return ids

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = self.match.legal_ids(CHANCE) - self._num_moves
        weights = self.match.chance_weights()
        return list(zip(outcomes.tolist(), (weights / weights.sum()).tolist(), strict=True))

    def _apply_action(self, action: int) -> None:
        self.match.submit(self._id(action))

    def _action_to_string(self, player: Player, action: int) -> str:
        wanted = action + self._num_moves if player == pyspiel.PlayerId.CHANCE else action
        return self.match.action_text(wanted, player)

    def returns(self) -> list[float]:
        if not self.match.is_over:
            return [0.0] * self.match.players
        if self._pays_points:
            scores = self.match.scores
            points = [score - sum(scores) / len(scores) for score in scores]
            if max(map(abs, points)) > self._most:
                name = self.match.game.NAME
                raise ValueError(
                    f"{name} says that no result is {max(points):g} points from the mean"
                )
            return points
        places = self.match.placements
        balance = [sum((other > own) - (other < own) for other in places) for own in places]
        return [total / max(len(places) - 1, 1) for total in balance]

    def __str__(self) -> str:
        return str(self.match)

    # --- what a player knows ---

    def information_text(self, player: Player) -> str:
        """All that a player remembers: the log as it may be read, what was shown to all, and what
        lies before this player alone."""
        fields = self.match.state.fields if player != SPECTATOR else {}
        own = [name for name, field in fields.items() if field.seen_by is OWNER]
        private = {
            name: np.asarray(getattr(self.match.state, name)[player]).tolist() for name in own
        }
        log = self.match.log
        known = {"log": log.read_by(player), "shown": log.showings(), "private": private}
        return json.dumps({"player": player, **known})

    def resample_from_infostate(self, player: Player, sampler: Callable[[], float]) -> LampionState:
        """Another state that this player cannot tell from this one, each with its probability. It has no history: that would tell."""
        sampled: LampionState = self.get_game().new_initial_state()
        sampled.match = self.match.guess(player, new_rng(int(sampler() * 2**53)))
        return sampled


class Observer:
    """Writes what a player, or with no private information a spectator, sees (OpenSpiel's PyObserver)."""

    def __init__(self, game: Game, players: int, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers of {game.NAME} have no parameters, not {params}")
        whose = pyspiel.PrivateInfoType
        if not kind.public_info or kind.private_info == whose.ALL_PLAYERS:
            raise ValueError(
                f"observers of {game.NAME} see what is public, and what one player sees or nobody"
            )
        self._for_spectators = kind.private_info == whose.NONE
        self._remembers = kind.perfect_recall
        self._memory = InformationState(game, players)
        self._parts = observation_of(game).OBSERVATION
        self._bytes = np.zeros(self._parts.size, np.uint8)
        layout = self._memory if self._remembers else self._parts
        self.tensor: npt.NDArray[np.float32] | None = (
            None if self._for_spectators else np.zeros(layout.size, np.float32)
        )
        self.dict = layout.read(self.tensor) if self.tensor is not None else {}

    def set_from(self, state: LampionState, player: Player) -> None:
        if self.tensor is not None and self._remembers:
            self._memory.write(state.match, max(player, 0), self.tensor)
        elif self.tensor is not None:
            observe_at(state.match.state.batch, 0, max(player, 0), self._bytes)
            self.tensor[:] = self._bytes

    def string_from(self, state: LampionState, player: Player) -> str:
        seat = SPECTATOR if self._for_spectators else player
        return (
            state.information_text(seat) if self._remembers else json.dumps(state.match.view(seat))
        )


GAMES: dict[str, type[LampionGame]] = {}
"""The games that OpenSpiel knows, by our name. It keeps what makes a game until after Python has ended, which only a class
survives."""


def register_games() -> None:
    """Tell OpenSpiel about all games that it does not know yet."""
    for name in game_names():
        if name not in GAMES:
            title = name.title().replace("_", "")
            GAMES[name] = type(f"{title}Game", (LampionGame,), {"NAME": name})
            pyspiel.register_game(game_type(find_game(name)), GAMES[name])


register_games()
