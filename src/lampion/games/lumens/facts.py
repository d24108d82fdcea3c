"""What Lumens says about itself to the programs around it (see `core.facts`)."""

from lampion.core.facts import GameFacts

FACTS = GameFacts(
    levels={
        "novice": "human:glance=0.6,forget=0.05,promise=0.8,gifts=0.2,doubt=0.9",
        "learner": "human:glance=0.2,forget=0.1",
        "careful": "human:glance=0.9,forget=0.02",
        "skilled": "search:22,net=0",
        "planner": "search:25",
        "expert": "search:120",
    },
    rated_top="search:1500",
    most_points=1000.0,
    has_board=True,
)
