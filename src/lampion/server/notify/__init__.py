"""Calling people back to a table: what waits in the outbox goes out by the ways they have chosen."""
