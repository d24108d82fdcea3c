"""Everything that a server imports and loads on its way to its first answer, once, for the process
that servers of tests are forked from (`forked.py`)."""

from __future__ import annotations

import importlib

from lampion.core.game import own_game_names
from lampion.server.tables.readiness import prepare

LATE = (
    "encodings.idna",
    "alembic.command",
    "alembic.config",
    "lampion.cli.main",
    "lampion.cli.serve",
    "lampion.server.logs",
    "lampion.server.web.app",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
)
"""Imported by a server where it first needs them, which costs each of them half of its start."""

for _name in LATE:
    importlib.import_module(_name)
for _game in own_game_names():
    prepare(_game)
