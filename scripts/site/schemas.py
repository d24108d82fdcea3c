"""JSON Schemas as pages: a heading for every type, and a table of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]


def types(definitions: Mapping[str, Schema], level: int = 2) -> str:
    """All types, each under a heading with its name."""
    return "\n".join(_type(name, schema, level) for name, schema in definitions.items())


def _type(name: str, schema: Schema, level: int) -> str:
    lines = [f"{'#' * level} {name}", ""]
    if about := schema.get("description"):
        lines += [_text(about), ""]
    if "properties" in schema:
        lines += [fields(schema), ""]
    else:
        lines += [f"{kind(schema)}", ""]
    return "\n".join(lines)


def fields(schema: Schema) -> str:
    """The fields of an object as a table."""
    required = set(schema.get("required", ()))
    lines = ["| field | type | |", "|---|---|---|"]
    for name, each in schema["properties"].items():
        notes = [_text(each["description"])] if each.get("description") else []
        if name not in required:
            default = each.get("default")
            notes.append(
                "may be left out" if default in (None, "", [], {}) else f"default: `{default}`"
            )
        lines.append(f"| `{name}` | {kind(each)} | {'; '.join(notes)} |")
    return "\n".join(lines)


def kind(schema: Schema) -> str:
    """What a value may be, in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{anchor(name)})"
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " or ".join(dict.fromkeys(kind(each) for each in schema[union]))
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        return _array(schema)
    if schema.get("type") == "object":
        return _object(schema)
    return str(schema.get("type", "anything")) + _limits(schema)


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(kind(each) for each in schema['prefixItems'])}]".replace("[[", "\\[[")
    items = schema.get("items")
    return f"list of {kind(items)}" if items else "list"


def _object(schema: Schema) -> str:
    if schema.get("properties"):
        return f"object with {', '.join(f'`{name}`' for name in schema['properties'])}"
    values = schema.get("additionalProperties")
    return f"object of {kind(values)}" if isinstance(values, Mapping) and values else "object"


_LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "maxLength": "at most {} characters",
    "pattern": "like `{}`",
}


def _limits(schema: Schema) -> str:
    said = [
        words.format(str(schema[key]).replace("|", "\\|"))
        for key, words in _LIMITS.items()
        if key in schema
    ]
    return f", {', '.join(said)}" if said else ""


def _text(words: str) -> str:
    escaped = " ".join(words.split()).replace("<", "\\<").replace("|", "\\|")
    return escaped.replace("*", "\\*")


def anchor(name: str) -> str:
    """The anchor of a heading, as code hosts make it."""
    return "".join(
        "-" if letter == " " else letter
        for letter in name.lower()
        if letter.isalnum() or letter in "-_ "
    )
