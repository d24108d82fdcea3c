"""The review of a finished game: what was luck, what was play, and which decisions cost most."""
