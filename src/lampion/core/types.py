"""The small ints and arrays that everything is made of."""

from typing import Annotated, Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

Player: TypeAlias = int
"""A player 0, 1, ... in turn order, or one of the three below."""

CHANCE: Player = -1
GAME_OVER: Player = -2
NO_PLAYER: Player = -3

MOST_SEATS = 8
"""More players than that no game can have: messages, seats and colors end there."""

SPECTATOR: Player = -1
"""As a *seat*: a viewer who sees only what everybody sees."""

Action: TypeAlias = int
"""An id of an `ActionSpace`. Ids stay in memory; whatever is stored, sent or shown is notation."""

IntArray: TypeAlias = npt.NDArray[np.int32]


class Elements:
    """What the annotation of an array does not say by itself: how many axes it has,
    and the type of its records."""

    known: ClassVar[dict[str, np.dtype[Any]]] = {}

    def __init__(
        self, axes: int = 1, *, name: str = "", dtype: np.dtype[Any] | None = None
    ) -> None:
        self.axes, self.name, self.dtype = axes, name, dtype
        if dtype is not None:
            self.known[name] = dtype


IntTable: TypeAlias = Annotated[IntArray, Elements(axes=2)]
Rng: TypeAlias = npt.NDArray[np.uint64]
"""The state of a playout generator: one number (see `core.rng`)."""

Batch: TypeAlias = Any
"""A NumPy array of records; `batch[i]` is what a rule calls `state`."""

Json: TypeAlias = Any
"""What `json` can write."""
