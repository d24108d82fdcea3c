"""Games that exist to be tested with."""
