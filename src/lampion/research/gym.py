"""The games as Gymnasium environments: one agent learns, bots play the other seats.

Importing this module registers every game, as `lampion/MyGame-v0` for `my_game`: for
`gymnasium.make` and, on the batched core, for `gymnasium.make_vec`. A program that adds a game
later calls `register_games()`. Observations
are the numbers of docs/research.md; the mask of legal actions is in `info["action_mask"]` and in
`action_masks()`, where MaskablePPO looks for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from lampion.core.game import facts_of, find_game, game_names
from lampion.core.types import SPECTATOR, Player
from lampion.research.batch import BatchEnv
from lampion.research.extras import extra
from lampion.research.opponents import Opponents, Policy
from lampion.research.render import RENDER_MODES, Frame, render

with extra("research"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space


def environment_id(game: str) -> str:
    """The name of a game in Gymnasium's registry."""
    words = "".join(word.capitalize() for word in game.split("_"))
    return f"lampion/{words}-v{facts_of(find_game(game)).environment_version}"


IDS: dict[str, str] = {}
"""The names of all games that are registered there."""
ILLEGAL_REWARD = -1.0

Numbers = npt.NDArray[np.uint8]
Info = dict[str, Any]


def _spaces(batch: BatchEnv) -> tuple[Any, spaces.Discrete]:
    highest = batch.observation.highest()
    return spaces.Box(np.zeros_like(highest), highest, dtype=np.uint8), spaces.Discrete(
        batch.num_moves
    )


