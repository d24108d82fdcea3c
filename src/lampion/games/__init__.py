"""Level 2: the games. Each imports `lampion.core` only, never another game."""
