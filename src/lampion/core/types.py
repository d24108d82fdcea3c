"""The small ints and arrays that everything is made of."""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Player: TypeAlias = int
"""A player 0, 1, ... in turn order, or one of the three below."""

CHANCE: Player = -1
"""To act: chance, whose actions are the outcomes of a draw or a roll."""
GAME_OVER: Player = -2
"""To act: nobody ever again."""
NO_PLAYER: Player = -3
"""In a state: no player, such as the owner of a free place."""

MOST_SEATS = 8
"""More players than that no game can have: messages, seats and colors end there."""

SPECTATOR: Player = -1
"""As a *seat*: a viewer who sees only what everybody sees."""

Action: TypeAlias = int
"""An id of an `ActionSpace`. Ids stay in memory; whatever is stored, sent or shown is notation."""

IntArray: TypeAlias = npt.NDArray[np.int32]
"""Ids or counts, in the width that compiled rules use."""


Room: TypeAlias = Literal["", "one", "players", "actions"]
"""How long an array at a door has to be: one element, as many as the state at `index` has players,
or as the game has actions. The compiled door checks it."""


class Elements:
    """What the annotation of an array does not say by itself: how many axes it has,
    the type of its records, and how long its last axis has to be."""

    known: ClassVar[dict[str, np.dtype[Any]]] = {}

    def __init__(
        self,
        axes: int = 1,
        *,
        name: str = "",
        dtype: np.dtype[Any] | None = None,
        room: Room = "",
    ) -> None:
        self.axes, self.name, self.dtype, self.room = axes, name, dtype, room
        if dtype is not None:
            self.known[name] = dtype


IntTable: TypeAlias = Annotated[IntArray, Elements(axes=2)]
ActionList: TypeAlias = Annotated[IntArray, Elements(room="actions")]
"""Room for all actions of the game, whatever is legal."""
ActionLists: TypeAlias = Annotated[IntArray, Elements(axes=2, room="actions")]
PlayerList: TypeAlias = Annotated[IntArray, Elements(room="players")]
"""Room for a number of each player."""
Rng: TypeAlias = Annotated[npt.NDArray[np.uint64], Elements(room="one")]
"""The state of a playout generator: one number (see `core.rng`)."""

Batch: TypeAlias = Any
"""A NumPy array of records; `batch[i]` is what a rule calls `state`."""

Json: TypeAlias = Any
"""What `json` can write."""
