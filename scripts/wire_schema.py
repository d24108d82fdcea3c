"""The JSON Schema of everything that crosses the wire, from which `npm run types` makes the client's TypeScript."""

from __future__ import annotations

from inspect import isclass
from typing import Any

import msgspec

from lampion.server import wire


def wire_schema() -> dict[str, Any]:
    """All classes of `lampion.server.wire` under `$defs`; the unions of commands and messages have names of their own."""
    items = dict.fromkeys(
        item for module in (wire, wire.admin) for item in vars(module).values() if isclass(item)
    )
    own = [item for item in items if item.__module__.startswith(wire.__name__)]
    structs = [item for item in own if issubclass(item, msgspec.Struct)]
    unions = {"Incoming": wire.Incoming, "Outgoing": wire.Outgoing, "Pace": wire.Pace}
    shapes, components = msgspec.json.schema_components(
        [*structs, *unions.values()], ref_template="#/$defs/{name}"
    )
    components.update(zip(unions, shapes[len(structs) :], strict=True))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Lampion wire",
        "$defs": dict(sorted(components.items())),
    }
