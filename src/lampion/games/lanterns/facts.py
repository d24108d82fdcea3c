"""What Lanterns says about itself to the programs around it (see `core.facts`)."""

from lampion.core.facts import GameFacts
from lampion.games.art import LETTER_COLORS

FACTS = GameFacts(
    search={"exploration": 0.06},
    search_with_network={"exploration": 0.12, "cutoff": 0, "guided": 4},
    levels={
        "novice": "human:glance=0.72,forget=0.05,promise=0.78,gifts=0.57,doubt=0.86",
        "learner": "human:glance=0.8,forget=0.04,promise=0.84,gifts=0.69,doubt=0.63",
        "careful": "human:glance=0.89,forget=0.02,promise=0.91,gifts=0.83,doubt=0.34",
        "expert": "search:300",
    },
    rated_top="search:1000",
    most_points=1000.0,
    has_board=True,
    letter_colors=LETTER_COLORS,
)
