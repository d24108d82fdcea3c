"""The games as PettingZoo environments, on one slot of the batched environment.

`env("my_game", players=2, render_mode="ansi")` makes one, and `parallel_env` one where all act at
once. An observation is a dictionary with `observation`, the numbers of docs/research.md, and
`action_mask`; the mask is in `infos[agent]["action_mask"]` too. Agents are `player_0`, `player_1`,
... in turn order. A deep copy or a pickle of an environment is the same game at the same point.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lampion.core.game import facts_of, find_game
from lampion.core.types import SPECTATOR, Player
from lampion.research.batch import BatchEnv
from lampion.research.extras import extra
from lampion.research.render import RENDER_MODES, Frame, render

with extra("research"):
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv

Agent: TypeAlias = str
Seen: TypeAlias = dict[str, npt.NDArray[Any]]
ILLEGAL_REWARD = -1.0
WAIT = 0
"""Parallel play: the one action of an agent who has nothing to do; it is ignored."""


def version_of(game: str) -> str:
    """The name of the environment, as PettingZoo writes them."""
    return f"{game}_v{facts_of(find_game(game)).environment_version}"


def raw_env(game: str, **settings: Any) -> SequentialEnv:
    """`players`, `reward` ("placement" or "score"), `options` of the game, `render_mode`."""
    return SequentialEnv(game, **settings)


def env(game: str, **settings: Any) -> SequentialEnv:
    """The same, where an illegal action ends the game and costs its agent 1."""
    return raw_env(game, illegal_ends=True, **settings)


def parallel_env(game: str, **settings: Any) -> SimultaneousEnv:
    """All players who may act do so in the same step; the others wait."""
    return SimultaneousEnv(game, **settings)


class _Table:
    """What the sequential and the parallel environments share: one game, its spaces, its pictures."""

    def _set_up(
        self,
        game: str,
        players: int | None,
        reward: str,
        options: Mapping[str, str] | None,
        render_mode: str | None,
    ) -> None:
        self.batch = BatchEnv(
            game, 1, players=players, options=options, reward=reward, auto_reset="off", threads=1
        )
        self.render_mode = render_mode
        self.possible_agents: list[Agent] = [f"player_{seat}" for seat in range(self.batch.players)]
        self.agents: list[Agent] = []
        size, moves = self.batch.observation.size, self.batch.num_moves
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._no_moves = np.zeros(moves, np.int8)
        highest = self.batch.observation.highest()
        self.observation_spaces: dict[Agent, spaces.Space[Any]] = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(np.zeros_like(highest), highest, dtype=np.uint8),
                    "action_mask": spaces.Box(0, 1, (moves,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces: dict[Agent, spaces.Space[Any]] = {
            agent: spaces.Discrete(moves) for agent in self.possible_agents
        }
        self.state_space = spaces.Box(0, 255, (self.batch.players, size), np.uint8)

    def observation_space(self, agent: Agent) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def state(self) -> npt.NDArray[np.uint8]:
        """All that the players know together: the observations of all seats."""
        return np.stack([self.batch.observe(0, seat) for seat in range(self.batch.players)])

    def _is_legal(self, action: int) -> bool:
        return 0 <= action < self.batch.num_moves and bool(self.batch.masks[0, action])

    def _picture(self, seat: Player) -> Frame:
        assert self.render_mode, (
            "say how to render when you make the environment: render_mode='ansi', 'svg', 'rgb_array' or 'human'"
        )
        return render(self.batch.match(0), self.render_mode, seat)

    def close(self) -> None:
        """Nothing is held open."""


class SequentialEnv(_Table, AECEnv):  # type: ignore[misc]
    """One agent acts at a time; where several might, in canonical order.

    An illegal action is refused with `IllegalAction`; or, if `illegal_ends`, it ends the game and costs its agent 1, as PettingZoo's
    own wrapper does. That wrapper and its companions would take five times as long as a step, so they are not used here.
    """

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        reward: str = "placement",
        options: Mapping[str, str] | None = None,
        render_mode: str | None = None,
        illegal_ends: bool = False,
    ) -> None:
        super().__init__()
        self.illegal_ends = illegal_ends
        self.metadata = {
            "name": version_of(game),
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self._set_up(game, players, reward, options, render_mode)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; without a seed, the generator of this environment goes on."""
        self.batch.reset(seed=seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_moves} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self.batch.to_act[0]]
        self.infos[self.agent_selection] = {"action_mask": self.batch.masks[0].copy()}

    def observe(self, agent: Agent) -> Seen:
        batch, seat = self.batch, self._seats[agent]
        if batch.to_act[0] == seat and not self.terminations.get(agent):
            return {
                "observation": batch.observations[0].copy(),
                "action_mask": batch.masks[0].copy(),
            }
        return {"observation": batch.observe(0, seat), "action_mask": self._no_moves.copy()}

    def step(self, action: int | None) -> None:
        """An action of `agent_selection`, or None from one whose game is over."""
        assert self.agents, "reset the environment first"
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "only an agent whose game is over has no action"
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"action_mask": self._no_moves}
        if self.illegal_ends and not self._is_legal(action):
            self.rewards = {**dict.fromkeys(self.agents, 0.0), agent: ILLEGAL_REWARD}
            self._end()
        else:
            self.batch.step(action)
            self.rewards = dict(zip(self.agents, self.batch.rewards[0].tolist(), strict=True))
            if self.batch.terminated[0]:
                self._end()
            else:
                self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        # PettingZoo then expects a step with None from every agent, so the first of them is next.
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def render(self) -> Frame:
        """The table as the agent to act sees it; as a spectator does when the game is over."""
        return self._picture(max(int(self.batch.to_act[0]), SPECTATOR))


