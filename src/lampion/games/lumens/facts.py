"""What Lumens says about itself to the programs around it (see `core.facts`)."""

from lampion.core.facts import GameFacts

FACTS = GameFacts(has_board=True)
