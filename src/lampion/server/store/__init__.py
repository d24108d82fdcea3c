"""Where tables, logs and persons are kept: SQLite without any set-up, or PostgreSQL by one URL."""
