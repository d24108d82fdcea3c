"""The actions of Connect Four: there is one kind, and its id is the column."""

from connect_four.state import NUM_COLUMNS
from lampion.core.actions import ActionSpace, Block

ACTIONS = ActionSpace(Block("drop", NUM_COLUMNS, rule="C2"))
