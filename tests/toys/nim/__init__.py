"""Nim, with an option of every kind and a variant of its own. Rules N1 to N3 are in `rules`."""

from lampion.core.plain import complete

NAME, TITLE, DESIGNER = "nim", "Nim", "nobody knows"
NUM_PLAYERS = range(2, 4)

complete(__name__)
