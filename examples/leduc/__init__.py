"""Leduc poker, by Finnegan Southey and others at the University of Alberta. Rules P1 to P6; the
rulebook is in `rulebook/`."""

from lampion.core.plain import complete

NAME, TITLE = "leduc", "Leduc Poker"
DESIGNER = "Finnegan Southey and others"
NUM_PLAYERS = range(2, 9)

complete(__name__)
