"""Level 1: what every game shares. No game, no input or output, no clock,
no global random numbers."""
