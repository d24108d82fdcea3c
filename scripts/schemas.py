"""Write the published JSON Schemas into docs/schemas: of record files, and of the components,
options, views and events of every game."""

from __future__ import annotations

import json
from pathlib import Path

import lampion
from lampion.core.components import components_schema
from lampion.core.game import own_game_names
from lampion.core.gamelog import record_schema
from lampion.core.options import options_schema
from lampion.core.variants import declared_options
from lampion.core.views import view_schema
from scripts.wire_schema import wire_schema

FOLDER = Path(__file__).parent.parent / "docs" / "schemas"


def schemas() -> dict[str, str]:
    """File name -> content."""
    found = {"record.schema.json": record_schema(), "wire.json": wire_schema()}
    for name in own_game_names():
        game = lampion.find_game(name)
        found[f"components-{name}.schema.json"] = components_schema(game.COMPONENTS)
        options = options_schema(game.TITLE, declared_options(game))
        found[f"options-{name}.schema.json"] = options
        found[f"view-{name}.schema.json"] = view_schema(game)
    return {name: json.dumps(schema, indent=2) + "\n" for name, schema in found.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, content in schemas().items():
        (FOLDER / name).write_text(content)
        print(f"docs/schemas/{name}")
