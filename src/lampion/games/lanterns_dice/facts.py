"""What Lanterns Dice says about itself to the programs around it (see `core.facts`)."""

from lampion.core.facts import EVALUATED_PLAYOUT, GameFacts
from lampion.games.art import LETTER_COLORS

FACTS = GameFacts(
    search_with_network={"guided": 8, "playout": EVALUATED_PLAYOUT},
    has_board=True,
    letter_colors=LETTER_COLORS,
)
