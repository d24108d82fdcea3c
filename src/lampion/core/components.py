"""Components as data: a TOML (or JSON) file read into the types of a game, with
errors that name the place.

A game describes its file with `msgspec` structs: they are the reader, and the published JSON Schema
comes from them. What a schema cannot say is checked by the game's `check_more`.
"""

from __future__ import annotations

import functools
import hashlib
import tomllib
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from lampion.core.errors import InvalidComponents

FORMAT: Literal["lampion-components/1"] = "lampion-components/1"


class ComponentsFile(msgspec.Struct):
    """What all components files have in common."""

    format: Literal["lampion-components/1"]

    @property
    def hash(self) -> str:
        """SHA-256 of the content, whatever the file's layout and comments."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()

    @property
    def is_standard(self) -> bool:
        return self.hash == _standard_hash(type(self))

    def check_more(self) -> None:
        """Raise `InvalidComponents` for what a schema cannot say."""


File = TypeVar("File", bound=ComponentsFile)
_standard_files: dict[type[ComponentsFile], Path] = {}


def read_components_file(kind: type[File], standard: Path, source: bytes | None, name: str) -> File:
    """Read a file of that kind: the published one, or `source`."""
    _standard_files[kind] = standard
    return _read_standard(kind) if source is None else _read(kind, source, name)


@functools.cache
def _read_standard(kind: type[File]) -> File:
    standard = _standard_files[kind]
    return _read(kind, standard.read_bytes(), standard.name)


@functools.cache
def _standard_hash(kind: type[ComponentsFile]) -> str:
    return str(_read_standard(kind).hash)


def _read(kind: type[File], source: bytes, name: str) -> File:
    content = parse_components(source, name)
    try:
        components = msgspec.convert(content, kind)
    except msgspec.ValidationError as problem:
        message, _, place = str(problem).partition(" - at ")
        where = f"{name}, {place.strip('`').replace('$.', '')}" if place else name
        raise InvalidComponents(
            f"not a valid components file: {message}", where=where, problem=message
        ) from None
    components.check_more()
    return components


def parse_components(source: bytes, name: str) -> Any:
    """The content of a TOML or JSON file, whatever it is about."""
    try:
        return (
            msgspec.json.decode(source)
            if source.lstrip().startswith(b"{")
            else tomllib.loads(source.decode())
        )
    except (
        tomllib.TOMLDecodeError,
        msgspec.DecodeError,
        UnicodeError,
        RecursionError,
        ValueError,
    ) as problem:
        message = " ".join(str(problem).split())
        text = f"not a valid TOML or JSON file: {message}"
        raise InvalidComponents(text, code="invalid-toml", where=name, problem=message) from None


def check(is_good: bool, where: str, message: str) -> None:
    """Refuse components that break a condition."""
    if not is_good:
        raise InvalidComponents(message, where=where, problem=message)


def components_schema(kind: type[ComponentsFile]) -> dict[str, Any]:
    """The published JSON Schema of a game's components file."""
    schema = msgspec.json.schema(kind)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{FORMAT} of {kind.__name__}",
        **schema,
    }
