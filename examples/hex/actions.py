"""The actions of Hex: there is one kind, and its id is `11 * row + column`, both counted from 0."""

from hex.state import ROW, SIZE
from lampion.core.actions import ActionSpace, Block
from lampion.core.compile import rule
from lampion.core.types import Action

ACTIONS = ActionSpace(Block("place", SIZE, SIZE, rule="H2"))


@rule(inline=True)
def cell_of(action: Action) -> int:
    return (action // SIZE + 1) * ROW + action % SIZE + 1
