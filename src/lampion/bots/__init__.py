"""Level 3: players that are programs."""
