"""What Lanterns Dice says about itself to the programs around it (see `core.facts`)."""

from lampion.core.facts import EVALUATED_PLAYOUT, GameFacts
from lampion.games.art import LETTER_COLORS

FACTS = GameFacts(
    search_with_network={"guided": 8, "playout": EVALUATED_PLAYOUT},
    levels={
        "novice": "human:glance=0.81,forget=0.04,promise=0.85,gifts=0.71,doubt=0.44",
        "learner": "human:glance=0.88,forget=0.02,promise=0.91,gifts=0.82,doubt=0.27",
        "careful": "human:glance=0.93,forget=0.01,promise=0.95,gifts=0.89,doubt=0.16",
        "expert": "search:100",
    },
    rated_top="search:200",
    most_points=1000.0,
    has_board=True,
    letter_colors=LETTER_COLORS,
)
