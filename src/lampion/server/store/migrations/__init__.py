"""The history of the schema, oldest first in `versions`. `migrate.py` runs it; released steps
are never edited."""
