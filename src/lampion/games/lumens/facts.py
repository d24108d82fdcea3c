"""What Lumens says about itself to the programs around it (see `core.facts`)."""

from lampion.core.facts import GameFacts

FACTS = GameFacts(
    levels={
        "novice": "human:glance=0.45,forget=0.08,promise=0.6,gifts=0.3,doubt=2",
        "learner": "human:glance=0.97,forget=0.01,promise=0.98,gifts=0.95,doubt=0.14",
        "careful": "greedy",
        "skilled": "search:30",
        "planner": "search:150",
        "expert": "search:800",
    },
    most_points=1000.0,
    has_board=True,
)