class SimultaneousEnv(_Table, ParallelEnv):  # type: ignore[misc]
    """All agents who have something to choose act at once. The others wait: their only action is `WAIT`."""

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        reward: str = "placement",
        options: Mapping[str, str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.metadata = {
            "name": version_of(game),
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
        }
        self._set_up(game, players, reward, options, render_mode)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Agent, Seen], dict[Agent, dict[str, Any]]]:
        self.batch.reset(seed=seed)
        self.agents = self.possible_agents[:]
        return self._look()

    def _busy(self) -> list[Player]:
        """Who may act, in canonical order."""
        first, players = int(self.batch.to_act[0]), self.batch.players
        order = [(first + k) % players for k in range(players)] if first >= 0 else []
        return [seat for seat in order if self.batch.may_act(0, seat)]

    def _look(self) -> tuple[dict[Agent, Seen], dict[Agent, dict[str, Any]]]:
        """What every agent sees and may do."""
        seen: dict[Agent, Seen] = {}
        busy = self._busy()
        for agent in self.possible_agents:
            seat, mask = self._seats[agent], self._no_moves.copy()
            if seat in busy:
                self.batch.turn_to(0, seat)
                mask[:] = self.batch.masks[0]
            elif busy:
                mask[WAIT] = 1
            seen[agent] = {"observation": self.batch.observe(0, seat), "action_mask": mask}
        # To read the masks the turn went round; now it is again whose turn it was.
        if busy:
            self.batch.turn_to(0, busy[0])
        return seen, {agent: {"action_mask": one["action_mask"]} for agent, one in seen.items()}

    def step(
        self, actions: dict[Agent, int]
    ) -> tuple[
        dict[Agent, Seen],
        dict[Agent, float],
        dict[Agent, bool],
        dict[Agent, bool],
        dict[Agent, dict[str, Any]],
    ]:
        """The actions of all who may act; an illegal one ends the game and costs its agent 1."""
        rewards = np.zeros(self.batch.players)
        culprit = self._play(actions, rewards)
        is_over = culprit is not None or bool(self.batch.terminated[0])
        if culprit is not None:
            rewards[:] = 0.0
            rewards[culprit] = ILLEGAL_REWARD
        seen, infos = self._look()
        terminations = dict.fromkeys(self.agents, is_over)
        truncations = dict.fromkeys(self.agents, False)
        paid = dict(zip(self.agents, rewards.tolist(), strict=True))
        if is_over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return seen, paid, terminations, truncations, infos

    def _play(self, actions: dict[Agent, int], rewards: npt.NDArray[np.float64]) -> Player | None:
        """Nobody's choice depends on what the others choose at the same time, so the order makes no difference.

        Returns the seat whose action is not legal, if there is one.
        """
        for seat in self._busy():
            action = int(actions[self.possible_agents[seat]])
            self.batch.turn_to(0, seat)
            if not self._is_legal(action):
                return seat
            self.batch.step(action)
            rewards += self.batch.rewards[0]
        return None

    def render(self) -> Frame:
        """The table as everybody sees it."""
        return self._picture(SPECTATOR)
