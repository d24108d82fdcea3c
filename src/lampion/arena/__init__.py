"""Level 3: matches between bots, measured: paired deals, ratings with error bars, tests that stop early."""
