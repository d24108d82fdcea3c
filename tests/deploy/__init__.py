"""The files of deploy/, run for real."""
