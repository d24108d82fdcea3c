from lampion.core.actions import ActionSpace, Block
from tests.core.flip.state import NUM_FACES

ACTIONS = ActionSpace(
    Block("deal", NUM_FACES, rule="F1", secret=True),
    Block("flip", rule="F2"),
    Block("leave", rule="F2"),
)
FLIP, LEAVE = ACTIONS["flip"].start, ACTIONS["leave"].start
