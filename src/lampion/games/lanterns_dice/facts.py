"""What Lanterns Dice says about itself to the programs around it (see `core.facts`)."""

from lampion.core.facts import EVALUATED_PLAYOUT, GameFacts
from lampion.games.art import LETTER_COLORS

FACTS = GameFacts(
    search_with_network={"guided": 8, "playout": EVALUATED_PLAYOUT},
    levels={
        "novice": "human:glance=0.85,forget=0.03,promise=0.88,gifts=0.77,doubt=0.36",
        "learner": "human:glance=0.9,forget=0.02,promise=0.92,gifts=0.84,doubt=0.24",
        "careful": "human:glance=0.94,forget=0.01,promise=0.95,gifts=0.91,doubt=0.14",
        "planner": "search:700,net=0",
        "expert": "search:10",
    },
    rated_top="search:200",
    most_points=1000.0,
    has_board=True,
    letter_colors=LETTER_COLORS,
)
