"""What Lumens says about itself to the programs around it (see `core.facts`)."""

from lampion.core.facts import Facts

FACTS = Facts(has_board=True)
