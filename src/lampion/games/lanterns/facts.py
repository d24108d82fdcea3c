"""What Lanterns says about itself to the programs around it (see `core.facts`)."""

from lampion.core.facts import GameFacts
from lampion.games.art import LETTER_COLORS

FACTS = GameFacts(
    search={"exploration": 0.06},
    search_with_network={"exploration": 0.12, "cutoff": 0, "guided": 4},
    has_board=True,
    letter_colors=LETTER_COLORS,
)
