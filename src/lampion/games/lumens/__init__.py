from lampion.games.lumens.actions import ACTIONS
from lampion.games.lumens.components import NAME, LumensFile, read_components
from lampion.games.lumens.setup import OPTIONS, new_state
from lampion.games.lumens.state import State
TITLE = "Lumens"
DESIGNER = "Jakob Andrusch"
RULES_VERSION = 1
NUM_PLAYERS = range(2, 5)
COMPONENTS = LumensFile
