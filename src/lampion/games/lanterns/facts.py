"""What Lanterns says about itself to the programs around it (see `core.facts`)."""

from lampion.core.facts import GameFacts
from lampion.games.art import LETTER_COLORS

FACTS = GameFacts(
    search={"exploration": 0.06},
    search_with_network={"exploration": 0.12, "cutoff": 0, "guided": 4},
    levels={
        "novice": "human:glance=0.82,forget=0.03,promise=0.86,gifts=0.72,doubt=0.56",
        "learner": "human:glance=0.88,forget=0.02,promise=0.91,gifts=0.82,doubt=0.36",
        "careful": "human:glance=0.97,forget=0.01,promise=0.98,gifts=0.97,doubt=0.06",
        "skilled": "search:1000,net=0",
        "planner": "search:3",
        "expert": "search:30",
    },
    rated_top="search:1000",
    most_points=1000.0,
    has_board=True,
    letter_colors=LETTER_COLORS,
)