class GameEnv(gymnasium.Env[Numbers, np.int64]):
    """One learner at a table of bots."""

    metadata: ClassVar[Info] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        opponents: str | Sequence[str] = "random",
        seat: Player | None = 0,
        reward: str = "placement",
        options: Mapping[str, str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`opponents` is one bot for all other seats or one for each, counted from the learner: `random`, `greedy`, `search:100`,
        or a level such as `planner`. `seat` is where the learner sits; None draws a seat for every game."""
        self.batch = BatchEnv(
            game, 1, players=players, options=options, reward=reward, auto_reset="off", threads=1
        )
        self.opponents = Opponents(opponents, self.batch)
        self.observation_space, self.action_space = _spaces(self.batch)
        self.render_mode = render_mode
        self._fixed_seat = seat
        self._seats = np.array([seat or 0], np.int32)

    @property
    def seat(self) -> Player:
        """Where the learner sits in this game."""
        return int(self._seats[0])

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """What the learner may do."""
        mask: npt.NDArray[np.bool_] = self.batch.masks[0].astype(np.bool_)
        return mask

    def reset(
        self, *, seed: int | None = None, options: Info | None = None
    ) -> tuple[Numbers, Info]:
        """A new game, played up to the learner's first decision."""
        super().reset(seed=seed)
        self.batch.reset(seed=seed)
        if self._fixed_seat is None:
            self._seats[0] = self.np_random.integers(self.batch.players)
        self.opponents.reset(self.batch)
        self.opponents.play(self.batch, self._seats)
        self._show()
        return self.batch.observe(0, self.seat), self._info()

    def step(self, action: np.int64) -> tuple[Numbers, float, bool, bool, Info]:
        """The learner's action, and all that follows up to its next decision. One that is not legal loses the game."""
        batch = self.batch
        assert batch.to_act[0] == self.seat, "the game is over: reset the environment"
        if not batch.masks[0, action]:
            return (
                batch.observe(0, self.seat),
                ILLEGAL_REWARD,
                True,
                False,
                self._info(illegal=True),
            )
        batch.step(action)
        # What the others do until the learner's next decision is part of what its action led to:
        # with rewards by score, their moves may pay it too.
        paid = float(batch.rewards[0, self.seat])
        rewards, _ = self.opponents.play(batch, self._seats)
        paid += float(rewards[0, self.seat])
        self._show()
        return batch.observe(0, self.seat), paid, bool(batch.to_act[0] < 0), False, self._info()

    def _info(self, *, illegal: bool = False) -> Info:
        """The same keys after every step: some trainers lay out their buffers by the first one."""
        return {"action_mask": self.batch.masks[0].copy(), "illegal_action": illegal}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Frame:
        """The table as the learner sees it."""
        assert self.render_mode, (
            "say how to render when you make the environment: render_mode='ansi', 'svg', 'rgb_array' or 'human'"
        )
        return render(self.batch.match(0), self.render_mode, self.seat)


class GameVectorEnv(VectorEnv[Numbers, npt.NDArray[Any], npt.NDArray[Any]]):
    """Many tables at once, on the batched core. A finished game starts again at the next step, whatever action it is given."""

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        players: int | None = None,
        opponents: str | Sequence[str] | Policy = "random",
        seat: Player | None = 0,
        reward: str = "placement",
        options: Mapping[str, str] | None = None,
        render_mode: str | None = None,
        threads: int | None = None,
        copy: bool = True,
    ) -> None:
        """As `GameEnv`, and: `opponents` may also be a function from observations and masks to actions; without a `seat`, the tables
        take the seats in turn; without `copy`, observations and masks are views that the next step rewrites."""
        self.batch = BatchEnv(
            game,
            num_envs,
            players=players,
            options=options,
            reward=reward,
            auto_reset="next_step",
            threads=threads,
        )
        self.opponents = Opponents(opponents, self.batch)
        self.num_envs = num_envs
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "autoreset_mode": AutoresetMode.NEXT_STEP,
        }
        self.single_observation_space, self.single_action_space = _spaces(self.batch)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode = render_mode
        self.copy = copy
        self.seats = (
            np.full(num_envs, seat, np.int32)
            if seat is not None
            else np.arange(num_envs, dtype=np.int32) % self.batch.players
        )

    def action_masks(self) -> npt.NDArray[np.bool_]:
        return self.batch.masks.astype(np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Info | None = None
    ) -> tuple[Numbers, Info]:
        """New games everywhere; a list has a seed for each, and None where a table goes on by itself."""
        if isinstance(seed, list):
            self.batch.reset(seeds=seed)
        else:
            self.batch.reset(seed=seed)
        self.opponents.reset(self.batch)
        self.opponents.play(self.batch, self.seats)
        return self._seen(), self._info()

    def step(self, actions: npt.NDArray[Any]) -> tuple[Numbers, Any, Any, Any, Info]:
        """The learners' actions. One that is not legal is refused with `IllegalAction`, and nothing has happened."""
        self.batch.step(actions)
        rewards, terminated = self.batch.rewards.copy(), self.batch.terminated.copy()
        paid, ended = self.opponents.play(self.batch, self.seats)
        rewards += paid
        own = rewards[np.arange(self.num_envs), self.seats].astype(np.float64)
        return (
            self._seen(),
            own,
            terminated | ended,
            np.zeros(self.num_envs, np.bool_),
            self._info(),
        )

    def _seen(self) -> Numbers:
        """At the end of a game, what a spectator sees."""
        return self.batch.observations.copy() if self.copy else self.batch.observations

    def _info(self) -> Info:
        return {"action_mask": self.batch.masks.copy() if self.copy else self.batch.masks}

    def render(self) -> tuple[Frame, ...] | None:  # type: ignore[override]
        """Every table as its learner sees it."""
        assert self.render_mode, "say how to render when you make the environment"
        seats = (
            int(seat) if self.batch.to_act[slot] >= 0 else SPECTATOR
            for slot, seat in enumerate(self.seats)
        )
        return tuple(
            render(self.batch.match(slot), self.render_mode, seat)
            for slot, seat in enumerate(seats)
        )

    def close_extras(self, **kwargs: Any) -> None:
        self.batch.close()


def register_games() -> None:
    """Tell Gymnasium about all games that it does not know yet."""
    for game in game_names():
        IDS[game] = environment_id(game)
        if IDS[game] not in gymnasium.registry:
            gymnasium.register(
                IDS[game],
                entry_point="lampion.research.gym:GameEnv",
                vector_entry_point="lampion.research.gym:GameVectorEnv",
                kwargs={"game": game},
                disable_env_checker=True,
            )


register_games()
